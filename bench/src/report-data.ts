import { dayMs, hourMs } from '@simcube/contract/time';
import { ensurePartitions } from '../../apps/server/src/platform/db/index.ts';
import { withClient } from './cluster.ts';
import { type Fleet, fill } from './fleet.ts';
import { withoutIndexes } from './sms-lists.ts';

const eightHours = 8 * hourMs;
/** Reports of a month are created from the 5th (UTC+8). */
const firstDay = 5;

/** The last month whose reports are due, in UTC like the reports. */
export const reportedMonth = (): { month: string; from: Date; until: Date } => {
  const local = new Date(Date.now() + eightHours);
  const monthsBack = local.getUTCDate() >= firstDay ? 1 : 2;
  const first = (months: number) =>
    new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - months, 1));
  const [from, until] = [first(monthsBack), first(monthsBack - 1)];
  return { month: from.toISOString().slice(0, 7), from, until };
};

const dayInterval = 6;

/** Long-standing SIMs of one organisation, with usage on every sixth day of a month and a cycle; half of them were paused in it. */
export const fillReportData = async (fleet: Fleet, sims: number): Promise<void> => {
  await fill(fleet, sims);
  const { from, until } = reportedMonth();
  await withClient(fleet.databaseUrl, async (client) => {
    await ensurePartitions(client, from, new Date());
    await client.query(
      "set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
    );
    const since = new Date(from.getTime() - 90 * dayMs);
    await withoutIndexes(client, 'bundle_orders', () =>
      client.query(
        `insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at, activated_at)
         select id, org_id, bundle_id, 'in use', $1, $1 from sims order by iccid`,
        [since],
      ),
    );
    await client.query('update sims set shipment_on = $1', [since]);
    await client.query('delete from usage_daily where day_on < $1', [until]);
    await client.query(
      `insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
       select s.id, day::date, 262002, 6, 100000 + s.id % 977, 900000, 12
       from generate_series($1::date, $2::date - 1, interval '1 day') as day, sims s
       where (s.id + extract(day from day)::int) % ${dayInterval} = 0 order by day, s.id`,
      [from, until],
    );
    await client.query(
      `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
       select id, $1, $2, 6000000, 1073741824 from sims order by id`,
      [new Date(from.getTime() - eightHours), new Date(until.getTime() - eightHours)],
    );
    await client.query(
      `insert into sim_events (sim_id, at, org_id, kind, facts, actor)
       select id, $1::timestamptz + make_interval(secs => row_number() over (order by id)), org_id, 'lifecycle-changed',
         '{"from":"active","to":"paused","reason":"suspend"}', 'Ada'
       from sims order by id limit $2`,
      [from, Math.floor(sims / 2)],
    );
    await client.query('vacuum (analyze) sims, bundle_orders, usage_daily, usage_cycles, sim_events');
  });
};

/** Sets preferences to create one kind of report in these formats. */
export const setReportPreferences = (
  fleet: Fleet,
  { kind, formats }: { kind: string; formats: readonly string[] },
): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    await client.query(
      `insert into report_preferences (org_id, formats, language, time_zone, notify, changed_at)
       values ($1, $2, 'en-US', 'UTC', '{}', now()) on conflict (org_id) do update set formats = excluded.formats`,
      [fleet.orgId, formats],
    );
    await client.query('delete from report_kinds');
    await client.query(
      "insert into report_kinds (org_id, kind, since) values ($1, $2, now() - interval '1 hour')",
      [...[fleet.orgId, kind]],
    );
  });
