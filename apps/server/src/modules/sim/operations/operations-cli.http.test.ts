import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@simcube/contract';
import { lifecycleNumbers } from '@simcube/contract/sim';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sentenceOf } from '../../../platform/cli/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeBundle, makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { operateCommand } from './operations.cli.ts';

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let user: TestClient;
let email: string;
let directory: string;
const said: string[] = [];

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  user = await signedInAs(test, 'user', acme);
  const { rows } = await test.database.pool.query('select email from users where id = $1', [user.userId]);
  email = rows[0].email;
  directory = await mkdtemp(join(tmpdir(), 'simcube-operate-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await test.close();
});
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, 'info').mockImplementation((line: string) => void said.push(line));
});
afterEach(() => vi.restoreAllMocks());

const run = async (...args: string[]): Promise<void> => {
  const { sim, bundle, sms } = test.wiring;
  const program = new Command().exitOverride();
  operateCommand(program, (work) => work({ pool: test.database.pool, clock: test.clock, sim, bundle, sms }));
  // As the program prints it.
  await program.parseAsync(['node', 'sims', 'operate', ...args, '--for', email]).catch((error: unknown) => {
    throw new Error(sentenceOf(error));
  });
};
const lifecycleOf = async (iccid: string) =>
  (await test.database.pool.query('select lifecycle from sims where iccid = $1', [iccid])).rows[0].lifecycle;

describe('simcube sims operate', () => {
  it('operates on the SIMs of a file in a person’s name, whatever that person’s permissions', async () => {
    const sims = [await makeSim(test.database.pool, acme.id), await makeSim(test.database.pool, acme.id)];
    const file = join(directory, 'iccids.csv');
    await writeFile(file, ['ICCID,name', ...sims.map(({ iccid }) => `"${iccid}",x`)].join('\r\n'));
    await run('suspend', '--iccids', file);
    expect(said).toEqual([expect.stringMatching(/^T\d{8}\t2 SIMs$/)]);
    await runJobs(test.database, test.wiring.jobs);
    for (const { iccid } of sims) expect(await lifecycleOf(iccid)).toBe(30);
    const { rows } = await test.database.pool.query(
      `select action, actor_kind from audit_entries where org_id = $1 and action like 'sims.%'`,
      [acme.id],
    );
    expect(rows).toEqual([{ action: 'sims.suspension-ordered', actor_kind: 'operator' }]);
  });

  it('suspends A2P MT SMS and resumes it', async () => {
    const sim = await makeSim(test.database.pool, acme.id, { tags: ['quiet'] });
    const suspended = async () => {
      await runJobs(test.database, test.wiring.jobs);
      return (await user.call(endpoints.sim.basic, { query: { iccid: sim.iccid } })).body.data?.sms_suspended;
    };
    await run('sms-suspend', '--filter', '{"tags":["quiet"],"sms_suspended":false}');
    expect(await suspended()).toBe(true);
    await run('sms-resume', '--filter', '{"sms_suspended":true}');
    expect(await suspended()).toBe(false);
    const { rows } = await test.database.pool.query(
      `select kind, actor from sim_events e join sims s on s.id = e.sim_id where s.iccid = $1 order by e.id`,
      [sim.iccid],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['sms-suspended', 'sms-resumed']);
  });

  it('records what is set, in the audit trail and with the task, as the console does', async () => {
    const admin = await signedInAs(test, 'admin', acme);
    const { iccid } = await makeSim(test.database.pool, acme.id, { tags: ['old'] });
    const selection = { iccids: [iccid] };
    const file = join(directory, 'meter.txt');
    await writeFile(file, iccid);
    const body = { selection, preview: false };
    const orders = [
      {
        args: ['device-name', '--value', 'Meter 7'],
        ordered: () => admin.call(endpoints.sim.setDeviceName, { body: { ...body, device_name: 'Meter 7' } }),
        recorded: { set: { device_name: 'Meter 7' }, remark: 'Meter 7' },
      },
      {
        args: ['notes', '--clear'],
        ordered: () => admin.call(endpoints.sim.saveNote, { body: { ...body, notes: '' } }),
        recorded: { set: { notes: null }, remark: null },
      },
      {
        args: ['tags', '--add', 'new', 'newer', '--remove', 'old'],
        ordered: () =>
          admin.call(endpoints.sim.saveTag, { body: { ...body, add: ['new', 'newer'], remove: ['old'] } }),
        recorded: { set: { add: ['new', 'newer'], remove: ['old'] }, remark: '+new +newer −old' },
      },
    ];
    for (const { args, ordered, recorded } of orders) {
      await run(...args, '--iccids', file);
      await runJobs(test.database, test.wiring.jobs);
      expect((await ordered()).body.status.code).toBe('CB-00-0000');
      await runJobs(test.database, test.wiring.jobs);
      const { rows } = await test.database.pool.query(
        `select a.actor_kind, a.after - '{sims,refused}'::text[] as "set", t.remark
         from audit_entries a join tasks t on t.id = substr(a.subject_id, 2)::bigint
         where a.org_id = $1 and a.action = 'sims.update-ordered' order by a.number desc limit 2`,
        [acme.id],
      );
      expect(rows).toEqual([
        { actor_kind: 'person', ...recorded },
        { actor_kind: 'operator', ...recorded },
      ]);
    }
  });

  it('previews the SIMs of a filter', async () => {
    const tags = ['shown'];
    const sim = await makeSim(test.database.pool, acme.id, { tags });
    await makeSim(test.database.pool, acme.id, { tags, lifecycle: 'terminated' });
    await run('tags', '--filter', '{"tags":["shown"]}', '--add', 'new', '--preview', '--json');
    expect(JSON.parse(said[0] ?? '')).toMatchObject({
      task: null,
      preview: { selected: 2, changing: 1, refused: [{ code: 'CB-01-0009', count: 1 }] },
    });
    expect(await lifecycleOf(sim.iccid)).toBe(23);
  });

  it('transfers to any organisation, for a person who is an admin of neither', async () => {
    const branch = await makeOrganisation(test, { code: 'acme-branch' });
    const sims = [await makeSim(test.database.pool, acme.id), await makeSim(test.database.pool, acme.id)];
    const file = join(directory, 'moving.txt');
    await writeFile(file, sims.map(({ iccid }) => iccid).join('\n'));
    const owners = async () =>
      (
        await test.database.pool.query('select distinct org_id from sims where iccid = any($1)', [
          sims.map(({ iccid }) => iccid),
        ])
      ).rows.map((row) => row.org_id);
    await run('transfer', '--to', 'ACME-branch', '--iccids', file, '--preview');
    expect(said).toEqual(['2 SIMs, 2 would be changed']);
    await run('transfer', '--to', 'ACME-branch', '--iccids', file, '--yes');
    expect(said[1]).toMatch(/^T\d{8}\t2 SIMs$/);
    await runJobs(test.database, test.wiring.jobs);
    expect(await owners()).toEqual([branch.id]);
    const { rows } = await test.database.pool.query(
      `select distinct kind, facts ->> 'from' as "from", facts ->> 'to' as "to" from sim_events e
       join sims s on s.id = e.sim_id where s.iccid = $1 and kind = 'transferred'`,
      [sims[0]?.iccid],
    );
    expect(rows).toEqual([{ kind: 'transferred', from: 'acme', to: 'acme-branch' }]);

    // They no longer belong to the person's organisation.
    await expect(run('transfer', '--to', 'acme-branch', '--iccids', file, '--yes')).rejects.toThrow(
      'The ICCID does not belong to this organisation.',
    );
    await expect(run('transfer', '--to', 'nowhere', '--iccids', file)).rejects.toThrow(
      'The organisation does not exist.',
    );
    await expect(run('transfer', '--to', 'acme', '--iccids', file)).rejects.toThrow(
      'The SIM is already in this organisation.',
    );
    await expect(run('transfer', '--iccids', file)).rejects.toThrow(
      'Name the organisation that receives the SIMs with --to',
    );
  });

  it.each([
    { operation: ['activate'], lifecycle: 'pre-activated' },
    { operation: ['terminate'], lifecycle: 'active' },
    { operation: ['transfer', '--to', 'acme-branch'], lifecycle: 'active' },
  ] as const)('only previews $operation.0 without --yes', async ({ operation, lifecycle }) => {
    const [name] = operation;
    const tag = `${name.slice(0, 4)}-only`;
    const sim = await makeSim(test.database.pool, acme.id, { tags: [tag], lifecycle });
    await test.database.pool.query(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at)
       values ($1, $2, $3, 'pending', '2026-11-01')`,
      [sim.id, acme.id, await makeBundle(test.database.pool, { code: tag })],
    );
    const args = [...operation, '--filter', JSON.stringify({ tags: [tag] })];
    await expect(run(...args)).rejects.toThrow(`Nothing was done: add --yes to ${name} these SIMs`);
    expect(said).toEqual(['1 SIMs, 1 would be changed']);
    await run(...args, '--preview');
    await runJobs(test.database, test.wiring.jobs);
    const { rows } = await test.database.pool.query('select lifecycle, org_id from sims where iccid = $1', [
      sim.iccid,
    ]);
    expect(rows).toEqual([{ lifecycle: lifecycleNumbers[lifecycle], org_id: acme.id }]);
  });

  it('terminates with --yes', async () => {
    const { iccid } = await makeSim(test.database.pool, acme.id, { tags: ['scrapped'] });
    await run('terminate', '--filter', '{"tags":["scrapped"]}', '--yes');
    await runJobs(test.database, test.wiring.jobs);
    expect(await lifecycleOf(iccid)).toBe(50);
  });

  it.each(['{}', '{"tags":[]}'])('needs --all for every SIM, rather than the filter %s', async (filter) => {
    await makeSim(test.database.pool, acme.id);
    await expect(run('suspend', '--filter', filter)).rejects.toThrow('if that is meant, use --all instead');
    await run('suspend', '--all', '--preview', '--json');
    const { rows } = await test.database.pool.query<{ count: number }>(
      'select count(*)::int as count from sims where org_id = $1',
      [acme.id],
    );
    expect(JSON.parse(said[0] ?? '')).toMatchObject({ task: null, preview: { selected: rows[0]?.count } });
  });

  it('does nothing when a line of the file is no ICCID, or an option is none of the operation', async () => {
    const sim = await makeSim(test.database.pool, acme.id);
    const file = join(directory, 'mistyped.csv');
    await writeFile(file, `ICCID;name\n${sim.iccid};x\n894902000000;y\n`);
    await expect(run('suspend', '--iccids', file)).rejects.toThrow('Line 3: not an ICCID: 894902000000');
    const filter = ['--filter', '{"tags":["meter"]}'];
    await expect(run('suspend', ...filter, '--to', 'acme-branch')).rejects.toThrow(
      '--to is not an option of suspend',
    );
    await expect(run('tags', ...filter, '--value', 'x')).rejects.toThrow('--value is not an option of tags');
    await expect(run('tags', ...filter)).rejects.toThrow('Name the tags with --add or --remove');
    await expect(run('notes', ...filter)).rejects.toThrow(
      'Give the notes with --value, or clear it with --clear',
    );
    expect(await lifecycleOf(sim.iccid)).toBe(23);
  });

  it('reports why nothing is done', async () => {
    const filter = JSON.stringify({ search: 'no such device' });
    await expect(run('reset', '--filter', filter)).rejects.toThrow('Please select at least one SIM.');
    await expect(run('explode', '--filter', filter)).rejects.toThrow('There is no operation explode');
    await expect(run('reset')).rejects.toThrow('Name the SIMs with --iccids, --filter or --all');
  });
});
