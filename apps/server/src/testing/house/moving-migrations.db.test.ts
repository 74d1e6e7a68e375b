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

it('0500 lets SIMs that expired or were terminated before their time end then, and leaves all others', async () => {
  const [changed, before, after] = ['2026-03-10', '2026-02-01', '2026-03-31'].map(
    (day) => `${day}T00:00:00.000Z`,
  );
  const cases = [
    ['expired', after, changed],
    ['terminated', after, changed],
    ['expired', changed, changed],
    // Of one whose grace is over: it had ended long before.
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

it('0510 keeps what was handed over, and has space for other hours and days of the same SIM', async () => {
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

it('0520 has every day of the heatmap computed again, and forgets none', async () => {
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

it('0530 takes a part that waits for the others of its message as one that is not stored yet', async () => {
  await query(
    `insert into sms_received_parts
       (source, destination, origin, reference, total, part, data_coding, octets, received_at)
     values ('34600000001', '34900', 'udh', 7, 2, 1, 0, 'x', now())`,
  );
  await database.apply('0530_repeated_parts.sql');
  expect(await query('select part, state from sms_received_parts')).toEqual([{ part: 1, state: 0 }]);
});
