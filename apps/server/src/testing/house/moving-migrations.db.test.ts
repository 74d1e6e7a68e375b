import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseBefore } from '../former-schema.ts';
import { makeSim } from '../inventory.ts';

let database: Awaited<ReturnType<typeof databaseBefore>>;
let orgId: number;

beforeAll(async () => {
  database = await databaseBefore('0500');
  const [org] = await query(
    `insert into organisations (code, name, country) values ('acme', 'Acme', 'DE') returning id`,
  );
  orgId = Number(org?.['id']);
});
afterAll(() => database.close());

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

it('0500 sets the end of SIMs that expired or were terminated early, and no others', async () => {
  const [changed, before, after] = ['2026-03-10', '2026-02-01', '2026-03-31'].map(
    (day) => `${day}T00:00:00.000Z`,
  );
  const cases = [
    ['expired', after, changed],
    ['terminated', after, changed],
    ['expired', changed, changed],
    // For a SIM whose grace period is over: it had ended long before.
    ['terminated', before, before],
    ['terminated', null, null],
    ['active', after, after],
    ['paused', after, after],
    ['pre-activated', null, null],
  ] as const;
  const ids: number[] = [];
  for (const [lifecycle, expiresAt = null] of cases) {
    const { id } = await makeSim(database.pool, orgId, { lifecycle, expiresAt });
    ids.push(id);
  }
  await query('update sims set lifecycle_changed_at = $1', [changed]);
  await database.apply('0500_ends_of_expired_sims.sql');
  const rows = await query('select id, expires_at from sims order by id');
  expect(rows.map(({ id, expires_at }) => [Number(id), expires_at?.toISOString() ?? null])).toEqual(
    cases.map(([, , ends = null], index) => [ids[index], ends]),
  );
});

it('0510 keeps handovers, and allows other hours and days of the same SIM', async () => {
  const part = (startsAt: string, up: number) =>
    query(
      `insert into usage_handovers (sim_id, number, unit, starts_at, plmn, radio, up_bytes, down_bytes)
       values (1, 0, 'hour', $1, 26202, 6, $2, 0)`,
      [startsAt, up],
    );
  await part('2026-03-10T10:00:00Z', 7);
  await expect(part('2026-03-10T09:00:00Z', -3)).rejects.toMatchObject({ code: '23505' });
  await database.apply('0510_handovers_of_late_usage.sql');
  await part('2026-03-10T09:00:00Z', -3);
  await expect(part('2026-03-10T10:00:00Z', 7)).rejects.toMatchObject({ code: '23505' });
  expect(
    (await query('select up_bytes from usage_handovers order by 1')).map((row) => row['up_bytes']),
  ).toEqual([-3, 7]);
});

it('0520 marks every day of the heatmap for recomputation', async () => {
  await query(
    `insert into heatmap_days (org_id, day_on, records, computed_at, took_ms)
     values ($1, '2026-03-09', 12, now(), 5), ($1, '2026-03-10', -1, now(), 5), ($1, '2026-03-11', 0, now(), 5)`,
    [orgId],
  );
  await database.apply('0520_sessions_of_the_heatmap.sql');
  expect(await query('select day_on, records from heatmap_days order by 1')).toEqual(
    ['2026-03-09', '2026-03-10', '2026-03-11'].map((day) => ({ day_on: day, records: -1 })),
  );
});

it('0530 treats a part that waits for its message as not stored yet', async () => {
  await query(
    `insert into sms_received_parts
       (source, destination, origin, reference, total, part, data_coding, octets, received_at)
     values ('34600000001', '34900', 'udh', 7, 2, 1, 0, 'x', now())`,
  );
  await database.apply('0530_repeated_parts.sql');
  expect(await query('select part, state from sms_received_parts')).toEqual([{ part: 1, state: 0 }]);
});

it('0600 starts usage cycles without a bundle at the end of the last order, unless billed', async () => {
  const [before, activated, ended, renewed, after] = ['10-31', '11-05', '11-15', '11-20', '11-30'].map(
    (day) => `2026-${day}T16:00:00.000Z`,
  );
  const [bundle] = await query(
    `insert into bundles (code, name, sku, type, overage_policy, reset_cycle)
     values ('A', 'A', 'A', 'prepaid basic', 'billing', 'month') returning id`,
  );
  const simOf = async () => {
    const { id } = await makeSim(database.pool, orgId, { lifecycle: 'expired', expiresAt: ended ?? null });
    await query(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at, activated_at, expires_at)
       values ($1, $2, $3, 'expired', $4, $4, $5)`,
      [id, orgId, bundle?.['id'], activated, ended],
    );
    await query('update sim_live set cycle_started_at = $2, cycle_ends_at = $3 where sim_id = $1', [
      ...[id, before, after],
    ]);
    return id;
  };
  const [expired, closed, billed] = [await simOf(), await simOf(), await simOf()];
  for (const id of [closed, billed]) {
    await query('update sim_live set cycle_started_at = $2 where sim_id = $1', [id, renewed]);
    await query(
      `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
       values ($1, $2, $4, 50, null), ($1, $3, $5, 100, 1000)`,
      [id, before, activated, renewed, ended],
    );
  }
  await query(
    `insert into bill_cycles (sim_id, cycle_started_at, org_id, month_on, customer_id, used_bytes)
     values ($1, $2, $3, '2026-11-01', $3, 50)`,
    [billed, before, orgId],
  );
  await database.apply('0600_cycles_without_a_bundle.sql');
  const starts = async (id: number) =>
    (
      await query(
        `select cycle_started_at as at from sim_live where sim_id = $1
         union all select cycle_started_at from usage_cycles where sim_id = $1 order by 1`,
        [id],
      )
    ).map(({ at }) => at.toISOString());
  expect(await starts(expired)).toEqual([ended]);
  expect(await starts(closed)).toEqual([activated, ended, renewed]);
  expect(await starts(billed)).toEqual([before, activated, renewed]);
});

it('0850 raises intervals of interim updates below 60 seconds, and no others', async () => {
  for (const seconds of [5, 59, 60, 600]) {
    await query(
      `insert into radius_clients (name, network, sealed_secret, interim_seconds)
       values ($1, ('203.0.113.' || ($2 % 255))::cidr, '', $2)`,
      [`pgw-${seconds}`, seconds],
    );
  }
  await database.apply('0850_shortest_interim_interval.sql');
  const rows = await query('select interim_seconds from radius_clients order by 1');
  expect(rows.map((row) => row['interim_seconds'])).toEqual([60, 60, 60, 600]);
});
