import { endpoints } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { recordUsageHandover } from '../../usage/index.ts';
import { endActions } from '../actions/perform-action.queries.ts';
import { insertFirings } from '../engine/firings.queries.ts';

const { autoflow: calls } = endpoints;
const mb = 2 ** 20;

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let other: typeof org;
let admin: TestClient;
let sims: { id: number; iccid: string }[];

const daily = (amount: number) =>
  ({ kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount } }) as const;
const bodyOf = (more: object = {}) => ({
  name: 'Day cap',
  trigger: daily(10),
  scope: { kind: 'all' as const },
  actions: [{ kind: 'suspend' as const }],
  active_from: null,
  active_until: null,
  group_minutes: null,
  ...more,
});
const made = async (more: object = {}) => (await admin.call(calls.create, { body: bodyOf(more) })).body.data;
const used = (index: number, ended_at: string, megabytes: number) => ({
  iccid: sims[index]?.iccid ?? '',
  ended_at,
  started_at: new Date(Date.parse(ended_at) - 60_000).toISOString(),
  up_bytes: megabytes * mb,
  down_bytes: 0,
});
const replay = async (body: object) => {
  const begun = await admin.call(calls.replay, { body });
  expect(begun.body.status).toMatchObject({ success: true });
  await runJobs(test.database, test.wiring.jobs);
  const params = { replayId: begun.body.data.id };
  const { data } = (await admin.call(calls.readReplay, { params })).body;
  const firings = (await admin.call(calls.listReplayFirings, { params, query: {} })).body.data;
  return { ...data, firings };
};

beforeAll(async () => {
  test = await testApp();
  org = await makeOrganisation(test, { code: 'acme' });
  other = await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', org);
  const simOf = (tags: string[]) => makeSim(test.database.pool, org.id, { tags });
  sims = [await simOf(['fleet']), await simOf([])];
  await importRecords(test, [
    used(0, '2026-11-03T08:00:00Z', 6),
    used(0, '2026-11-03T09:00:00Z', 6),
    used(0, '2026-11-03T10:00:00Z', 6),
    used(0, '2026-11-20T08:00:00Z', 30),
    used(1, '2026-11-04T08:00:00Z', 12),
  ]);
  await test.database.pool.query(
    `with sent as (
       insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
       select $1, $2, at, 'T', true, 5, '34600000000', 0, 1
       from unnest('{2026-11-20T23:59:59Z,2026-11-21T00:00:00Z,2026-11-21T11:00:00Z}'::timestamptz[]) as at)
     insert into sim_events (sim_id, org_id, at, kind) select $1, $2, at, 'session-started'
     from unnest('{2026-11-21T11:59:59Z,2026-11-21T12:00:00Z}'::timestamptz[]) as at`,
    [sims[1]?.id, org.id],
  );
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.database.pool.query('delete from autoflow_rules');
});

describe('a replay', () => {
  it('shows for a draft the days, SIMs, records and values for which it would have fired', async () => {
    const found = await replay({ trigger: daily(10), scope: { kind: 'tags', tags: ['fleet'] } });
    expect(found).toMatchObject({
      state: 'done',
      rule_id: null,
      firings: expect.any(Array),
      sims: 1,
      records: 4,
      former: null,
      from: '2026-10-23T00:00:00.000Z',
      progress: { done: 1, sims: 1 },
      listed: 2,
    });
    expect(found.days).toHaveLength(30);
    expect(found.days.filter(({ count }) => count > 0)).toEqual([
      { day: '2026-11-03', count: 1, former: null },
      { day: '2026-11-20', count: 1, former: null },
    ]);
    expect(found.firings.map(({ at, measured }) => [at, measured.value])).toEqual([
      ['2026-11-20T08:00:00.000Z', 30 * mb],
      ['2026-11-03T09:00:00.000Z', 12 * mb],
    ]);
  });

  it('compares a draft with the stored rule, and a rule with its previous version', async () => {
    const { id: ruleId } = await made();
    const draft = await replay({ ruleId, trigger: daily(20) });
    expect([draft.days.at(-2), draft.former]).toEqual([
      { day: '2026-11-20', count: 1, former: 1 },
      { version: 1, firings: 3, sims: 2, overage: null },
    ]);
    expect((await replay({ ruleId })).former).toBeNull();
    await admin.call(calls.update, { body: { ...bodyOf({ trigger: daily(20) }), ruleId, version: 1 } });
    expect(await replay({ ruleId })).toMatchObject({ sims: 1, former: { version: 1, firings: 3, sims: 2 } });
  });

  it('omits SIMs that were transferred since, and counts only what it lists', async () => {
    const { id: replayId, listed, sims: fired } = await replay({ trigger: daily(10) });
    expect([listed, fired]).toEqual([3, 2]);
    const move = (orgId: number) =>
      test.database.pool.query('update sims set org_id = $2 where id = $1', [sims[0]?.id, orgId]);
    await move(other.id);
    const read = (await admin.call(calls.readReplay, { params: { replayId } })).body.data;
    const firings = (await admin.call(calls.listReplayFirings, { params: { replayId }, query: {} })).body
      .data;
    await move(org.id);
    expect([read.listed, firings.map(({ iccid }) => iccid)]).toEqual([1, [sims[1]?.iccid]]);
  });

  it('replaces the person’s previous one, and stops when it is cancelled', async () => {
    const begin = async () => (await admin.call(calls.replay, { body: { trigger: daily(1) } })).body.data.id;
    const [first, second] = [await begin(), await begin()];
    const read = async (replayId: string) =>
      (await admin.call(calls.readReplay, { params: { replayId } })).body;
    expect((await read(first)).status.code).toBe('CB-05-0017');
    await admin.call(calls.cancelReplay, { params: { replayId: second } });
    await runJobs(test.database, test.wiring.jobs);
    expect((await read(second)).data).toMatchObject({ state: 'cancelled', firings: 0 });
    const stranger = await signedInAs(test, 'admin', other);
    expect((await stranger.call(calls.readReplay, { params: { replayId: second } })).http).toBe(404);
  });

  it('is limited to one for each person, also with concurrent starts', async () => {
    const trigger = { kind: 'sms-mo', period: 'day', count: 2 } as const;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => admin.call(calls.replay, { body: { trigger } })),
    );
    expect(answers.map(({ http }) => http)).toEqual(Array.from({ length: 6 }, () => 200));
    const { rows } = await test.database.pool.query('select from autoflow_replays where org_id = $1', [
      org.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is refused for a trigger without stored history, naming it', async () => {
    const body = { trigger: { kind: 'silent', hours: 24 } as const };
    const { status } = (await admin.call(calls.replay, { body })).body;
    expect(status.code).toBe('CB-05-0018');
    expect(status.message).toContain('Silent');
  });

  it('counts records of a SIM only from its time with the organisation', async () => {
    const { pool } = test.database;
    const moved = await makeSim(pool, other.id, {});
    sims.push(moved);
    await importRecords(test, [used(2, '2026-11-10T08:00:00Z', 9)]);
    await pool.query(
      `insert into sim_ownerships (sim_id, number, org_id, since, until) values ($1, 0, $2, '-infinity', '2026-11-10T12:00Z')`,
      [moved.id, other.id],
    );
    await pool.query(
      `update sims set org_id = $2, ownership = 1, owned_since = '2026-11-10T12:00Z' where id = $1`,
      [moved.id, org.id],
    );
    await pool.query('update sim_live set org_id = $2 where sim_id = $1', [moved.id, org.id]);
    await recordUsageHandover(pool, { simIds: [moved.id], at: new Date('2026-11-10T12:00:00Z') });
    await importRecords(test, [used(2, '2026-11-10T13:00:00Z', 4), used(2, '2026-11-10T14:00:00Z', 4)]);
    const scope = { kind: 'manual', iccids: [moved.iccid] };
    expect(await replay({ trigger: daily(10), scope })).toMatchObject({ firings: [], records: 2 });
    const found = await replay({ trigger: daily(5), scope });
    expect(found.firings).toMatchObject([{ at: '2026-11-10T14:00:00.000Z', measured: { value: 8 * mb } }]);
  });
});

describe('the explanation of a rule for a SIM', () => {
  it('lists the comparisons: state, scope, the value before and now, and the firing', async () => {
    const monthly = { kind: 'data-usage', period: 'month', threshold: { unit: 'MB', amount: 40 } };
    const { id: ruleId } = await made({ trigger: monthly, scope: { kind: 'tags', tags: ['fleet'] } });
    const why = async (index: number) =>
      (await admin.call(calls.why, { params: { ruleId }, query: { iccid: sims[index]?.iccid ?? '' } })).body
        .data;
    const first = await why(0);
    expect(first).toMatchObject({ verdict: 'prevented', last_fired: null });
    expect(first.comparisons.find(({ check }) => check === 'below-before')).toMatchObject({
      met: false,
      value: 48 * mb,
      wanted: 40 * mb,
      unit: 'octets',
      at: '2026-11-21T12:00:00.000Z',
    });
    const second = await why(1);
    expect(second.verdict).toBe('prevented');
    expect(second.comparisons.filter(({ met }) => !met)).toMatchObject([
      { check: 'in-scope', value: '', wanted: 'fleet' },
      { check: 'reached', value: 12 * mb, wanted: 40 * mb, at: '2026-11-01T00:00:00.000Z' },
    ]);
    await test.database.pool.query(
      `insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, kept_until)
       values ($1, $2, 1, $3, '2026-11', $4, $4, '{"value":1,"threshold":1,"unit":"octets","since":null}', '2027-01-01')`,
      [org.id, ruleId, sims[0]?.id, test.clock.now()],
    );
    expect(await why(0)).toMatchObject({ verdict: 'fired', last_fired: { at: '2026-11-21T12:00:00.000Z' } });
  });

  it('does not report an end that became known later as due before the rule was enabled', async () => {
    const { id: ruleId } = await made({ trigger: { kind: 'lifecycle-expiry', days: 30 } });
    await test.database.pool.query(
      `update sims set lifecycle = 23, expires_at = '2026-11-30Z' where id = $1`,
      [sims[0]?.id],
    );
    const asked = { params: { ruleId }, query: { iccid: sims[0]?.iccid ?? '' } };
    const why = async () => (await admin.call(calls.why, asked)).body.data;
    const missing = ({ comparisons }: Awaited<ReturnType<typeof why>>) =>
      comparisons.filter(({ met }) => !met).map(({ check }) => check);
    expect(missing(await why())).toEqual(['below-before']);
    await test.database.pool.query(
      `insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, kept_until)
       values ($1, $2, 1, $3, 'expires 2026-11-30T00:00:00.000Z', $4, $4,
         '{"value":"2026-11-30T00:00:00.000Z","threshold":null,"unit":null,"since":null}', '2027-01-01')`,
      [org.id, ruleId, sims[0]?.id, test.clock.now()],
    );
    expect(missing(await why())).toEqual(['not-fired']);
    expect((await why()).verdict).toBe('fired');
  });

  it('counts the silence of a resumed SIM from its resumption', async () => {
    const { id: ruleId } = await made({ trigger: { kind: 'silent', hours: 5 } });
    const hoursAgo = (hours: number) => new Date(test.clock.now().getTime() - hours * hourMs).toISOString();
    await test.database.pool.query(
      `with seen as (update sim_live set last_seen_at = $2 where sim_id = $1)
       update sims set lifecycle = 23, lifecycle_changed_at = $3 where id = $1`,
      [sims[0]?.id, hoursAgo(30), hoursAgo(2)],
    );
    const asked = { params: { ruleId }, query: { iccid: sims[0]?.iccid ?? '' } };
    const { comparisons, verdict } = (await admin.call(calls.why, asked)).body.data;
    expect(comparisons.find(({ check }) => check === 'reached')).toMatchObject({
      met: false,
      wanted: hoursAgo(-3),
      at: hoursAgo(2),
    });
    expect(verdict).not.toBe('fired');
  });

  it('names the change that it expects', async () => {
    const { id: ruleId } = await made({ trigger: { kind: 'status-change', from: 'any', to: ['paused'] } });
    const { data } = (
      await admin.call(calls.why, { params: { ruleId }, query: { iccid: sims[0]?.iccid ?? '' } })
    ).body;
    expect(data.verdict).toBe('waiting');
    expect(data.comparisons.at(-1)).toMatchObject({ check: 'happened', met: false, wanted: 'paused' });
  });

  it.each([
    [
      { kind: 'sms-mo', period: 'day', count: 3 },
      { check: 'reached', met: false, value: 2, wanted: 3, unit: 'SMS', at: '2026-11-21T00:00:00.000Z' },
    ],
    [
      { kind: 'sessions', per_hour: 4 },
      { check: 'reached', met: false, value: 1, wanted: 4, unit: 'sessions', at: '2026-11-21T12:00:00.000Z' },
    ],
    [
      { kind: 'country', change: 'entered', countries: ['ES'] },
      { check: 'happened', met: false, value: null, wanted: 'ES' },
    ],
    [
      { kind: 'cost', currency: 'EUR', amount_minor: 500 },
      { check: 'known', met: false, value: null, wanted: 'EUR' },
    ],
  ])('compares what the trigger counts: %j', async (trigger, expected) => {
    const { id: ruleId } = await made({ trigger });
    const { data } = (
      await admin.call(calls.why, { params: { ruleId }, query: { iccid: sims[1]?.iccid ?? '' } })
    ).body;
    const shown = data.comparisons.find(({ check }) => check === expected.check);
    expect(shown).toMatchObject(expected);
  });
});

describe('the data for the list of rules', () => {
  it('contains the overshoot past a threshold, and the safer threshold', async () => {
    const { id } = await made({ trigger: daily(100) });
    const foreign = await signedInAs(test, 'admin', other);
    const theirs = (await foreign.call(calls.create, { body: bodyOf() })).body.data.id;
    const { data } = (await admin.call(calls.overshoot, { body: { ruleIds: [id, theirs] } })).body;
    // 30 MB in a minute, for 300 seconds.
    expect(data).toMatchObject([
      {
        rule_id: id,
        interval_s: 300,
        delay_s: null,
        seen_bytes: null,
        measured_sims: 1,
        fastest_bps: (30 * mb * 8) / 60,
        worst_bytes: 150 * mb,
        safer: null,
      },
    ]);
  });

  it('is measured once for each scope, from the values and delays of firings', async () => {
    const [fleet, again, all] = [
      await made({ name: 'Fleet', trigger: daily(100), scope: { kind: 'tags', tags: ['fleet'] } }),
      await made({ name: 'Fleet again', trigger: daily(200), scope: { kind: 'tags', tags: ['fleet'] } }),
      await made({ name: 'All', trigger: daily(300) }),
    ];
    const fire = (ruleId: string, at: string, value: number) =>
      inTransaction(test.database.pool, async (tx) => {
        const measured = { value, threshold: 1000, unit: 'octets' as const, since: null };
        const [happened, simId] = [Date.parse(at), sims[0]?.id ?? 0];
        const firing = {
          ruleId: Number(ruleId),
          version: 1,
          simId,
          key: at,
          at: happened,
          keptUntil: happened,
        };
        const actions = [{ kind: 'suspend', gathered: false }];
        const now = new Date(happened + 1000);
        const firings = [{ ...firing, measured, chain: [], actions }];
        const [fired] = await insertFirings(tx, { orgId: org.id, firings, now });
        const end = { firingId: fired?.id ?? 0, position: 0, code: null };
        await endActions(tx, [end], new Date(happened + 4000));
      });
    await fire(fleet.id, '2026-11-20T08:00:00Z', 1800);
    await fire(fleet.id, '2026-11-20T09:00:00Z', 1300);
    await fire(fleet.id, '2026-10-20T09:00:00Z', 9000);
    const ruleIds = [fleet, again, all].map(({ id }) => id);
    const { data } = (await admin.call(calls.overshoot, { body: { ruleIds } })).body;
    expect(
      data.map((one) => [one.rule_id, one.sims, one.measured_sims, one.seen_bytes, one.delay_s]),
    ).toEqual([
      [fleet.id, 1, 1, 800, 4],
      [again.id, 1, 1, null, 4],
      [all.id, 2, 1, null, 4],
    ]);
  });

  it('contains counts that follow its filter, and an order by firings', async () => {
    const ids = [await made({ name: 'One' }), await made({ name: 'Two' })].map(({ id }) => id);
    await test.database.pool.query(
      `insert into autoflow_rule_days (rule_id, day, firings) values ($1, '2026-11-20', 3), ($2, '2026-09-01', 9)`,
      ids,
    );
    const { data: rules } = (await admin.call(calls.list, { query: { sort: '-fired' } })).body;
    expect(rules.map(({ name, fired }) => [name, fired.total])).toEqual([
      ['One', 3],
      ['Two', 0],
    ]);
    const { data } = (await admin.call(calls.summary, { query: { search: 'tw' } })).body;
    expect(data).toMatchObject({ rules: 1, enabled: 1, firings: 0 });
  });
});
