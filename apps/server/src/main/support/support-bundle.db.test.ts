import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connect } from '../../platform/db/index.ts';
import { projectRoot, readEnv } from '../../platform/env/index.ts';
import { createManagementServer } from '../../platform/http/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { keyRingOf } from '../../platform/secrets/index.ts';
import { makeOrganisation, signedInAs, type TestApp, testApp } from '../../testing/app.ts';
import { unzip } from '../../testing/archive.ts';
import { commandLine } from '../../testing/command-line.ts';
import { makeSim } from '../../testing/inventory.ts';
import { storeMessages } from '../../testing/messages.ts';
import { alwaysReady } from '../../testing/readiness.ts';
import type { BundleSource } from './part.ts';
import { bundleParts, makeBundle } from './support-bundle.service.ts';

/** Everything that must not be in a bundle, of every kind, and where it is stored. */
const secrets = {
  databasePassword: 'Db-Pa55-word',
  sealingKey: '5ec7e7'.padEnd(64, 'a'),
  smtpPassword: 'smtp-Pa55',
  mapsToken: 'maps-t0ken',
  gatewaySecret: 'radius-Secret',
  smscPassword: 'smpp-Pa5',
  totpSecret: 'JBSWY3DPEHPK3PXP',
  signInToken: 'hV9tQm2xZr7LbN4cYw8KdJ6sPf0',
  targetUrl: 'https://hooks.acme.example/in?key=abc',
};
const personal = {
  firstName: 'Anastasia',
  lastName: 'Petropoulos',
  email: 'anastasia@acme.example',
  sender: 'operator@acme.example',
  organisation: 'Acme Widgets',
  iccid: '8934071234567890123',
  imsi: '214071234567890',
  msisdn: '34600123456',
  deviceName: 'Tractor of Anastasia',
  notes: 'stands behind the barn',
  message: 'Meet me at the harbour',
};
const ring = keyRingOf(Buffer.from(secrets.sealingKey, 'hex'));

let test: TestApp;
let directory: string;
let sealed: Buffer[];
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-support-'));
  simcube = commandLine(test, directory);
  sealed = [secrets.gatewaySecret, secrets.smscPassword, secrets.totpSecret].map((secret) =>
    ring.seal(secret),
  );
  await plant();
  await writeFile(join(directory, 'server.log'), logWithSecrets());
});
afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true, force: true });
});

const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);

const plant = async (): Promise<void> => {
  const org = await makeOrganisation(test, { code: 'ACME' });
  await query('update organisations set name = $1', [personal.organisation]);
  const { userId } = await signedInAs(test, 'admin', org);
  await query(
    'update users set email = $2, first_name = $3, last_name = $4, totp_secret = $5, totp_enabled_at = now() where id = $1',
    [userId, personal.email, personal.firstName, personal.lastName, sealed[2]],
  );
  const { iccid, imsi, msisdn, deviceName, notes } = personal;
  const sim = await makeSim(test.database.pool, org.id, { iccid, imsi, msisdn, deviceName, notes });
  const at = new Date().toISOString();
  await storeMessages(test.database.pool, { simId: sim.id, orgId: org.id, at, content: personal.message });
  await query(
    `insert into radius_clients (name, network, sealed_secret, require_message_authenticator, coa_port)
     values ('pgw', '10.0.0.0/8', $1, true, 3799)`,
    [sealed[0]],
  );
  await query(
    `insert into smsc_connections (name, host, port, tls, bind, system_id, system_type, sealed_password, priority, window_size, state, state_error)
     values ('main', 'smsc.example', 2775, false, 'transceiver', 'us', '', $1, 1, 10, 'lost', 'connect-failed')`,
    [sealed[1]],
  );
  const payload = JSON.stringify({ ...personal, ...secrets });
  const error = `connect ECONNREFUSED ${secrets.targetUrl} for ${personal.email}`;
  await query(
    `insert into dead_lettered_jobs (id, name, payload, max_attempts, attempts, error, queued_at)
     values (1, 'mail.send', $1, 5, 5, $2, now())`,
    [payload, error],
  );
  await query(
    `insert into dead_lettered_facts (consumer, xact, fact_id, topic, payload, error, recorded_at, attempts)
     values ('notify.settle-texts', '1', 1, 'sms.settled', $1, $2, now(), 8)`,
    [payload, error],
  );
  await query(`select graphile_worker.add_job('mail.send', payload := $1::json)`, [payload]);
  await query(
    `insert into tasks (org_id, user_id, type, quantity, remark, started_at, moved_at)
     values ($1, $2, 'sim-notes', 1, $3, now(), now())`,
    [org.id, userId, personal.notes],
  );
};

const sealedTexts = () =>
  Object.fromEntries(
    sealed.flatMap((one) =>
      (['hex', 'base64'] as const).map((form) => [`sealed ${one.toString(form)}`, one.toString(form)]),
    ),
  );

const logWithSecrets = (): string => {
  const record = {
    level: 50,
    time: 1,
    msg: 'a request failed',
    ...personal,
    req: { headers: { cookie: secrets.signInToken } },
  };
  const err = {
    type: 'Error',
    message: personal.email,
    stack: `Error: ${personal.email}\n    at f (/x/y.js:1:2)`,
  };
  const printed = {
    level: 30,
    time: 2,
    console: true,
    msg: `${personal.firstName} has ${secrets.smtpPassword}`,
  };
  return [{ ...record, err }, printed]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('')
    .concat(`${personal.lastName} called\n`);
};

const settings = {
  SIMCUBE_ENV_FILE: '',
  SIMCUBE_DEMO: '1',
  DATABASE_URL: `postgres://cube:${secrets.databasePassword}@127.0.0.1:1/cube`,
  SIMCUBE_SECRET_KEY: secrets.sealingKey,
  SIMCUBE_SMTP_URL: `smtp://us:${secrets.smtpPassword}@127.0.0.1:1`,
  SIMCUBE_MAIL_FROM: `${personal.firstName} <${personal.sender}>`,
  SIMCUBE_MAPS_URL: `http://127.0.0.1:9/${secrets.mapsToken}`,
  SIMCUBE_PUBLIC_URL: 'https://sims.example',
  // Nothing listens there.
  SIMCUBE_MANAGEMENT_PORT: '1',
  // The doctor names an unknown setting, without its value.
  SIMCUBE_PASSWORD: secrets.smtpPassword,
};

const source = (more: Partial<BundleSource> = {}, extra: NodeJS.ProcessEnv = {}): BundleSource => ({
  env: readEnv({ ...settings, SIMCUBE_DATA_DIR: directory, ...extra }),
  pool: test.database.pool,
  clock: { now: () => new Date() },
  consumers: test.wiring.consumers,
  readDisk: async () => ({ free: 1, total: 2 }),
  log: join(directory, 'server.log'),
  ...more,
});

const filesOf = async (from: BundleSource) => {
  const { archive, missing } = await makeBundle(from);
  return {
    files: unzip(await buffer(archive)),
    missing: missing.map(({ name }) => name),
    reasons: missing,
  };
};
const fileOf = (files: ReadonlyMap<string, string>, name: string): string =>
  [...files].find(([path]) => path.endsWith(`/${name}`))?.[1] ?? '';
const jsonOf = (files: ReadonlyMap<string, string>, name: string) => JSON.parse(fileOf(files, name));

describe('a support bundle', () => {
  it('contains the state of the installation', async () => {
    const { files, missing } = await filesOf(source());
    expect(missing).toEqual(['metrics.txt']);
    expect(jsonOf(files, 'machine.json')).toMatchObject({
      disk: { free: 1, total: 2 },
      node: process.versions.node,
    });
    expect(jsonOf(files, 'settings.json')).toContainEqual({ name: 'DATABASE_URL', isSet: true });
    expect(jsonOf(files, 'settings.json')).toContainEqual({ name: 'SIMCUBE_DB_POOL', isSet: false });
    expect(jsonOf(files, 'doctor.json')).toContainEqual({
      check: 'SMSC',
      state: 'fail',
      said: 'No connection to an SMSC is bound: main (connect-failed)',
      mend: expect.any(String),
    });
    expect(jsonOf(files, 'tables.json')).toContainEqual(
      expect.objectContaining({ table: 'sims', partitionOf: null, totalBytes: expect.any(Number) }),
    );
    expect(jsonOf(files, 'tables.json')).toContainEqual(
      expect.objectContaining({ partitionOf: 'sms_messages' }),
    );
    const { nodes, tables } = jsonOf(files, 'cluster.json');
    const isCluster = inject('databaseServers').length > 1;
    expect(nodes).toHaveLength(isCluster ? inject('databaseServers').length : 0);
    expect(tables).toContainEqual(
      expect.objectContaining({ table: 'cdrs', isDistributed: isCluster, bytes: expect.any(Number) }),
    );
    expect(jsonOf(files, 'postgresql.json').settings).toContainEqual(
      expect.objectContaining({ name: 'shared_buffers', source: expect.any(String) }),
    );
    expect(jsonOf(files, 'jobs.json').queue).toContainEqual({
      job: 'mail.send',
      waiting: 1,
      underWay: 0,
      failed: 0,
      oldestDueAt: expect.any(String),
    });
    expect(jsonOf(files, 'jobs.json').deadLettered).toMatchObject([
      { name: 'mail.send', error: 'ECONNREFUSED' },
    ]);
    expect(jsonOf(files, 'outbox.json').deadLettered).toMatchObject([
      { topic: 'sms.settled', error: 'ECONNREFUSED' },
    ]);
    expect(jsonOf(files, 'work.json').tasks).toMatchObject([
      { type: 'sim-notes', status: 'processing', count: 1 },
    ]);
    expect(jsonOf(files, 'migrations.json')).toContain('0010_tasks.sql');
    expect(
      fileOf(files, 'log.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { level: 50, time: 1, msg: 'a request failed', err: { type: 'Error', at: ['f y.js:1:2'] } },
      { level: 30, time: 2, msg: '[text of a library]' },
      { leftOut: 1, reason: 'not a record' },
    ]);
  });

  it('contains no secrets and no personal data', async () => {
    const { files } = await filesOf(source());
    expect(files.size).toBe(bundleParts.length);
    const forbidden = { ...secrets, ...personal, ...sealedTexts() };
    for (const [path, text] of files) {
      for (const [kind, value] of Object.entries(forbidden))
        expect(text.toLowerCase().includes(value.toLowerCase()), `${kind} in ${path}`).toBe(false);
      expect(text.includes(directory), path).toBe(false);
    }
    const elsewhere = { SIMCUBE_WEB_DIR: '/srv/ana/console', SIMCUBE_ARCHIVE_DIR: '/srv/ana/archive' };
    for (const [path, text] of (await filesOf(source({}, elsewhere))).files)
      expect(text.includes('/srv/ana'), path).toBe(false);
    // The same search finds them where they are stored.
    const known = JSON.stringify([
      settings,
      logWithSecrets(),
      (await query('select payload from dead_lettered_jobs')).rows,
    ]);
    for (const value of [...Object.values(secrets), ...Object.values(personal)])
      expect(known).toContain(value);
  });

  it('is made without the database, and lists what is missing', async () => {
    const { pool, close } = connect({
      url: settings.DATABASE_URL,
      max: 2,
      name: 'nowhere',
      onError: () => undefined,
    });
    const { files, missing } = await filesOf(source({ pool }));
    await close();
    const ofDatabase = bundleParts.filter(({ needsDatabase }) => needsDatabase).map(({ name }) => name);
    expect(missing).toEqual(['metrics.txt', ...ofDatabase]);
    expect(jsonOf(files, 'doctor.json')).toContainEqual(
      expect.objectContaining({ check: 'disk', state: 'fail' }),
    );
    expect(fileOf(files, 'README.txt')).toContain(
      'tables.json: missing, because the database does not answer.',
    );
    for (const [path, text] of files) expect(text.includes(secrets.databasePassword), path).toBe(false);
  });

  it('omits a file that can’t be made, with the reason', async () => {
    const { missing, reasons } = await filesOf(source({ log: join(directory, 'none.log') }));
    expect(missing).toEqual(['metrics.txt', 'log.jsonl']);
    expect(reasons.at(-1)?.reason).toBe("the log named by --log can't be read (ENOENT)");
  });

  it('contains the metrics of running processes', async () => {
    const log = createLog({ level: 'silent', format: 'json' });
    const server = createManagementServer({ readiness: alwaysReady, metrics: createMetrics(['jobs']), log });
    const port = new URL(await server.listen('127.0.0.1', 0)).port;
    const { files, missing } = await filesOf(source({}, { SIMCUBE_MANAGEMENT_PORT: port }));
    await server.close();
    expect(missing).toEqual([]);
    expect(fileOf(files, 'metrics.txt')).toMatch(
      /^# the process on port \d+\n[\s\S]*# HELP simcube_jobs_total /,
    );
  });
});

describe('simcube support-bundle', () => {
  it('takes the log from standard input with --log -, and of a long one its end', async () => {
    const line = (n: number) =>
      JSON.stringify({
        level: 30,
        time: n,
        msg: `call of ${personal.email}`,
        note: 'x'.repeat(5_000),
        ...personal,
      });
    const out = join(directory, 'stdin.zip');
    const stdin = Array.from({ length: 1_000 }, (_, n) => line(n + 1)).join('\n');
    const said = await simcube.run(['support-bundle', '--out', out, '--log', '-'], { stdin });
    expect(said).toMatchObject({ failed: false, out: expect.not.stringContaining('log.jsonl') });
    const text = fileOf(unzip(await readFile(out)), 'log.jsonl');
    for (const value of Object.values(personal)) expect(text).not.toContain(value);
    const records = text
      .trim()
      .split('\n')
      .map((record) => JSON.parse(record));
    expect(records.at(-1)).toEqual({ leftOut: 0, reason: 'not a record' });
    const times = records.slice(0, -1).map(({ time }) => time);
    // Of five megabytes, the last two; the line that was cut is left out.
    expect(times.length).toBeGreaterThan(380);
    expect(times).toEqual(Array.from({ length: times.length }, (_, n) => 1_001 - times.length + n));
    expect(times.length).toBeLessThan(420);
    // In small pieces, as from a pipe.
    const pieces = Readable.from(stdin.match(/[\s\S]{1,4096}/g) ?? [], { objectMode: false });
    const { files } = await filesOf(source({ log: pieces }));
    expect(fileOf(files, 'log.jsonl')).toBe(text);
  });

  it('creates a file readable by its owner only, and overwrites none', async () => {
    const out = join(directory, 'support.zip');
    const said = await simcube.run(['support-bundle', '--out', out], { readOnly: true });
    expect(said).toMatchObject({ failed: false, errors: '' });
    expect(said.out.split('\n')[0]).toBe(out);
    expect(said.out).toContain(
      'without log.jsonl: the log is written to standard output; name a file with --log FILE',
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect(fileOf(unzip(await readFile(out)), 'README.txt')).toContain('Support bundle of SimCube');
    expect((await simcube.run(['support-bundle', '--out', out])).failed).toBe(true);
  });
});

it('every file of a bundle is listed in its README and the documentation', async () => {
  const { files } = await filesOf(source());
  const documentation = await readFile(join(projectRoot, 'docs/operations.md'), 'utf8');
  for (const { name, holds } of bundleParts) {
    expect(fileOf(files, 'README.txt'), name).toContain(`${name}: `);
    expect(documentation, name).toContain(`| \`${name}\``);
    expect(documentation, name).toContain(holds);
  }
});
