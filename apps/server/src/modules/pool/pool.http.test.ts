import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/db/index.ts';
import { expectFailure } from '../../testing/accounts.ts';
import {
  anonymous,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
  testPassword,
} from '../../testing/app.ts';
import { startBackground } from '../../testing/background.ts';
import { makeSim } from '../../testing/inventory.ts';
import { makePool, orderShared, type TestPool } from '../../testing/pools.ts';
import { operatorActor } from '../audit/index.ts';
import { addToPools } from './index.ts';
import { syncMemberships } from './membership/membership.service.ts';
import { setPool } from './pool.service.ts';

const { pool: calls } = endpoints;
const soon = { timeout: 30_000, interval: 20 };

let test: TestApp;
let background: Awaited<ReturnType<typeof startBackground>>;
let admin: TestClient;
let shared: TestPool;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let orgId: number;

beforeAll(async () => {
  test = await testApp();
  background = await startBackground(test);
  org = await makeOrganisation(test, { code: 'acme' });
  orgId = org.id;
  admin = await signedInAs(test, 'admin', org);
  shared = await makePool(test.database.pool, orgId, { now: test.clock.now(), activation_rule: 'pro-rata' });
});
afterAll(async () => {
  await background.stop();
  await test.close();
});

const params = () => ({ poolId: String(shared.id) });
const simWithOrder = async () => {
  const sim = await makeSim(test.database.pool, orgId, {});
  await orderShared(test.database.pool, shared, [sim.iccid], test.clock.now());
  return sim;
};
const members = async () => {
  const { body } = await admin.call(calls.sims, { params: params(), query: {} });
  return body.data.map(({ iccid, own_bytes }) => [iccid, own_bytes]);
};

describe('members of a manual pool', () => {
  it('are enrolled and removed by an administrator as a task, after a preview', async () => {
    const sim = await simWithOrder();
    const other = await makeSim(test.database.pool, orgId, {});
    const selection = { iccids: [sim.iccid, other.iccid] };
    const preview = await admin.call(calls.enrol, { params: params(), body: { selection, preview: true } });
    expect(preview.body.data.preview).toMatchObject({
      selected: 2,
      changing: 1,
      refused: [{ code: 'CB-03-0005', iccids: [other.iccid] }],
    });
    expect(await members()).toEqual([]);
    await admin.call(calls.enrol, { params: params(), body: { selection } });
    // The 21st of 30 days: 10 are left.
    await expect.poll(members, soon).toEqual([[sim.iccid, 333]]);
    const again = await admin.call(calls.enrol, {
      params: params(),
      body: { selection: { iccids: [sim.iccid] } },
    });
    expect(again.body.status.code).toBe('CB-03-0003');
    const settings = await admin.call(calls.settings, { params: params() });
    expect(settings.body.data.terms).toEqual([{ kind: 'pro-rata', sims: 1, bytes: 333, at: null }]);

    await admin.call(calls.exit, { params: params(), body: { selection: { iccids: [sim.iccid] } } });
    await expect.poll(members, soon).toEqual([]);
    const { body } = await admin.call(calls.events, { query: params() });
    expect(body.data.map(({ kind, limit_after_bytes: limit }) => [kind, limit])).toEqual([
      ['SIM exit', 333],
      ['SIM enrollment', 333],
      ['pool setup', 0],
    ]);
    expect(body.data[0]).toMatchObject({ by: expect.any(String), task: expect.stringMatching(/^T/) });
    const [exit] = body.data;
    const detail = await admin.call(calls.eventDetail, { params: { poolEventId: exit?.id ?? '' } });
    expect(detail.body.data.facts).toMatchObject({ reason: 'ordered', iccids: [sim.iccid] });
    const activity = await admin.call(calls.activity, { params: params(), query: {} });
    expect(activity.body.data.map(({ kind }) => kind)).toEqual(['left', 'activated', 'joined']);
  });
});

describe('the sign-in and the current permissions', () => {
  it('name the pools of the organisation to those who may see pools', async () => {
    const named = async (client: TestClient) => {
      const { userId } = client;
      const { rows } = await test.database.pool.query('select email from users where id = $1', [userId]);
      const body = { email: rows[0].email, password: testPassword, agreement: true };
      const answers = await Promise.all([
        anonymous(test).call(endpoints.identity.signIn, { body }),
        client.call(endpoints.account.refreshPermissions),
      ]);
      return answers.map((answer) => answer.body.data.sharedPool);
    };
    const ids = [String(shared.id)];
    expect(await named(admin)).toEqual([ids, ids]);
    expect(await named(await signedInAs(test, 'operator', org))).toEqual([[], []]);
  });
});

describe('a pool', () => {
  it('is renamed, to a name that is unique in the organisation', async () => {
    await makePool(test.database.pool, orgId, { now: test.clock.now(), name: 'Vans', bundle: 'VANS' });
    const taken = await admin.call(calls.rename, { params: params(), body: { name: 'VANS' } });
    expect([taken.http, taken.body.status.code]).toEqual([409, 'CB-03-0002']);
    const { body } = await admin.call(calls.rename, { params: params(), body: { name: 'Trucks Europe' } });
    expect(body.data.name).toBe('Trucks Europe');
    const list = await admin.call(calls.listOfOrganisation, { params: { orgCode: 'acme' }, query: {} });
    expect(list.body.data.map(({ name }) => name)).toEqual(['Trucks Europe', 'Vans']);
  });

  it('is found by name, state, policy and opt-in', async () => {
    const found = async (query: object) =>
      (await admin.call(calls.listPools, { query })).body.data.map(({ name }) => name);
    expect(await found({ search: 'VAN' })).toEqual(['Vans']);
    expect(await found({ state: 'within', opt_in: 'manual' })).toEqual(['Trucks Europe', 'Vans']);
    expect(await found({ state: 'over' })).toEqual([]);
    expect(await found({ policy: 'no limit' })).toEqual([]);
  });

  it('records its limit before and after in its events, and limit events can be filtered', async () => {
    const lorries = await makePool(test.database.pool, orgId, {
      now: test.clock.now(),
      name: 'Lorries',
      bundle: 'LORRIES',
    });
    await lorries.raise(500, test.clock.now());
    await lorries.raise(-200, test.clock.now());
    const query = { poolId: String(lorries.id), group: 'limit' } as const;
    const { body } = await admin.call(calls.events, { query });
    expect(body.data).toMatchObject([
      { kind: 'pool limit decrease', limit_before_bytes: 500, limit_after_bytes: 300, used_bytes: 0 },
      { kind: 'pool limit increase', limit_before_bytes: 0, limit_after_bytes: 500, used_bytes: 0 },
    ]);
    const poolEventId = body.data[0]?.id ?? '';
    const detail = await admin.call(calls.eventDetail, { params: { poolEventId } });
    expect(detail.body.data).toMatchObject({ facts: { bytes: -200, every_cycle: false } });
  });

  it('has the limit of each day in its line chart, including members that became active with a pending order', async () => {
    const now = test.clock.now();
    const ago = (days: number) => new Date(now.getTime() - days * dayMs);
    const coaches = await makePool(test.database.pool, orgId, {
      now: ago(15),
      name: 'Coaches',
      bundle: 'COACH',
    });
    await coaches.raise(500, ago(12));
    const { id, iccid } = await makeSim(test.database.pool, orgId, {});
    await coaches.enrol([id], ago(9));
    await orderShared(test.database.pool, coaches, [iccid], ago(6));
    await inTransaction(test.database.pool, (tx) => syncMemberships(tx, { simIds: [id], now: ago(6) }));
    await coaches.raise(-100, ago(3));
    const { body } = await admin.call(calls.lineChart, { params: { poolId: String(coaches.id) }, query: {} });
    const limits = body.data.days.map(({ day, limit_bytes: limit }) => [day.slice(8), limit]);
    const turns = limits.filter(([, limit], index) => limit !== limits[index - 1]?.[1]);
    expect(turns).toEqual([
      ['01', 0],
      ['09', 500],
      ['15', 1500],
      ['18', 1400],
    ]);
  });

  it('that is not stopped beyond its limit reports that no SIM would be stopped', async () => {
    const buses = await makePool(test.database.pool, orgId, {
      now: test.clock.now(),
      name: 'Buses',
      bundle: 'BUSES',
      policy: 'no limit',
    });
    const { id, iccid } = await makeSim(test.database.pool, orgId, {});
    await orderShared(test.database.pool, buses, [iccid], test.clock.now());
    await buses.enrol([id], test.clock.now());
    await addToPools(test.database.pool, [{ simId: id, at: test.clock.now().getTime(), up: 2000, down: 0 }]);
    const params = { poolId: String(buses.id) };
    const { body } = await admin.call(calls.detail, { params });
    expect(body.data).toMatchObject({ overage_sims: 1, stopped_sims: 0 });
    const live = await admin.call(calls.realTimeData, { params });
    expect(live.body.data).toMatchObject({ stopped_sims: 0, would_stop_sims: 0 });
  });

  it('has the usage of current and former members, each counted once', async () => {
    const { pool } = test.database;
    const trams = await makePool(pool, orgId, { now: test.clock.now(), name: 'Trams', bundle: 'TRAMS' });
    const sims = [await makeSim(pool, orgId, {}), await makeSim(pool, orgId, {})];
    const iccidsOf = sims.map(({ iccid }) => iccid);
    await orderShared(pool, trams, iccidsOf, test.clock.now());
    const ids = sims.map(({ id }) => id);
    await trams.enrol(ids, test.clock.now());
    const at = test.clock.now().getTime();
    const used = ids.map((simId, place) => ({ simId, at, up: 100 * (place + 1), down: 0 }));
    await addToPools(pool, used);
    const params = { poolId: String(trams.id) };
    const figures = async () => {
      const detail = await admin.call(calls.detail, { params });
      const rows = await admin.call(calls.sims, { params, query: {} });
      const { used_bytes: all, former_members_bytes: former } = detail.body.data;
      return { all, former, members: rows.body.data.map((row) => row.used_bytes) };
    };
    expect(await figures()).toEqual({ all: 300, former: 0, members: [200, 100] });
    const leave = { params, body: { selection: { iccids: iccidsOf.slice(0, 1) }, preview: false } };
    await admin.call(calls.exit, leave);
    await expect.poll(figures, soon).toEqual({ all: 300, former: 100, members: [200] });
    // A returning SIM is a member again, with all of its usage.
    await orderShared(pool, trams, iccidsOf.slice(0, 1), test.clock.now());
    await trams.enrol(ids.slice(0, 1), test.clock.now());
    expect(await figures()).toEqual({ all: 300, former: 0, members: [200, 100] });
  });

  it('has a point for each day of its cycle and a bar for each hour of a day', async () => {
    const line = await admin.call(calls.lineChart, { params: params(), query: {} });
    expect(line.body.data.days).toHaveLength(30);
    expect(line.body.data.days[0]).toMatchObject({ day: '2026-11-01', used_bytes: 0, limit_bytes: 0 });
    expect(line.body.data.days[29]).toMatchObject({ day: '2026-11-30', limit_bytes: 333 });
    const early = { params: params(), query: { day: '1000-01-01' } };
    expectFailure(await admin.call(calls.barChart, early), 'CB-00-0400');
    const bars = await admin.call(calls.barChart, { params: params(), query: {} });
    expect(bars.body.data.hours).toHaveLength(24);
    const live = await admin.call(calls.realTimeData, { params: params() });
    expect(live.body.as_of).toBe(test.clock.now().toISOString());
    expect(live.body.data).toMatchObject({ used_bytes: 0, limit_bytes: 333, left_bytes: 333, over: false });
    expect((await admin.call(calls.simUsageRank, { params: params() })).body.data).toEqual([]);
  });

  it('that was renamed is still found by the operator’s definition, under any former name', async () => {
    const { pool } = test.database;
    const taxis = await makePool(pool, orgId, { now: test.clock.now(), name: 'Taxis', bundle: 'TAXIS' });
    const params = { poolId: String(taxis.id) };
    for (const name of ['Cabs', 'Cabs and more', 'Cabs Europe'])
      expect((await admin.call(calls.rename, { params, body: { name } })).http).toBe(200);
    const by = { actor: operatorActor(), at: test.clock.now() };
    const defined = (name: string) =>
      inTransaction(pool, (tx) => setPool(tx, { ...taxis.spec, name, policy: 'no limit' }, by));
    expect(await defined('TAXIS')).toMatchObject({
      isNew: false,
      changed: { policy: { after: 'no limit' } },
    });
    for (const name of ['Cabs', 'Cabs Europe'])
      expect(await defined(name)).toEqual({ isNew: false, changed: {} });
    const { body } = await admin.call(calls.listPools, { query: { search: 'cabs' } });
    expect(body.data.map(({ id, name, policy }) => [id, name, policy])).toEqual([
      [params.poolId, 'Cabs Europe', 'no limit'],
    ]);
    // A pool's current name takes precedence over another pool's former name.
    await makePool(pool, orgId, { now: test.clock.now(), name: 'Vans 2', bundle: 'VANS2' });
    expect((await admin.call(calls.rename, { params, body: { name: 'Vans 2' } })).http).toBe(409);
  });
});

describe('an automatic pool', () => {
  it('enrols SIMs that are activated on its bundle, and removes those whose order has ended', async () => {
    const automatic = await makePool(test.database.pool, orgId, {
      now: test.clock.now(),
      name: 'Meters',
      bundle: 'METERS',
      opt_in: 'automatic',
    });
    const { id, iccid } = await makeSim(test.database.pool, orgId, {});
    test.clock.advance(1000);
    await orderShared(test.database.pool, automatic, [iccid], test.clock.now());
    const counted = async () => {
      const { body } = await admin.call(calls.detail, { params: { poolId: String(automatic.id) } });
      return [body.data.sims, body.data.activated_sims, body.data.limit_bytes];
    };
    await expect.poll(counted, soon).toEqual([1, 1, 1000]);
    const refused = await admin.call(calls.enrol, {
      params: { poolId: String(automatic.id) },
      body: { selection: { iccids: [iccid] } },
    });
    expect(refused.body.status.code).toBe('CB-03-0004');
    await admin.call(endpoints.sim.terminate, { body: { selection: { iccids: [iccid] } } });
    // Its contribution remains until the end of the cycle.
    await expect.poll(counted, soon).toEqual([0, 0, 1000]);
    const { rows } = await test.database.pool.query(
      'select count(*)::int as open from pool_members where sim_id = $1 and left_at is null',
      [id],
    );
    expect(rows).toEqual([{ open: 0 }]);
  });
});

describe('the SIMs of a pool', () => {
  it('are found by a part of their ICCID, in upper or lower case', async () => {
    const { pool } = test.database;
    const barges = await makePool(pool, orgId, { now: test.clock.now(), name: 'Barges', bundle: 'BARGES' });
    const sim = await makeSim(pool, orgId, { iccid: '8986001200000000abcf' });
    await orderShared(pool, barges, [sim.iccid], test.clock.now());
    await barges.enrol([sim.id], test.clock.now());
    for (const search of ['0abc', '0ABC']) {
      const call = { params: { poolId: String(barges.id) }, query: { search } };
      expect((await admin.call(calls.sims, call)).body.data.map(({ iccid }) => iccid)).toEqual([sim.iccid]);
    }
  });
});
