import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles } from '../../testing/prices.ts';

// The clock of the app stands at 2026-11-21 12:00 UTC, which is 20:00 in UTC+8.
let server: TestApp;
let figures: Awaited<ReturnType<typeof makeOrganisation>>;
let client: TestClient;
let stranger: TestClient;
const calls = endpoints.dashboard;

beforeAll(async () => {
  server = await testApp();
  figures = await makeOrganisation(server, { code: 'figures' });
  client = await signedInAs(server, 'user', figures);
  stranger = await signedInAs(server, 'admin', await makeOrganisation(server, { code: 'others' }));
});
afterAll(() => server.close());
beforeEach(() =>
  server.database.pool.query(
    'truncate org_sim_counts, org_usage_hourly, org_usage_daily, org_daily_figures, org_usage_rank, sim_live, bundle_orders, sims cascade',
  ),
);

/** The largest figure that is exact (decision 13). */
const largest = Number.MAX_SAFE_INTEGER;

const query = (text: string, values: unknown[]) => server.database.pool.query(text, values);
const hour = (at: string, bytes: number, plmn = 26202) =>
  query('insert into org_usage_hourly values ($1, $2, $3, 6, $4, 0, 1)', [client.orgId, at, plmn, bytes]);
const day = (date: string, bytes: number, plmn = 26202) =>
  query('insert into org_usage_daily values ($1, $2, $3, 6, 0, $4, 1)', [client.orgId, date, plmn, bytes]);

let simCount = 0;
const sim = async (facts: { lifecycle?: number; expiresAt?: string; used?: number; over?: boolean } = {}) => {
  simCount += 1;
  const { rows } = await query(
    `insert into sims (org_id, iccid, imsi, lifecycle, expires_at) values ($1, $2, $3, $4, $5) returning id`,
    [
      client.orgId,
      `8986001230000${String(simCount).padStart(6, '0')}`,
      `26202${String(simCount).padStart(10, '0')}`,
      facts.lifecycle ?? 23,
      facts.expiresAt ?? null,
    ],
  );
  await query(
    'insert into sim_live (sim_id, org_id, used_bytes, limit_bytes, over_limit) values ($1, $2, $3, 1000, $4)',
    [rows[0].id, client.orgId, facts.used ?? 0, facts.over ?? false],
  );
  return rows[0].id as number;
};

describe('lifecycleCount', () => {
  test('contains every status, including those without SIMs', async () => {
    await query('insert into org_sim_counts values ($1, 23, 5), ($1, 50, 2)', [client.orgId]);
    const { body } = await client.call(calls.lifecycleCount);
    expect(body.data).toEqual({
      total: 7,
      lifecycle: { 'pre-activated': 0, active: 5, paused: 0, expired: 0, terminated: 2 },
    });
    expect(body.as_of).toBe('2026-11-21T12:00:00.000Z');
  });
});

describe('card', () => {
  test('of an empty organisation is all zeros without comparisons', async () => {
    const { body } = await client.call(calls.card);
    expect(body.data).toMatchObject({
      total_sims: 0,
      active_sims: { value: 0, compared_with: null },
      usage_bytes: { value: 0, compared_with: null },
      overage_sims: { value: 0, compared_with: null },
      expiring_sims: { value: 0, within_7_days: 0 },
    });
  });

  test('counts the month so far and the last one up to the same day and hour, in UTC+8', async () => {
    await day('2026-11-01', 100);
    await day('2026-11-21', 11);
    await day('2026-10-31', 1_000_000);
    await day('2026-10-01', 40);
    await day('2026-10-20', 2);
    await day('2026-10-21', 500_000);
    // 21 October in UTC+8 begins at 16:00 UTC on the 20th; the same hour of it is 12:00 UTC.
    await hour('2026-10-20T15:00:00Z', 70_000);
    await hour('2026-10-20T16:00:00Z', 3);
    await hour('2026-10-21T11:00:00Z', 4);
    await hour('2026-10-21T12:00:00Z', 80_000);
    const { body } = await client.call(calls.card);
    expect(body.data?.usage_bytes).toMatchObject({ value: 111, compared_with: 49 });
    expect(body.data?.usage_bytes.trend).toHaveLength(14);
    expect(body.data?.cycle).toEqual({
      started_at: '2026-10-31T16:00:00.000Z',
      ends_at: '2026-11-30T16:00:00.000Z',
    });
  });

  test('compares active SIMs with a week ago and overage with yesterday; days without figures have the former', async () => {
    await query('insert into org_sim_counts values ($1, 23, 9)', [client.orgId]);
    await query(
      `insert into org_daily_figures (org_id, day_on, total_sims, active_sims, overage_sims, expiring_sims)
       values ($1, '2026-11-13', 10, 7, 1, 0), ($1, '2026-11-19', 10, 8, 3, 0)`,
      [client.orgId],
    );
    await sim({ over: true });
    await sim();
    const { body } = await client.call(calls.card);
    expect(body.data?.active_sims).toEqual({
      value: 9,
      compared_with: 7,
      trend: [7, 7, 7, 7, 7, 7, 8, 8, 9],
    });
    expect(body.data?.overage_sims).toEqual({
      value: 1,
      compared_with: 3,
      trend: [1, 1, 1, 1, 1, 1, 3, 3, 1],
    });
  });

  test('counts SIMs in service that end within 45 days, and within 7', async () => {
    await sim({ expiresAt: '2026-11-25T00:00:00Z' });
    await sim({ expiresAt: '2026-12-30T00:00:00Z', lifecycle: 30 });
    await sim({ expiresAt: '2027-03-01T00:00:00Z' });
    await sim({ expiresAt: '2026-11-20T00:00:00Z' });
    await sim({ expiresAt: '2026-11-25T00:00:00Z', lifecycle: 50 });
    const { body } = await client.call(calls.card);
    expect(body.data?.expiring_sims).toMatchObject({ value: 2, within_7_days: 1 });
  });

  test('counts as many SIMs that end soon as the list that it links to, even at the limits of the time', async () => {
    for (const end of ['11-21T12:00:00Z', '11-21T12:00:01Z', '11-28T12:00:00Z', '11-28T12:00:00Z']) {
      await sim({ expiresAt: `2026-${end}` });
    }
    for (const end of ['01-05T12:00:00Z', '01-05T12:00:00Z', '01-05T12:00:01Z']) {
      await sim({ expiresAt: `2027-${end}` });
    }
    const soon = (await client.call(calls.card)).body.data.expiring_sims;
    const within = async (days: number) =>
      (await client.call(endpoints.sim.list, { body: { expires_within_days: days } })).body.total_count;
    expect([soon.value, soon.within_7_days]).toEqual([5, 3]);
    expect([await within(45), await within(7)]).toEqual([5, 3]);
  });
});

describe('statistics', () => {
  test('of 24 hours compare each hour with the same hour of the day before', async () => {
    await hour('2026-11-21T12:00:00Z', 5);
    await hour('2026-11-21T12:00:00Z', 6, 20801);
    await hour('2026-11-20T12:00:00Z', 7);
    await hour('2026-11-19T12:00:00Z', 1000);
    const { body } = await client.call(calls.statistics, { query: { range: '24h' } });
    const points = body.data?.points ?? [];
    expect(points).toHaveLength(24);
    expect(points.at(-1)).toEqual({ at: '2026-11-21T12:00:00.000Z', bytes: 11, previous_bytes: 7 });
    expect(points.reduce((sum, point) => sum + (point.bytes ?? 0), 0)).toBe(11);
    expect(body.data?.provisional_from).toBe('2026-11-19T12:00:00.000Z');
  });

  test('of 24 hours have nothing to compare with before the organisation existed', async () => {
    await query('update organisations set created_at = $2 where id = $1', [
      client.orgId,
      '2026-11-20T10:30:00Z',
    ]);
    // Records may be imported from before.
    await hour('2026-11-20T08:00:00Z', 7);
    const { body } = await client.call(calls.statistics, { query: { range: '24h' } });
    const previous = body.data.points
      .slice(-6)
      .map(({ at, previous_bytes }) => [at.slice(11, 13), previous_bytes]);
    expect(previous).toEqual([
      ['07', null],
      ['08', 7],
      ['09', null],
      ['10', 0],
      ['11', 0],
      ['12', 0],
    ]);
  });

  test('of a week and of six months follow the business day and fill gaps with zeros', async () => {
    await day('2026-11-21', 3);
    await day('2026-11-15', 4);
    await day('2026-11-14', 1000);
    await day('2026-06-01', 9);
    const week = (await client.call(calls.statistics, { query: { range: 'week' } })).body.data?.points ?? [];
    expect(week.map((point) => point.bytes)).toEqual([4, 0, 0, 0, 0, 0, 3]);
    expect(week.at(-1)?.at).toBe('2026-11-20T16:00:00.000Z');
    const months =
      (await client.call(calls.statistics, { query: { range: '6months' } })).body.data?.points ?? [];
    expect(months.map((point) => [point.at, point.bytes])).toEqual([
      ['2026-06', 9],
      ['2026-07', 0],
      ['2026-08', 0],
      ['2026-09', 0],
      ['2026-10', 0],
      ['2026-11', 1007],
    ]);
  });

  test('reject another range at its field', async () => {
    const { http, body } = await client.call(calls.statistics, {}, { raw: { query: 'range=year' } });
    expect([http, body.status.code]).toEqual([400, 'CB-00-0400']);
    expect(body.status.detail?.issues?.[0]).toMatchObject({ path: 'range', key: 'notAllowed' });
  });
});

describe('rank', () => {
  test('lists the SIMs of the last refresh, as of it, and none that have left the organisation', async () => {
    const [first, second, transferred] = [
      await sim({ used: 90 }),
      await sim({ used: 80 }),
      await sim({ used: 70 }),
    ];
    await query('update sims set org_id = $2 where id = $1', [transferred, stranger.orgId]);
    await query(
      `insert into org_usage_rank (org_id, position, sim_id, used_bytes, as_of)
       select $1, position, sim, 100 - position, '2026-11-21T11:59:00Z' from unnest($2::bigint[]) with ordinality as r (sim, position)`,
      [client.orgId, [first, second, transferred]],
    );
    const { body } = await client.call(calls.rank);
    expect(body.data?.map((entry) => [entry.usage_bytes, entry.limit_bytes])).toEqual([
      [99, 1000],
      [98, 1000],
    ]);
    expect(body.as_of).toBe('2026-11-21T11:59:00.000Z');
  });

  test('shows the cost of each SIM’s running cycle, if it has a price', async () => {
    const { orgId } = client;
    const withoutBundle = await sim({ used: 9 });
    await makePricedBundles(server.database.pool);
    await applyPrices(server, { organisations: ['figures'] });
    const now = server.clock.now();
    const priced = await makeSimWithBundles(server, { orgId, now, bundles: ['EU'] });
    await query(
      `insert into org_usage_rank (org_id, position, sim_id, used_bytes, as_of)
       values ($1, 1, $2, 9, now()), ($1, 2, $3, 5, now())`,
      [orgId, withoutBundle, priced.id],
    );
    const { body } = await client.call(calls.rank);
    expect(body.data?.map(({ cost }) => cost)).toEqual([null, { currency: 'EUR', amount_minor: 100 + 499 }]);
  });

  test('requires the permission to see SIMs', async () => {
    const person = await signedInAs(server, 'user', figures);
    await query(`update memberships set permission_changes = '{"sim": []}' where user_id = $1`, [
      person.userId,
    ]);
    const responses = [await person.call(calls.rank), await person.call(calls.card)];
    expect(responses.map(({ http, body }) => [http, body.status.code])).toEqual([
      [403, 'CB-00-0403'],
      [200, 'CB-00-0000'],
    ]);
  });
});

test('an organisation sees only its own figures', async () => {
  await query('insert into org_sim_counts values ($1, 23, 5)', [client.orgId]);
  await hour('2026-11-21T12:00:00Z', 5);
  await day('2026-11-21', 5);
  await sim({ over: true, expiresAt: '2026-11-25T00:00:00Z' });
  const card = (await stranger.call(calls.card)).body.data;
  expect([
    card?.total_sims,
    card?.usage_bytes.value,
    card?.overage_sims.value,
    card?.expiring_sims.value,
  ]).toEqual([0, 0, 0, 0]);
  expect((await stranger.call(calls.statistics)).body.data?.points.every((point) => point.bytes === 0)).toBe(
    true,
  );
});

test('usage is exact up to 2^53 - 1 octets, and an error beyond, never rounded', async () => {
  await day('2026-11-20', largest - 5);
  await day('2026-11-20', 5, 26203);
  const exact = await client.call(calls.card);
  expect([exact.http, exact.body.data.usage_bytes.value]).toEqual([200, largest]);
  const months = await client.call(calls.statistics, { query: { range: '6months' } });
  expect(months.body.data.points.map(({ bytes }) => bytes)).toContain(largest);
  await day('2026-11-19', 2);
  const beyond = await client.call(calls.card);
  expect([beyond.http, beyond.body.data]).toEqual([500, null]);
  expect((await client.call(calls.statistics, { query: { range: '6months' } })).http).toBe(500);
});
