import { endpoints } from '@simcube/contract';
import type { ScheduleWhen } from '@simcube/contract/schedule';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { assignMsisdn, makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';
import { waitForBlockedStatements } from '../../testing/locks.ts';
import { beginDueRuns } from './running/begin.service.ts';
import { dropOldRuns } from './running/retention.service.ts';
import { settleRuns } from './running/settle.service.ts';

const { schedule: calls } = endpoints;
const context = { signal: new AbortController().signal, log: createLog({ level: 'silent', format: 'json' }) };
const daily = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, time: '06:30' }));
/** 06:30 in Madrid is 05:30 UTC. */
const madrid = { time_zone: 'Europe/Madrid' };
const every: ScheduleWhen = { mode: 'weekly', times: daily, from: '2026-11-01', until: null };

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let other: typeof org;
let operator: TestClient;
let groupId: string;

const simOf = async (facts: Parameters<typeof makeSim>[2] = {}, orgId = org.id) => {
  const sim = await makeSim(test.database.pool, orgId, facts);
  await assignMsisdn(test.database.pool, sim.id);
  return sim;
};
const wanted = { name: 'Clock sync', content: '#CLK;SYNC', when: every, ...madrid, groupId: null } as const;
const created = async (iccids: string[], more: object = {}) => {
  const body = { ...wanted, only_failures: false, selection: { iccids }, ...more };
  return (await operator.call(calls.create, { body })).body.data;
};
const detail = async (scheduleId: string) =>
  (await operator.call(calls.detail, { params: { scheduleId } })).body.data;
const runsOf = async (scheduleId: string) =>
  (await operator.call(calls.listRuns, { params: { scheduleId }, query: {} })).body.data;
const simsOf = async (scheduleId: string) =>
  (await operator.call(calls.listSims, { body: { scheduleId } })).body.data;
const begin = () => beginDueRuns({ pool: test.database.pool, clock: test.clock }, context);
const settle = () => settleRuns({ pool: test.database.pool, clock: test.clock }, context);
const work = () => runJobs(test.database, test.wiring.jobs);
const notified = async (id: string) =>
  (
    await test.database.pool.query<{ kind: string; fields: Record<string, unknown>; addresses: string[] }>(
      `select n.kind, n.fields, array_agg(d.address order by d.address) as addresses from notifications n
       join deliveries d on d.notification_id = n.id where n.fields ->> 'id' = $1 group by n.id order by n.created_at`,
      [id],
    )
  ).rows;

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  other = await makeOrganisation(test, { code: 'other' });
  const admin = await signedInAs(test, 'admin', org);
  const body = { name: 'Meter desk', emails: ['desk@example.test', 'night@example.test'] };
  groupId = (await admin.call(endpoints.notify.createGroup, { body })).body.data.id;
});
afterAll(() => test.close());
beforeEach(async () => {
  test.clock.set('2026-11-23T05:00:00Z');
  await test.database.pool.query('delete from schedules');
  operator = await signedInAs(test, 'operator', org);
});

describe('a scheduled SMS', () => {
  it('is saved with its SIMs, its next run and an entry of its log', async () => {
    const [one, two] = [await simOf(), await simOf()];
    const gone = await simOf({ lifecycle: 'terminated' });
    const made = await created([one.iccid, two.iccid, gone.iccid], { groupId });
    expect(made).toMatchObject({
      sims: 2,
      parts: 1,
      state: 'enabled',
      in_progress: false,
      next_run_at: '2026-11-23T05:30:00.000Z',
      group: { id: groupId, name: 'Meter desk', addresses: 2 },
    });
    const { sims: _, ...edit } = { ...wanted, sims: 0 };
    const when: ScheduleWhen = { mode: 'once', at: '2026-12-24T18:00' };
    const body = { ...edit, when, only_failures: true, scheduleId: made.id };
    const changed = (await operator.call(calls.update, { body })).body.data;
    expect(changed).toMatchObject({ sims: 2, group: null, next_run_at: '2026-12-24T17:00:00.000Z' });
    expect((await simsOf(made.id)).map(({ iccid }) => iccid)).toEqual([one.iccid, two.iccid]);
    const log = await operator.call(calls.listLog, { params: { scheduleId: made.id }, query: {} });
    expect(log.body.data.map(({ action }) => action)).toEqual(['schedule.changed', 'schedule.created']);
    expect(log.body.data[0]?.after).toMatchObject({ mode: 'once', group: null, only_failures: true });
    expect(log.body.data[0]?.after).not.toHaveProperty('content');
    const found = await operator.call(calls.list, {
      body: { search: 'clk', state: 'enabled', mode: 'once' },
    });
    expect(found.body.data.map(({ id }) => id)).toEqual([made.id]);
    expect((await operator.call(calls.list, { body: { mode: 'weekly' } })).body.data).toEqual([]);
  });

  it('needs a SIM of the organisation and a future time', async () => {
    const sim = await simOf();
    const foreign = await simOf({}, other.id);
    const save = async (iccids: string[], more: object = {}) => {
      const body = { ...wanted, only_failures: false, selection: { iccids }, ...more };
      return (await operator.call(calls.create, { body })).body.status.code;
    };
    expect(await save([foreign.iccid])).toBe('CB-01-0012');
    expect(await save(Array.from({ length: 1001 }, (_, n) => String(10 ** 18 + n)))).toBe('CB-01-0002');
    expect(await save([sim.iccid], { when: { mode: 'once', at: '2026-11-23T05:59' } })).toBe('CB-04-0010');
    expect(await save([sim.iccid], { when: { ...every, until: '2026-11-22' } })).toBe('CB-04-0010');
    expect(await save([sim.iccid], { time_zone: 'Europe/Atlantis' })).toBe('CB-00-0400');
    expect(await save([sim.iccid], { groupId: '999999' })).toBe('CB-09-0017');
    expect(await save([sim.iccid], { when: { ...every, times: [daily[0], daily[0]] } })).toBe('CB-00-0400');
  });
});

describe('two schedules', () => {
  it('that are edited at the same moment may exchange their address groups', async () => {
    const { pool } = test.database;
    const sim = await simOf();
    const admin = await signedInAs(test, 'admin', org);
    const body = { name: 'Other desk', emails: ['other@example.test'] };
    const otherId = (await admin.call(endpoints.notify.createGroup, { body })).body.data.id;
    const first = await created([sim.iccid], { groupId });
    const second = await created([sim.iccid], { groupId: otherId });
    const giveGroup = (scheduleId: string, to: string) =>
      operator.call(calls.update, { body: { ...wanted, only_failures: false, scheduleId, groupId: to } });
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select from notification_targets where id = $1 for update', [otherId]);
    const one = giveGroup(first.id, otherId);
    await waitForBlockedStatements(pool);
    const two = giveGroup(second.id, groupId);
    await waitForBlockedStatements(pool, 2);
    await holder.query('commit');
    holder.release();
    expect((await Promise.all([one, two])).map(({ body: { data } }) => data?.group?.id)).toEqual([
      otherId,
      groupId,
    ]);
    for (const { id } of [first, second]) await operator.call(calls.remove, { query: { scheduleId: id } });
  });
});

describe('a run', () => {
  it('begins once, however many workers run, and omits SIMs that can no longer be reached', async () => {
    const [stays, moved, ended] = [await simOf(), await simOf(), await simOf()];
    const { id } = await created([stays.iccid, moved.iccid, ended.iccid], { groupId });
    const { pool } = test.database;
    await pool.query('update sims set org_id = $2 where id = $1', [moved.id, other.id]);
    await pool.query('update sims set lifecycle = 50 where id = $1', [ended.id]);
    test.clock.set('2026-11-23T05:30:10Z');
    await Promise.all([begin(), begin(), begin()]);
    expect(await detail(id)).toMatchObject({
      in_progress: true,
      next_run_at: '2026-11-24T05:30:00.000Z',
      last_run_state: 'running',
    });
    const remove = await operator.call(calls.remove, { query: { scheduleId: id } });
    expect(remove.body.status).toMatchObject({
      code: 'CB-04-0007',
      message: 'A scheduled SMS in progress cannot be deleted.',
    });
    await work();
    await begin();
    const [run, ...others] = await runsOf(id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ state: 'ended', quantity: 3, left_out: 2, delivered: 0, settled_at: null });
    const sent = await pool.query(
      'select sim_id, task, scheduled, sent_by from sms_messages where task = $1',
      [run?.task],
    );
    expect(sent.rows).toEqual([
      { sim_id: stays.id, task: run?.task, scheduled: true, sent_by: 'Clock sync' },
    ]);
    expect(
      (await simsOf(id)).map(({ own, code, last_message }) => [own, code, last_message?.status]),
    ).toEqual([
      [true, null, 'processing'],
      [false, 'CB-01-0012', undefined],
      [true, 'CB-01-0009', undefined],
    ]);
    await settle();
    expect(await notified(id)).toEqual([]);
    await pool.query('update sms_messages set status = 2, settled_at = $2 where task = $1', [
      run?.task,
      test.clock.now(),
    ]);
    await pool.query(
      `insert into sms_messages (sim_id, at, org_id, mobile_originated, status, msisdn, content, encoding, parts,
         reply_to_at, reply_to_id)
       select sim_id, at + interval '1 hour', org_id, true, 5, msisdn, 'OK', 0, 1, at, id from sms_messages
       where task = $1`,
      [run?.task],
    );
    await Promise.all([settle(), settle()]);
    const [report, ...more] = await notified(id);
    expect(more).toEqual([]);
    expect(report).toMatchObject({
      kind: 'schedule.ran',
      fields: { delivered: 1, failed: 0, left_out: 2, quantity: 3, time: '2026-11-23 06:30 (Europe/Madrid)' },
    });
    expect(report?.addresses.toSorted()).toEqual(['desk@example.test', 'night@example.test']);
    expect((await runsOf(id))[0]).toMatchObject({ delivered: 1, replies: 1 });
    const url = `${calls.downloadSims.path}?scheduleId=${id}`;
    const file = await test.app.inject({ url, headers: operator.headers });
    expect(file.body).toContain(stays.iccid);
    expect(file.body).toContain('Delivered');
    expect((await operator.call(calls.remove, { query: { scheduleId: id } })).body.status.success).toBe(true);
  });

  it('of a schedule that runs once can no longer be edited, and is made up for within an hour', async () => {
    const sim = await simOf();
    const when: ScheduleWhen = { mode: 'once', at: '2026-11-23T06:30' };
    const { id } = await created([sim.iccid], { when });
    test.clock.set('2026-11-23T06:20:00Z');
    const edit = { ...wanted, when, only_failures: false, scheduleId: id };
    const refused = async () => (await operator.call(calls.update, { body: edit })).body.status;
    const said = { code: 'CB-04-0008', message: 'A once-only running schedule cannot be edited.' };
    expect(await refused()).toMatchObject(said);
    await begin();
    expect(await refused()).toMatchObject(said);
    await work();
    expect(await detail(id)).toMatchObject({ state: 'ended', in_progress: false, next_run_at: null });
    expect((await runsOf(id)).map(({ state, started_at }) => [state, started_at])).toEqual([
      ['ended', '2026-11-23T06:20:00.000Z'],
    ]);
    const status = await operator.call(calls.setStatus, { body: { scheduleId: id, enabled: true } });
    expect(status.body.status.code).toBe('CB-04-0010');
    const off = await operator.call(calls.setStatus, { body: { scheduleId: id, enabled: false } });
    expect([off.http, off.body.status.code]).toEqual([409, 'CB-04-0013']);
    expect(await detail(id)).toMatchObject({ state: 'ended' });
    const log = await operator.call(calls.listLog, { params: { scheduleId: id }, query: {} });
    expect(log.body.data.map(({ action }) => action)).not.toContain('schedule.switched');
  });

  it('that is more than an hour late is recorded as missed and reported, unless the schedule was disabled', async () => {
    const sim = await simOf();
    const [late, off] = [
      await created([sim.iccid], { groupId }),
      await created([sim.iccid], { name: 'Off', groupId }),
    ];
    const switched = (enabled: boolean) =>
      operator.call(calls.setStatus, { body: { scheduleId: off.id, enabled } });
    await switched(false);
    test.clock.set('2026-11-25T08:00:00Z');
    operator = await signedInAs(test, 'operator', org);
    expect((await switched(true)).body.data.next_run_at).toBe('2026-11-26T05:30:00.000Z');
    await begin();
    expect((await runsOf(late.id)).map(({ run_at, state }) => [run_at.slice(0, 10), state])).toEqual([
      ['2026-11-25', 'missed'],
      ['2026-11-24', 'missed'],
      ['2026-11-23', 'missed'],
    ]);
    expect(await runsOf(off.id)).toEqual([]);
    expect(await notified(late.id)).toMatchObject([{ kind: 'schedule.missed', fields: { runs: 3 } }]);
    expect(await notified(off.id)).toEqual([]);
  });

  it('does not begin in the name of somebody who may no longer send, and disables the schedule', async () => {
    const leaver = await signedInAs(test, 'operator', org);
    const sim = await simOf();
    const body = { ...wanted, only_failures: false, selection: { iccids: [sim.iccid] } };
    const { id } = (await leaver.call(calls.create, { body })).body.data;
    await test.database.pool.query(`update memberships set role = 'user' where user_id = $1`, [
      leaver.userId,
    ]);
    test.clock.set('2026-11-23T05:30:00Z');
    await begin();
    expect(await runsOf(id)).toMatchObject([{ state: 'refused', code: 'CB-04-0012', task: null }]);
    expect(await detail(id)).toMatchObject({ state: 'disabled', next_run_at: null });
    const { rows: admins } = await test.database.pool.query<{ email: string }>(
      `select email from users u join memberships m on m.user_id = u.id where m.org_id = $1 and m.role = 'admin' order by email`,
      [org.id],
    );
    expect(await notified(id)).toMatchObject([
      { fields: { state: 'disabled' }, addresses: admins.map(({ email }) => email) },
    ]);
  });

  it('does not begin if the organisation may no longer send, and the next ones are attempted', async () => {
    const sim = await simOf();
    const { id } = await created([sim.iccid], { groupId });
    const allow = (canSend: boolean) =>
      test.database.pool.query(
        `insert into sms_services (org_id, can_send, can_receive) values ($1, $2, true)
         on conflict (org_id) do update set can_send = excluded.can_send`,
        [org.id, canSend],
      );
    await allow(false);
    const enable = { scheduleId: id, enabled: true };
    await operator.call(calls.setStatus, { body: { ...enable, enabled: false } });
    expect((await operator.call(calls.setStatus, { body: enable })).body.status.code).toBe('CB-04-0001');
    await allow(true);
    await operator.call(calls.setStatus, { body: enable });
    await allow(false);
    test.clock.set('2026-11-23T05:30:00Z');
    await begin();
    await allow(true);
    expect(await runsOf(id)).toMatchObject([{ state: 'refused', code: 'CB-04-0001', task: null }]);
    expect(await detail(id)).toMatchObject({ state: 'enabled', next_run_at: '2026-11-24T05:30:00.000Z' });
    expect(await notified(id)).toMatchObject([{ kind: 'schedule.missed' }]);
  });

  it('is made once by edits, switches, removals and workers at the same moment', async () => {
    const sim = await simOf();
    const { id } = await created([sim.iccid]);
    test.clock.set('2026-11-23T05:30:00Z');
    const edit = { ...wanted, name: 'Renamed', only_failures: false, scheduleId: id };
    const remove = () => operator.call(calls.remove, { query: { scheduleId: id } });
    const answers = await Promise.all([
      begin(),
      operator.call(calls.update, { body: edit }),
      remove(),
      begin(),
      operator.call(calls.setStatus, { body: { scheduleId: id, enabled: true } }),
      remove(),
    ]);
    const codes = answers.flatMap((one) => (one ? [one.body.status.code] : []));
    expect(codes).toEqual(['CB-00-0000', 'CB-04-0007', 'CB-00-0000', 'CB-04-0007']);
    await work();
    await begin();
    expect(await runsOf(id)).toMatchObject([{ state: 'ended', quantity: 1, left_out: 0 }]);
    const { rowCount } = await test.database.pool.query('select from sms_messages where sim_id = $1', [
      sim.id,
    ]);
    expect(rowCount).toBe(1);
  });

  it('is listed as long as its messages are retained', async () => {
    const { id } = await created([(await simOf()).iccid]);
    const past = `insert into schedule_runs (schedule_id, run_at, org_id, state, code, quantity)
      select $1, at, $2, 'missed', 'CB-04-0011', 1 from unnest($3::timestamptz[]) as at`;
    await test.database.pool.query(past, [id, org.id, ['2025-10-31T23:59Z', '2025-11-01T00:00Z']]);
    await dropOldRuns({ pool: test.database.pool, clock: new FixedClock('2026-12-01T00:00:00Z') });
    expect((await runsOf(id)).map(({ run_at }) => run_at)).toEqual(['2025-11-01T00:00:00.000Z']);
  });

  it('sends to as many SIMs as the quota allows, and reports how many it could not send to', async () => {
    const { pool } = test.database;
    const sims = [await simOf(), await simOf(), await simOf()];
    const { id } = await created(
      sims.map(({ iccid }) => iccid),
      { groupId },
    );
    const { used } = (await operator.call(endpoints.sms.remainUsage, {})).body.data;
    const quota = 'update organisations set sms_quota_kind = $2, sms_quota_messages = $3 where id = $1';
    await pool.query(quota, [org.id, 'custom', used + 2]);
    test.clock.set('2026-11-23T05:30:00Z');
    await begin();
    await work();
    await pool.query(quota, [org.id, 'unlimited', null]);
    expect(await runsOf(id)).toMatchObject([{ quantity: 3, left_out: 1 }]);
    await pool.query('update sms_messages set status = 3 where scheduled');
    await settle();
    expect(await notified(id)).toMatchObject([{ fields: { failed: 2, left_out: 1, unpaid: 1 } }]);
  });
});

describe('the editor', () => {
  it('shows future runs, the next clock change and the remaining quota', async () => {
    const sims = [await simOf(), await simOf()];
    await created(sims.map(({ iccid }) => iccid));
    const body = {
      when: { ...every, times: [{ day: 7, time: '15:20' }] },
      ...madrid,
      content: 'é…'.repeat(50),
      sims: 214,
    };
    const { data } = (await operator.call(calls.forecast, { body })).body;
    expect(data.runs.slice(0, 2)).toEqual(['2026-11-29T14:20:00.000Z', '2026-12-06T14:20:00.000Z']);
    const at = '2027-03-28T01:00:00.000Z';
    expect(data.clock_change).toEqual({ at, before_minutes: 60, after_minutes: 120 });
    const ended = { ...body, when: { ...body.when, until: '2026-12-31' } };
    expect((await operator.call(calls.forecast, { body: ended })).body.data.clock_change).toBeNull();
    expect(
      data.months.map(({ month, runs, this_schedule, others }) => [month, runs, this_schedule, others]),
    ).toEqual([
      ['2026-11', 1, 428, 16],
      ['2026-12', 4, 1712, 62],
    ]);
  });

  it('shows which SIMs a run would reach, and in which hours of the week they are online', async () => {
    const [sim, mute] = [await simOf(), await makeSim(test.database.pool, org.id, {})];
    await test.database.pool.query(
      `insert into usage_hourly (sim_id, hour_at, plmn, radio, up_bytes, down_bytes, records)
       values ($1, '2026-11-16T05:00Z', 1, 1, 1, 1, 1)`,
      [sim.id],
    );
    const selection = { iccids: [sim.iccid, mute.iccid] };
    const { data } = (await operator.call(calls.audience, { body: { selection, ...madrid } })).body;
    expect(data).toMatchObject({ preview: { selected: 2, changing: 1 }, sampled: 1 });
    expect(data.online[0]?.[6]).toBe(100);
    const foreign = await simOf({}, other.id);
    const refused = { body: { selection: { iccids: [foreign.iccid] }, ...madrid } };
    expect((await operator.call(calls.audience, refused)).body.status.code).toBe('CB-01-0012');
  });
});
