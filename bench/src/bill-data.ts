import { dayMs, hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { ensurePartitions } from '../../apps/server/src/platform/db/index.ts';
import { withClient } from './cluster.ts';
import { type Fleet, iccidOf, imsiOf } from './fleet.ts';
import { withoutIndexes } from './sms-lists.ts';

/** The month that is billed (UTC+8), and the current one. */
export const billedMonth = (): { month: string; from: Date; until: Date; next: Date } => {
  const eightHours = 8 * hourMs;
  const local = new Date(Date.now() + eightHours);
  const first = (monthsBack: number) =>
    new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - monthsBack, 1) - eightHours);
  const [from, until, next] = [first(1), first(0), first(-1)];
  return { month: new Date(from.getTime() + eightHours).toISOString().slice(0, 7), from, until, next };
};

const bundles = 8;
const gigabyte = 2 ** 30;

/**
 * Creates SIMs on postpaid bundles, divided equally among organisations, with the counters of the last month, prices, and, for
 * the one in ten on a bundle that is charged abroad, daily usage in two countries.
 */
export const fillBillingData = (
  fleet: Fleet,
  { sims, organisations }: { sims: number; organisations: number },
): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { from, until, next } = billedMonth();
    await ensurePartitions(client, from, next);
    await client.query(
      "set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
    );
    await fillCatalogue(client, fleet, organisations);
    await withoutIndexes(client, 'sims', () =>
      client.query(
        `insert into sims (org_id, iccid, imsi, lifecycle, lifecycle_changed_at, activated_at, bundle_id)
         select (select min(id) from organisations where code like 'PAYS-%') + i * $2 / $1,
           '${iccidOf(0).slice(0, 7)}' || lpad(i::text, 12, '0'), (${imsiOf(0)} + i)::text, 23, now(), $3,
           (select min(id) from bundles) + case when i % 10 = 0 then ${bundles - 1} else i % ${bundles - 1} end
         from generate_series(0, $1::bigint - 1) as i`,
        [sims, organisations, new Date(from.getTime() - 90 * dayMs)],
      ),
    );
    await withoutIndexes(client, 'bundle_orders', () =>
      client.query(
        `insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at, activated_at)
         select id, org_id, bundle_id, 'in use', activated_at, activated_at from sims`,
      ),
    );
    await client.query(
      `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
       select id, $1, $2, (power((hashint8(id) & 2147483647) % 10000 / 10000.0, 3) * 1.08 * ${gigabyte})::bigint, ${gigabyte}
       from sims order by id`,
      [from, until],
    );
    await withoutIndexes(client, 'sim_live', () =>
      client.query(
        `insert into sim_live (sim_id, org_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
         select id, org_id, $1, $2, 0, ${gigabyte} from sims order by id`,
        [until, next],
      ),
    );
    await client.query(
      `insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
       select s.id, day::date, case when s.id % 3 = 0 and extract(day from day)::int % 7 = 0 then 440010 else 262001 end, 6,
         c.used_bytes / 300, c.used_bytes * 9 / 300, 12
       from generate_series($1::date, $2::date - 1, interval '1 day') as day, sims s
       join usage_cycles c on c.sim_id = s.id
       where s.bundle_id = (select max(id) from bundles) order by day, s.id`,
      [from, until],
    );
    await client.query(
      'vacuum (analyze) sims, sim_live, usage_cycles, bundle_orders, usage_daily, bundles, organisations',
    );
  });

const fillCatalogue = async (client: pg.Client, { orgId }: Fleet, organisations: number): Promise<void> => {
  await client.query(
    `insert into organisations (code, name, country, parent_id)
     select 'PAYS-' || n, 'Customer ' || n, 'DE', $1 from generate_series(1, $2::int) as n order by n`,
    [orgId, organisations],
  );
  await client.query(
    `insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle, out_of_coverage_policy,
       coverage_countries)
     select 'BENCH-' || n, 'Bundle ' || n, 'SKU-' || n, 'postpaid bundle', ${gigabyte}, 'billing', 'month',
       case when n = ${bundles} then 'billing' else 'not applicable' end,
       case when n = ${bundles} then array['DE'] else '{}' end
     from generate_series(1, ${bundles}) as n order by n`,
  );
  await client.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values
       (262001, '262', '01', 'Telekom', 'DE'), (440010, '440', '10', 'Docomo', 'JP') on conflict do nothing`,
  );
  await priceEverything(client, orgId);
};

/** Creates a tariff of the organisation with a price for each bundle and one for the whole world. */
export const priceEverything = async (client: pg.Client, orgId: number): Promise<void> => {
  await client.query(
    `with zone as (insert into zones (code, name, is_default) values ('rest', 'Rest of the world', true) returning id),
       tariff as (insert into tariffs (code, name, currency) values ('bench', 'Bench', 'EUR') returning id),
       version as (insert into tariff_versions (tariff_id, starts_on) select id, '2020-01-01' from tariff returning id),
       prices as (
         insert into tariff_bundle_prices (version_id, bundle_id, activation_micros, cycle_micros, over_micros)
         select v.id, b.id, 1000000, 1990000 + b.id * 10000, 15300 from version v, bundles b),
       abroad as (
         insert into tariff_zone_prices (version_id, zone_id, countries, usage_micros)
         select v.id, z.id, '{}', 123400 from version v, zone z)
     insert into org_tariffs (org_id, starts_on, tariff_id) select $1, '2020-01-01', id from tariff`,
    [orgId],
  );
};

const bigBillLines = 40;

/**
 * Creates two bills for each of a number of months of the person's own organisation; the last one has two charges for each SIM,
 * the previous one has one.
 */
export const fillBigBill = (fleet: Fleet, { months }: { months: number }): Promise<void> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { from } = billedMonth();
    await client.query("set synchronous_commit = off; set maintenance_work_mem = '1GB'");
    await client.query(
      `insert into bills (serial, org_id, month_on, type, currency, status, total_minor, computed_at, issued_at, due_on)
       select nextval('bill_serials'), $1, (($2::date + interval '1 day')::date - make_interval(months => n))::date, type, 'EUR',
         'published', 12345, now(), now(), current_date
       from generate_series(0, $3::int - 1) as n, unnest(array['advance', 'post-payment']) as type order by n desc, type`,
      [fleet.orgId, from, months],
    );
    await client.query(
      `insert into bill_lines (bill_id, line, org_id, kind, bundle_code, bundle_name, tariff_version_id, tariff_code, tariff_name,
         tariff_starts_on, quantity, unit, price_micros, amount_minor)
       select b.id, n, b.org_id, case when n % 2 = 0 then 'cycle' else 'over-quota' end, 'BENCH-' || n, 'Bundle ' || n, v.id,
         'bench', 'Bench', v.starts_on, n, 'each', 1990000, n * 199
       from bills b, tariff_versions v, generate_series(1, ${bigBillLines}) as n where b.org_id = $1`,
      [fleet.orgId],
    );
    const bigBill = '(select max(id) from bills where org_id = $1)';
    await withoutIndexes(client, 'bill_charges', () =>
      client.query(
        `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity, bytes, sim_quantity)
         select ${bigBill}, 1 + s.id % ${bigBillLines / 2} * 2 + n, s.id, $2, 1 + (s.id * 7919) % 50, 1048576, 1 + (s.id * 7919) % 50
         from sims s, generate_series(0, 1) as n order by 2, s.id`,
        [fleet.orgId, from],
      ),
    );
    await client.query(
      `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity, bytes, sim_quantity)
       select (select max(id) from bills where org_id = $1 and id < ${bigBill}), 1 + s.id % ${bigBillLines}, s.id, $2, 1, 1048576, 1
       from sims s order by 2, s.id`,
      [fleet.orgId, from],
    );
    await withoutIndexes(client, 'bill_sims', () =>
      client.query(
        `insert into bill_sims (bill_id, sim_id, amount_micros)
         select ${bigBill}, id, (1 + (id * 7919) % 50) * 3980000 from sims order by id`,
        [fleet.orgId],
      ),
    );
    await client.query('vacuum (analyze) bills, bill_lines, bill_charges, bill_sims');
  });
