import { endpoints } from '@simcube/contract';
import type { DataState, SimData } from '@simcube/contract/sim';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { predictAccess } from '../modules/aaa/index.ts';
import { simItems } from '../modules/sim/index.ts';
import { startWork } from '../modules/task/index.ts';
import { inTransaction } from '../platform/db/index.ts';
import { signedInAs, type TestApp, type TestClient, testApp } from '../testing/app.ts';
import { bundleOf, type TestSim, testBundles } from '../testing/bundles.ts';
import { runJobs } from '../testing/jobs.ts';

const { sim, bundle } = endpoints;
const start = '2026-11-21T12:00:00Z';
const cycleEnd = '2026-11-21T16:00:00.000Z';

let test: TestApp;
let bundles: Awaited<ReturnType<typeof testBundles>>;
let operator: TestClient;
let one: TestSim;

beforeAll(async () => {
  test = await testApp();
  bundles = await testBundles(test.database, [bundleOf({ code: 'day', reset_cycle: 'day' })]);
  const { rows } = await test.database.pool.query(
    `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
    [bundles.orgId],
  );
  operator = await signedInAs(test, 'operator', rows[0]);
});
afterAll(() => test.close());
beforeEach(async () => {
  test.clock.set(start);
  one = await bundles.sim('active');
  await bundles.order([one], 'day', test.clock.now());
});

const set = (columns: string) =>
  test.database.pool.query(`update sim_live set ${columns} where sim_id = $1`, [one.id]);

/** What a rule does to the SIM. */
const operate = async (rateKbps: number | null) => {
  await inTransaction(test.database.pool, (tx) =>
    startWork(tx, {
      type: rateKbps === null ? 'sim-data-off' : 'sim-slow-down',
      parameters: rateKbps === null ? {} : { rate_kbps: rateKbps },
      orgId: bundles.orgId,
      userId: operator.userId,
      remark: null,
      at: test.clock.now(),
      access: null,
      actor: { kind: 'system', id: null, name: 'Rule', address: null, traceId: null, action: undefined },
      kind: simItems,
      items: [{ ref: one.id, label: one.iccid }],
    }),
  );
  await runJobs(test.database, test.wiring.jobs);
};
const resume = async () => {
  const body = { selection: { iccids: [one.iccid] }, preview: false };
  const answer = await operator.call(sim.resume, { body });
  await runJobs(test.database, test.wiring.jobs);
  return answer;
};

const findsIn = async (states: DataState[]) => {
  const data_state = states.filter((state) => state !== 'open');
  const { body } = await operator.call(sim.list, { body: { data_state, search: one.iccid } });
  return body.data.length === 1;
};
/** The SIM's data, which is the same everywhere; in lists it is found by its state. */
const shown = async (): Promise<SimData> => {
  const query = { iccid: one.iccid };
  const [list, basic, details, policy, access] = await Promise.all([
    operator.call(sim.list, { body: { search: one.iccid } }),
    operator.call(sim.basic, { query }),
    operator.call(bundle.simDetails, { query }),
    operator.call(bundle.overusePolicy, { params: query }),
    predictAccess(test.database.pool, { imsi: one.imsi, apn: undefined, plmn: null, now: test.clock.now() }),
  ]);
  const { data } = basic.body.data;
  expect(basic.body.data.data_state).toBe(data.state);
  expect(list.body.data[0]?.data).toEqual(data);
  expect(details.body.data.basic.data).toEqual(data);
  expect(policy.body.data).toMatchObject({ data, data_state: data.state });
  expect(access.accept).toBe(data.state !== 'stopped');
  if (access.accept) expect(access.rateKbps).toBe(data.kbps);
  expect(await findsIn(['slowed', 'stopped'])).toBe(data.state !== 'open');
  expect(await findsIn(['slowed'])).toBe(data.state === 'slowed');
  expect(await findsIn(['stopped'])).toBe(data.state === 'stopped');
  return data;
};
const open = { state: 'open', kbps: null, restrictions: [] };

describe('a SIM’s data is the same in list, page and network:', () => {
  it('open without restrictions', async () => {
    expect(await shown()).toEqual(open);
    expect((await resume()).body.status.code).toBe('CB-01-0016');
  });

  it.each([
    [null, 'stopped'],
    [256, 'slowed'],
  ] as const)('held by a rule (rate %s) until the cycle ends', async (kbps, state) => {
    await operate(kbps);
    const restrictions = [{ by: 'rule', kbps, until: cycleEnd }];
    expect(await shown()).toEqual({ state, kbps, restrictions });
    test.clock.set(cycleEnd);
    expect(await shown()).toEqual(open);
  });

  it('held by a rule until somebody resumes it', async () => {
    await operate(null);
    expect((await shown()).state).toBe('stopped');
    expect((await resume()).http).toBe(200);
    expect(await shown()).toEqual(open);
  });

  it('stopped by its pool until then, also if it is resumed', async () => {
    const until = '2026-11-21T14:00:00.000Z';
    await set(`pool_stopped_until = '${until}'`);
    expect(await shown()).toEqual({
      state: 'stopped',
      kbps: null,
      restrictions: [{ by: 'pool', kbps: null, until }],
    });
    expect((await resume()).body.status.code).toBe('CB-01-0016');
    test.clock.set(until);
    expect(await shown()).toEqual(open);
  });

  it('stopped by one restriction and slowed by another, each named', async () => {
    await set('data_state = 1, rate_kbps = 256, over_limit = true');
    expect(await shown()).toMatchObject({ state: 'slowed', kbps: 256 });
    await operate(128);
    expect(await shown()).toMatchObject({ state: 'slowed', kbps: 128 });
    await operate(null);
    expect(await shown()).toEqual({
      state: 'stopped',
      kbps: null,
      restrictions: [
        { by: 'quota', kbps: 256, until: cycleEnd },
        { by: 'rule', kbps: null, until: cycleEnd },
      ],
    });
    await resume();
    expect(await shown()).toMatchObject({ state: 'slowed', kbps: 256 });
  });

  it('stopped by its quota until the cycle ends, or without an end', async () => {
    await set('data_state = 2, over_limit = true');
    expect((await shown()).restrictions).toEqual([{ by: 'quota', kbps: null, until: cycleEnd }]);
    await set('cycle_ends_at = null');
    expect((await shown()).restrictions).toEqual([{ by: 'quota', kbps: null, until: null }]);
    await set(`cycle_ends_at = '${start}'`);
    expect(await shown()).toEqual(open);
  });
});
