import { endpoints } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { phrase } from '@simcube/phrases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';

const { sim, task } = endpoints;
type Operation = typeof sim.suspend | typeof sim.resume | typeof sim.reset | typeof sim.terminate;

const notPaused = 'Only paused SIMs, and SIMs whose data a rule restricts, can be resumed.';
let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let admin: TestClient;
let operator: TestClient;
let user: TestClient;
let foreign: { iccid: string };

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  const other = await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', acme);
  operator = await signedInAs(test, 'operator', acme);
  user = await signedInAs(test, 'user', acme);
  foreign = await makeSim(test.database.pool, other.id);
});
afterAll(() => test.close());

const make = (facts: Parameters<typeof makeSim>[2] = {}) => makeSim(test.database.pool, acme.id, facts);
const work = () => runJobs(test.database, test.wiring.jobs);
const named = (...sims: { iccid: string }[]): SimSelection => ({ iccids: sims.map(({ iccid }) => iccid) });
const row = async (iccid: string) =>
  (
    await test.database.pool.query('select lifecycle, device_name, notes, tags from sims where iccid = $1', [
      iccid,
    ])
  ).rows[0];
const events = async (iccid: string, kind: string) =>
  (
    await test.database.pool.query(
      `select e.facts, e.actor, e.task_id, e.trace_id from sim_events e join sims s on s.id = e.sim_id
       where s.iccid = $1 and e.kind = $2`,
      [iccid, kind],
    )
  ).rows;
const itemsOf = async (client: TestClient, reference: string) =>
  (await client.call(task.listItems, { params: { taskReference: reference }, query: { page_size: 100 } }))
    .body.data ?? [];
const operate = (client: TestClient, operation: Operation, selection: SimSelection, preview = false) =>
  client.call(operation, { body: { selection, preview } });

describe('suspend and resume', () => {
  it('are tasks: accepted, processed in the background, recorded in the events of each SIM', async () => {
    const [a, b] = [await make(), await make()];
    const { http, body } = await operate(operator, sim.suspend, named(a, b, a));
    expect(http).toBe(200);
    expect(body.data).toMatchObject({ preview: null, task: { quantity: 2 } });
    const reference = body.data?.task?.reference_id ?? '';
    expect(await row(a.iccid)).toMatchObject({ lifecycle: 23 });
    await work();
    expect(await row(a.iccid)).toMatchObject({ lifecycle: 30 });
    expect(await events(b.iccid, 'lifecycle-changed')).toEqual([
      {
        facts: { from: 'active', to: 'paused', reason: 'suspend' },
        actor: 'operator Tester',
        task_id: reference,
        trace_id: body.trace_id,
      },
    ]);
    const mine = await operator.call(task.getMine, { params: { taskReference: reference } });
    expect(mine.body.data).toMatchObject({
      type: 'sim-suspend',
      status: 'done',
      result: { accepted: 2, refused: 0 },
    });
    await operate(operator, sim.resume, named(a, b));
    await work();
    expect(await row(a.iccid)).toMatchObject({ lifecycle: 23 });
  });

  it('are not permitted for users', async () => {
    const a = await make();
    expect(await operate(user, sim.suspend, named(a))).toMatchObject({ http: 403 });
  });

  it.each([
    [sim.suspend, 'pre-activated', 'CB-01-0015', 'Only active SIMs can be suspended.'],
    [sim.suspend, 'paused', 'CB-01-0015', 'Only active SIMs can be suspended.'],
    [sim.suspend, 'expired', 'CB-01-0009', 'Operation not allowed for expired or terminated SIMs.'],
    [sim.suspend, 'terminated', 'CB-01-0009', 'Operation not allowed for expired or terminated SIMs.'],
    [sim.resume, 'active', 'CB-01-0016', notPaused],
    [sim.resume, 'pre-activated', 'CB-01-0016', notPaused],
    [sim.resume, 'expired', 'CB-01-0009', 'Operation not allowed for expired or terminated SIMs.'],
    [sim.reset, 'expired', 'CB-01-0009', 'Operation not allowed for expired or terminated SIMs.'],
    [sim.reset, 'terminated', 'CB-01-0009', 'Operation not allowed for expired or terminated SIMs.'],
  ] as const)(
    '%# are refused with the reason when none can be done',
    async (operation, lifecycle, code, message) => {
      const a = await make({ lifecycle });
      const { http, body } = await operate(operator, operation, named(a));
      expect([http, body.status.code, body.status.message]).toEqual([409, code, message]);
    },
  );

  it('reject SIMs of other organisations, and an empty selection', async () => {
    const answer = await operate(operator, sim.suspend, named(foreign));
    expect([answer.http, answer.body.status.code]).toEqual([404, 'CB-01-0012']);
    const none = await operate(operator, sim.suspend, { filter: { search: 'nothing is called so' } });
    expect([none.http, none.body.status.message]).toEqual([400, 'Please select at least one SIM.']);
  });

  it('are previewed exactly', async () => {
    const tags = ['preview'];
    const good = [await make({ tags }), await make({ tags })];
    const paused = await make({ tags, lifecycle: 'paused' });
    const over = await make({ tags, lifecycle: 'terminated' });
    const iccids = [...good, paused, over, foreign].map(({ iccid }) => iccid);
    const preview = await operate(operator, sim.suspend, { iccids }, true);
    expect(preview.body.data?.preview).toMatchObject({ selected: 5, changing: 2 });
    expect(preview.body.data?.task).toBeNull();
    const refused = new Map(
      preview.body.data?.preview?.refused.flatMap(({ code, iccids: of }) => of.map((iccid) => [iccid, code])),
    );
    expect(refused).toEqual(
      new Map([
        [paused.iccid, 'CB-01-0015'],
        [over.iccid, 'CB-01-0009'],
        [foreign.iccid, 'CB-01-0012'],
      ]),
    );
    const { body } = await operate(operator, sim.suspend, { iccids });
    await work();
    const items = await itemsOf(operator, body.data?.task?.reference_id ?? '');
    expect(items.map(({ label, state, code }) => [label, state, code])).toEqual(
      iccids.map((iccid) => [iccid, refused.has(iccid) ? 'refused' : 'done', refused.get(iccid) ?? null]),
    );
  });

  it('apply to everything that matches a filter, except excluded SIMs', async () => {
    const tags = ['by filter'];
    const sims = [await make({ tags }), await make({ tags }), await make({ tags })];
    const except = [sims[1]?.iccid ?? ''];
    const { body } = await operate(operator, sim.suspend, { filter: { tags }, except });
    expect(body.data?.task?.quantity).toBe(2);
    await work();
    const lifecycles = await Promise.all(sims.map(async ({ iccid }) => (await row(iccid)).lifecycle));
    expect(lifecycles).toEqual([30, 23, 30]);
  });

  it('respond in the caller’s language', async () => {
    const a = await make({ lifecycle: 'paused' });
    const { body } = await operator.call(
      sim.suspend,
      { body: { selection: named(a), preview: true } },
      { headers: { 'accept-language': 'es-ES' } },
    );
    expect(body.data?.preview?.refused[0]?.message).toBe(phrase('es-ES', 'errors.notActive'));
  });
});

describe('a termination', () => {
  it('ends SIMs permanently, once, and records it in their events; expired ones end with their grace period', async () => {
    const lifecycles = ['pre-activated', 'active', 'paused'] as const;
    const sims = await Promise.all(lifecycles.map((lifecycle) => make({ lifecycle })));
    const over = await make({ lifecycle: 'terminated' });
    const expired = await make({ lifecycle: 'expired' });
    const selection = named(...sims, over, expired, foreign);
    const preview = await operate(admin, sim.terminate, selection, true);
    expect(preview.body.data?.preview).toMatchObject({
      selected: 6,
      changing: 3,
      refused: [
        { code: 'CB-01-0026', iccids: [over.iccid] },
        { code: 'CB-01-0009', iccids: [expired.iccid] },
        { code: 'CB-01-0012' },
      ],
    });
    const { body } = await operate(admin, sim.terminate, selection);
    const reference = body.data?.task?.reference_id ?? '';
    await work();
    for (const [index, { iccid }] of sims.entries()) {
      expect(await row(iccid)).toMatchObject({ lifecycle: 50 });
      expect(await events(iccid, 'lifecycle-changed')).toEqual([
        {
          facts: { from: lifecycles[index], to: 'terminated', reason: 'termination' },
          actor: 'admin Tester',
          task_id: reference,
          trace_id: body.trace_id,
        },
      ]);
    }
    for (const { iccid } of [over, expired]) expect(await events(iccid, 'lifecycle-changed')).toEqual([]);
    expect((await itemsOf(admin, reference)).map(({ code }) => code)).toEqual([
      ...[null, null, null],
      'CB-01-0026',
      'CB-01-0009',
      'CB-01-0012',
    ]);
    const again = await operate(admin, sim.terminate, named(...sims));
    expect([again.http, again.body.status.code, again.body.status.message]).toEqual([
      409,
      'CB-01-0026',
      'The SIM is already terminated.',
    ]);
    const resumed = await operate(admin, sim.resume, named(...sims));
    expect(resumed.body.status.code).toBe('CB-01-0009');
  });

  it('requires an administrator, for SIMs of the current organisation', async () => {
    const a = await make();
    for (const client of [user, operator]) {
      const refused = await operate(client, sim.terminate, named(a));
      expect([refused.http, refused.body.status.code]).toEqual([403, 'CB-01-0014']);
    }
    const answer = await operate(admin, sim.terminate, named(foreign));
    expect([answer.http, answer.body.status.code]).toEqual([404, 'CB-01-0012']);
    expect(await row(foreign.iccid)).toMatchObject({ lifecycle: 23 });
  });

  it('and a concurrent suspension exclude each other', async () => {
    const a = await make();
    const answers = await Promise.all([
      operate(admin, sim.terminate, named(a)),
      operate(operator, sim.suspend, named(a)),
    ]);
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 409]);
    await work();
    expect(await events(a.iccid, 'lifecycle-changed')).toHaveLength(1);
  });
});

describe('two operations on one SIM', () => {
  it('never overlap: the SIM is busy until the first has ended', async () => {
    const [a, b] = [await make(), await make()];
    await operate(operator, sim.suspend, named(a));
    const second = await operate(admin, sim.reset, named(a));
    expect([second.http, second.body.status.code]).toEqual([409, 'CB-01-0011']);
    const preview = await operate(admin, sim.reset, named(a, b), true);
    expect(preview.body.data?.preview).toMatchObject({ changing: 1, refused: [{ code: 'CB-01-0011' }] });
    await work();
    expect((await operate(admin, sim.reset, named(a))).http).toBe(200);
    await work();
  });

  it('that are requested concurrently: one of them gets it', async () => {
    const sims = await Promise.all(Array.from({ length: 10 }, () => make()));
    const answers = await Promise.all([
      operate(operator, sim.suspend, named(...sims)),
      operate(admin, sim.suspend, named(...sims.toReversed())),
    ]);
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ http }) => http === 409)?.body.status.code).toBe('CB-01-0011');
    await work();
    for (const { iccid } of sims) expect(await events(iccid, 'lifecycle-changed')).toHaveLength(1);
  });

  it('are decided again on what changed between acceptance and processing', async () => {
    const a = await make();
    const { body } = await operate(operator, sim.suspend, named(a));
    await test.database.pool.query('update sims set lifecycle = 50 where iccid = $1', [a.iccid]);
    await work();
    expect(await itemsOf(operator, body.data?.task?.reference_id ?? '')).toMatchObject([
      { state: 'refused', code: 'CB-01-0009' },
    ]);
  });
});

describe('device names, notes and tags', () => {
  const tagCounts = async () =>
    Object.fromEntries(
      ((await user.call(sim.listTags, { body: {} })).body.data ?? []).map(({ tag, sims }) => [tag, sims]),
    );

  it('are set, cleared and recorded', async () => {
    const a = await make({ deviceName: 'Pump', notes: 'old', tags: ['x'] });
    const set = (deviceName: string | null) =>
      admin.call(sim.setDeviceName, {
        body: { selection: named(a), device_name: deviceName, preview: false },
      });
    await set('Pump 7');
    await work();
    await admin.call(sim.saveNote, { body: { selection: named(a), notes: null, preview: false } });
    await work();
    await admin.call(sim.saveTag, {
      body: { selection: named(a), add: ['new', 'x'], remove: [], preview: false },
    });
    await work();
    expect(await row(a.iccid)).toEqual({
      lifecycle: 23,
      device_name: 'Pump 7',
      notes: null,
      tags: ['x', 'new'],
    });
    expect(await events(a.iccid, 'updated')).toMatchObject([
      { facts: { device_name_before: 'Pump', device_name: 'Pump 7' }, actor: 'admin Tester' },
      { facts: { notes: true } },
    ]);
    expect(await events(a.iccid, 'tags-changed')).toMatchObject([
      { facts: { tags_before: 'x', tags: 'x, new' } },
    ]);
    await set('');
    await work();
    expect(await row(a.iccid)).toMatchObject({ device_name: null });
    await set(null);
    await work();
    expect(await events(a.iccid, 'updated')).toHaveLength(3);
  });

  it('require an administrator, with the message of the specification', async () => {
    const a = await make();
    const { http, body } = await operator.call(sim.saveTag, {
      body: { selection: named(a), add: ['a'], remove: [], preview: false },
    });
    expect([http, body.status.message]).toEqual([
      403,
      'Only administrators are allowed to perform this operation',
    ]);
  });

  it('have a maximum of ten tags', async () => {
    const tags = Array.from({ length: 9 }, (_, index) => `t${index}`);
    const a = await make({ tags });
    const save = (add: string[], remove: string[] = []) =>
      admin.call(sim.saveTag, { body: { selection: named(a), add, remove, preview: false } });
    const { http, body } = await save(['a', 'b']);
    expect([http, body.status.code, body.status.message]).toEqual([
      409,
      'CB-01-0017',
      'A SIM has at most 10 tags.',
    ]);
    expect((await save(['a', 'b'], ['t0'])).http).toBe(200);
    await work();
    expect((await row(a.iccid)).tags).toHaveLength(10);
    expect((await save(Array.from({ length: 6 }, (_, index) => `n${index}`))).http).toBe(400);
  });

  it.each([
    [[], [], 'add', 'required'],
    [['a', 'b'], ['c', 'b'], 'remove.1', 'duplicate'],
  ])('are not changed by adding %j and removing %j', async (add, remove, path, key) => {
    const a = await make({ tags: ['b'] });
    const { http, body } = await admin.call(sim.saveTag, {
      body: { selection: named(a), add, remove, preview: false },
    });
    expect([http, body.status.detail?.issues]).toEqual([400, [expect.objectContaining({ path, key })]]);
  });

  it('are counted by tag', async () => {
    const counted = async () => {
      const { rows } = await test.database.pool.query(
        'select tag, count(*) as sims from sims, unnest(tags) as tag where org_id = $1 group by 1',
        [acme.id],
      );
      return Object.fromEntries(rows.map(({ tag, sims }) => [tag, sims]));
    };
    expect(await tagCounts()).toEqual(await counted());
    const sims = await Promise.all(Array.from({ length: 30 }, () => make()));
    await admin.call(sim.saveTag, {
      body: { selection: named(...sims), add: ['most'], remove: [], preview: false },
    });
    await work();
    expect(await tagCounts()).toEqual(await counted());
    const found = await user.call(sim.listTags, { body: { search: 'MOS' } });
    expect(found.body.data).toEqual([{ tag: 'most', sims: 30 }]);
  });
});
