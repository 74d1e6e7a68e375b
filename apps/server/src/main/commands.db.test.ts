import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tariffSpecSchema } from '@simcube/contract/price';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorActor } from '../modules/audit/index.ts';
import { createBundle } from '../modules/bundle/index.ts';
import { tariffCatalogue } from '../modules/price/index.ts';
import { inTransaction } from '../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp, testPassword } from '../testing/app.ts';
import { bundleOf } from '../testing/bundles.ts';
import { commandLine } from '../testing/command-line.ts';
import { makeSim } from '../testing/inventory.ts';
import { sharedBundle } from '../testing/pools.ts';
import { createApiKey } from '../testing/signing.ts';
import { demoLogo } from './demo/demo-logo.ts';

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;
let iccids: string[];
let callArgs: string[];

const secret = 'a shared secret\n';
const path = (name: string): string => join(directory, name);

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-commands-'));
  simcube = commandLine(test, directory);
  const org = await makeOrganisation(test, { code: 'ACME' });
  payerId = (await makeOrganisation(test, { code: 'PAYER', parentCode: 'ACME' })).id;
  const admin = await signedInAs(test, 'admin', org);
  await test.database.pool.query(
    `update users set email = 'ana@acme.example', totp_secret = $2, totp_enabled_at = now() where id = $1`,
    [admin.userId, simcube.ring.seal('JBSWY3DPEHPK3PXP')],
  );
  await test.database.pool.query('update memberships set is_default = true where user_id = $1', [
    admin.userId,
  ]);
  const sims = [];
  for (let i = 0; i < 3; i += 1)
    sims.push(await makeSim(test.database.pool, org.id, { lifecycle: 'active' }));
  iccids = sims.map(({ iccid }) => iccid);
  await createBundle(test.database.pool, bundleOf({ code: 'B30' }));
  const by = { actor: operatorActor(), at: test.clock.now() };
  const standard = {
    code: 'standard',
    name: 'Standard',
    currency: 'EUR',
    versions: [{ starts_on: '2026-01-01' }],
  };
  await inTransaction(test.database.pool, (tx) =>
    tariffCatalogue.apply(tx, [tariffSpecSchema.parse(standard)], by),
  );
  await createBundle(test.database.pool, sharedBundle('SHARED'));
  await writeFile(path('iccids.txt'), iccids.join('\n'));
  await writeFile(
    path('sims.csv'),
    'iccid,imsi,organisation_code\n8934071234567890123,214071234567890,ACME\n8934071234567890124,214071234567891,ACME\n',
  );
  await writeFile(
    path('cdrs.csv'),
    `iccid,started_at,ended_at,up_bytes,down_bytes\n${iccids[0]},2026-11-20T10:00:00Z,2026-11-20T10:10:00Z,100,200\n`,
  );
  await writeFile(path('logo.png'), Buffer.from(demoLogo.split(',')[1] ?? '', 'base64'));
  await writeFile(path('cells.csv'), 'cell,latitude,longitude,name\n214-07-1-1,40.4,-3.7,Madrid\n');
  await writeFile(path('catalogue.yaml'), 'zones: [{ code: world, name: World, countries: rest }]\n');
  await writeFile(path('bundles.json'), JSON.stringify([bundleOf({ code: 'NEW' })]));
  const key = await createApiKey(admin);
  await writeFile(path('key.pem'), key.privateKey);
  const url = await test.listen();
  callArgs = ['call', 'developer.listKeys', '--url', url, '--key-id', key.id, '--key-file', path('key.pem')];
});

afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true, force: true });
});

const deadLetter = async (id: number): Promise<void> => {
  await test.database.pool.query(
    `insert into dead_lettered_jobs (id, name, payload, max_attempts, attempts, error, queued_at)
     values ($1, 'test.job', '{}', 5, 5, 'no', now())`,
    [id],
  );
};

/** A fact about the reset of no SIMs that a consumer gave up. */
const deadFact = async (id: number): Promise<void> => {
  await test.database.pool.query(
    `insert into dead_lettered_facts (id, consumer, xact, fact_id, topic, payload, error, recorded_at, attempts)
     overriding system value values ($1, 'aaa.forget-reset', '1', $1, 'sim.reset', $2, 'no', now(), 5)`,
    [id, JSON.stringify({ sims: [], actor: null, at: '2026-11-20T10:00:00.000Z' })],
  );
};

/** A task with many SIMs that no worker has begun. */
const pendingTask = async (id: number): Promise<void> => {
  await test.database.pool.query(
    `insert into tasks (id, org_id, user_id, type, quantity, started_at, moved_at)
     overriding system value select $1, org_id, user_id, 'sim-notes', 0, now(), now() from memberships limit 1`,
    [id],
  );
};

const inventoryWanted = async (): Promise<void> => {
  await test.database.pool.query(
    `with preferences as (
       insert into report_preferences (org_id, formats, language, time_zone, notify, changed_at)
       values ($1, '{csv}', 'en-US', 'UTC', '{}', now()) returning org_id)
     insert into report_kinds (org_id, kind, since) select org_id, 'inventory', now() from preferences`,
    [payerId],
  );
};

/** A task that changed an item which no longer exists. */
const changingTask = async (id: number): Promise<void> => {
  await pendingTask(id);
  await test.database.pool.query(
    `update tasks set status = 'done', undoable = 1, ended_at = now() where id = $1`,
    [id],
  );
};

let payerId: number;

/** The only bill of September, without lines. */
const billOf = async (serial: number, status: 'draft' | 'published'): Promise<void> => {
  await test.database.pool.query('delete from bills');
  await test.database.pool.query(
    `insert into bills (serial, org_id, month_on, type, currency, status, computed_at, issued_at, due_on)
     values ($1, $2, '2026-09-01', 'post-payment', 'EUR', $3, now(), $4::timestamptz, $4::timestamptz)`,
    [serial, payerId, status, status === 'draft' ? null : new Date('2026-10-03T00:00:00Z')],
  );
};

interface Example {
  args: readonly string[];
  stdin?: string;
  before?: () => Promise<unknown>;
}

const gatewayArgs = ['gateways', 'add', 'paris-1', '--network', '192.0.2.0/28', '--secret-stdin'];

/** A call of each command that changes something. Add new commands that write here. */
const writing = (): Record<string, Example> => ({
  'orgs create': {
    args: ['orgs', 'create', 'NEWORG', '--name', 'New organisation', '--country', 'DE', '--parent', 'ACME'],
  },
  'orgs limits': { args: ['orgs', 'limits', 'NEWORG', '--seats', '3'] },
  'orgs logo': { args: ['orgs', 'logo', 'NEWORG', path('logo.png')] },
  'orgs rename': { args: ['orgs', 'rename', 'NEWORG', 'Newer organisation'] },
  'orgs delete': { args: ['orgs', 'delete', 'NEWORG'] },
  'users create-superadmin': {
    args: ['users', 'create-superadmin', 'root@acme.example', '--org', 'ACME', '--password-stdin'],
    stdin: `${testPassword}\n`,
  },
  'users reset-password': { args: ['users', 'reset-password', 'ana@acme.example', '--generate-password'] },
  'users reset-two-factor': { args: ['users', 'reset-two-factor', 'ana@acme.example'] },
  'sims import': { args: ['sims', 'import', path('sims.csv')] },
  'sims operate': {
    args: [
      'sims',
      'operate',
      'notes',
      '--for',
      'ana@acme.example',
      '--iccids',
      path('iccids.txt'),
      '--value',
      'x',
    ],
  },
  'bundles import': { args: ['bundles', 'import', path('bundles.json')] },
  'bundles order': {
    args: ['bundles', 'order', 'B30', '--iccids', path('iccids.txt'), '--sales-order', 'SO-1'],
  },
  'catalogue apply': { args: ['catalogue', 'apply', path('catalogue.yaml')] },
  'prices bind': { args: ['prices', 'bind', 'standard', 'ACME'] },
  'prices unbind': { args: ['prices', 'unbind', 'ACME'] },
  'pools set': { args: ['pools', 'set', 'ACME', 'Trucks', '--bundle', 'SHARED'] },
  'pools limit': { args: ['pools', 'limit', 'ACME', 'Trucks', '1000'] },
  'reports remake': { args: ['reports', 'remake', 'PAYER', '--month', '2026-09'], before: inventoryWanted },
  'bills draft': { args: ['bills', 'draft', '--organisation', 'PAYER'] },
  'bills hold': {
    args: ['bills', 'hold', 'BILL-2026-09-00091', '--reason', 'x'],
    before: () => billOf(91, 'draft'),
  },
  'bills publish': { args: ['bills', 'publish', 'BILL-2026-09-00091'] },
  'bills pay': {
    args: ['bills', 'pay', 'BILL-2026-09-00092', '1', '--reference', 'TX 1'],
    before: () => billOf(92, 'published'),
  },
  'bills reissue': { args: ['bills', 'reissue', 'BILL-2026-09-00092', '--reason', 'x'] },
  'bills top-up': {
    args: ['bills', 'top-up', 'PAYER', '10.50', '--currency', 'EUR', '--reference', 'TX 2'],
  },
  'bills terms': {
    args: ['bills', 'terms', 'PAYER', 'credit', '--credit-limit', '1000', '--currency', 'EUR'],
  },
  'bills payee': {
    args: [
      ...['bills', 'payee', '--name', 'Operator', '--address', 'Main Street 1', '--country', 'ES'],
      ...[
        '--registration',
        'B 1',
        '--iban',
        'ES9121000418450200051332',
        '--bic',
        'EXAMESMM',
        '--bank',
        'Bank',
      ],
    ],
  },
  'cdrs import': { args: ['cdrs', 'import', path('cdrs.csv')] },
  'cells import': { args: ['cells', 'import', path('cells.csv')] },
  'gateways add': { args: gatewayArgs, stdin: secret },
  'gateways remove': { args: ['gateways', 'remove', 'paris-1'] },
  'smsc add': {
    args: ['smsc', 'add', 'madrid-1', '--host', '192.0.2.9', '--system-id', 'cube', '--password-stdin'],
    stdin: 'secret\n',
  },
  'smsc remove': { args: ['smsc', 'remove', 'madrid-1'] },
  'jobs retry': { args: ['jobs', 'retry', '1'], before: () => deadLetter(1) },
  'jobs drop': { args: ['jobs', 'drop', '2'], before: () => deadLetter(2) },
  'outbox retry': { args: ['outbox', 'retry', '1'], before: () => deadFact(1) },
  'outbox drop': { args: ['outbox', 'drop', '2'], before: () => deadFact(2) },
  'tasks cancel': { args: ['tasks', 'cancel', 'T00000901'], before: () => pendingTask(901) },
  'tasks undo': { args: ['tasks', 'undo', 'T00000902'], before: () => changingTask(902) },
  'secrets rotate': {
    args: ['secrets', 'rotate'],
    before: async () => {
      const check = simcube.ring.check;
      await test.database.pool.query(
        `insert into installation (key, value) values ('sealing_key_check', $1)
         on conflict (key) do update set value = excluded.value`,
        [check],
      );
    },
  },
  'secrets adopt': {
    args: ['secrets', 'adopt', '--old-key-is-lost'],
    before: () =>
      test.database.pool.query(`update installation set value = 'lost' where key = 'sealing_key_check'`),
  },
});

/** A call of each command that only reads; the database rejects every change while it runs. */
const reading = (): Record<string, Example> => ({
  'orgs list': { args: ['orgs', 'list'] },
  'orgs show': { args: ['orgs', 'show', 'ACME'] },
  'users list': { args: ['users', 'list'] },
  'users show': { args: ['users', 'show', 'ana@acme.example'] },
  'sims list': { args: ['sims', 'list', 'ACME'] },
  'sims show': { args: ['sims', 'show', iccids[0] ?? ''] },
  diagnose: { args: ['diagnose', iccids[0] ?? ''] },
  'bundles list': { args: ['bundles', 'list'] },
  'catalogue export': { args: ['catalogue', 'export'] },
  'catalogue schema': { args: ['catalogue', 'schema'] },
  'prices list': { args: ['prices', 'list'] },
  'prices show': { args: ['prices', 'show', 'standard'] },
  'prices zones': { args: ['prices', 'zones'] },
  'gateways list': { args: ['gateways', 'list'] },
  'gateways heard': { args: ['gateways', 'heard'] },
  'gateways unknown': { args: ['gateways', 'unknown'] },
  'smsc list': { args: ['smsc', 'list'] },
  'db status': { args: ['db', 'status'] },
  'db distribute': { args: ['db', 'distribute', '--plan'] },
  doctor: { args: ['doctor'] },
  'support-bundle': { args: ['support-bundle', '--out', path('support.zip')] },
  capacity: { args: ['capacity', '--sims', '1000', '--interim', '3600'] },
  'smsc status': { args: ['smsc', 'status'] },
  'tasks list': { args: ['tasks', 'list'] },
  'tasks show': { args: ['tasks', 'show', 'T00000903'], before: () => pendingTask(903) },
  'jobs list': { args: ['jobs', 'list'] },
  'jobs show': { args: ['jobs', 'show', '3'], before: () => deadLetter(3) },
  'outbox status': { args: ['outbox', 'status'] },
  'outbox list': { args: ['outbox', 'list'] },
  'outbox show': { args: ['outbox', 'show', '3'], before: () => deadFact(3) },
  'pools list': { args: ['pools', 'list'] },
  'bills list': { args: ['bills', 'list'] },
  'bills held': { args: ['bills', 'held'] },
  'bills check': {
    args: ['bills', 'check', 'BILL-2026-09-00093'],
    before: () => billOf(93, 'published'),
  },
  'usage verify': { args: ['usage', 'verify'] },
  'audit list': { args: ['audit', 'list'] },
  'audit verify': { args: ['audit', 'verify'] },
  'secrets check': { args: ['secrets', 'check'] },
  // The command signs with the machine's time.
  call: { args: callArgs, before: async () => test.clock.set(new Date()) },
});

/** A call of each command that does its work and rolls it back. */
const trying = (): Record<string, Example> => ({
  'catalogue plan': { args: ['catalogue', 'plan', path('catalogue.yaml')] },
});

const entries = async () =>
  (
    await test.database.pool.query<{ action: string; subject_name: string; org: number; after: unknown }>(
      `select action, subject_name, org_id::int as org, after from audit_entries
       where actor_kind = 'operator' order by at, org_id, number`,
    )
  ).rows;

describe('operator commands', () => {
  it('are all classified as writing, read-only or dry runs', () => {
    const named = [...Object.keys(writing()), ...Object.keys(reading()), ...Object.keys(trying())];
    const sorted = (names: readonly string[]) => names.toSorted((a, b) => a.localeCompare(b));
    expect(sorted(named)).toEqual(sorted(simcube.commands.map(({ name }) => name)));
  });

  it.each([
    ['--size', ['sims', 'list', 'ACME']],
    ['--limit', ['audit', 'list']],
    ['--count', ['bundles', 'order', 'B30', '--iccids', 'iccids.txt']],
    ['--sims', ['capacity', '--interim', '300']],
    ['--years', ['capacity', '--sims', '1', '--interim', '300']],
  ])('with %s read a number in digits', async (option, args) => {
    for (const wrong of ['', '0x10', '1e2', '0']) {
      const { failed, errors } = await simcube.run([...args, `${option}=${wrong}`]);
      expect({ failed, errors }, wrong).toEqual({ failed: true, errors: expect.stringContaining(option) });
    }
  });

  it('that only read work on a read-only database', async () => {
    for (const [name, { args, before }] of Object.entries(reading())) {
      await before?.();
      const output = await simcube.run(args, { readOnly: true });
      expect(output, name).toMatchObject({ failed: false, errors: '' });
      expect(output.out, name).toBeDefined();
    }
  });

  it('that only read have --json, except for files, calls and `db distribute`', async () => {
    const isWithout = ({ name, command }: (typeof simcube.commands)[number]) =>
      name in reading() && !command.options.some(({ long }) => long === '--json');
    const without = new Set(simcube.commands.filter(isWithout).map(({ name }) => name));
    expect(without).toEqual(new Set(['catalogue schema', 'support-bundle', 'call', 'db distribute']));
    for (const name of ['jobs show', 'outbox show']) {
      const { out } = await simcube.run([...(reading()[name]?.args ?? []), '--json']);
      expect(JSON.parse(out), name).toMatchObject({ id: 3 });
    }
  });

  it('that are dry runs change nothing', async () => {
    const stored = async () =>
      (
        await test.database.pool.query(
          'select (select count(*) from audit_entries) as entries, (select count(*) from zones) as zones',
        )
      ).rows;
    for (const [name, { args }] of Object.entries(trying())) {
      const before = await stored();
      expect(await simcube.run(args), name).toMatchObject({ failed: false, errors: '' });
      expect(await stored(), name).toEqual(before);
    }
  });

  it('that write are recorded in the audit trail as the operator’s', async () => {
    for (const [name, { args, stdin, before }] of Object.entries(writing())) {
      await before?.();
      const known = (await entries()).length;
      const output = await simcube.run(args, stdin === undefined ? {} : { stdin });
      expect(output, name).toMatchObject({ failed: false });
      expect((await entries()).length, name).toBeGreaterThan(known);
    }
    expect(JSON.stringify(await entries())).not.toContain(secret.trim());
  });
});
