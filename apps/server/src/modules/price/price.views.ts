import type { BundlePrice } from '@simcube/contract/price';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import type { BundlePrices, TariffVersion } from './price.rules.ts';

interface VersionColumns {
  day: string;
  id: number;
  starts_on: string;
  code: string;
  name: string;
  currency: string;
  sms_mt_micros: number;
  sms_mo_micros: number;
  pool_cycle_micros: number;
  pool_over_micros: number;
  zones: { code: string; name: string; is_default: boolean; countries: string[]; usage_micros: number }[];
}

/** The organisation of the first parameter and those above it. */
const above = `recursive above as (
  select id, parent_id, 0 as depth from organisations where id = $1
  union all
  select o.id, o.parent_id, above.depth + 1 from organisations o join above on o.id = above.parent_id)`;

/** Whether a tariff is bound to an organisation or to one above it, on any day. Without one nothing has a price. */
export const hasTariff = async (sql: Sql, orgId: number): Promise<boolean> => {
  const { rows } = await sql.query<{ bound: boolean }>(
    `with ${above}
     select exists (select from above join org_tariffs b on b.org_id = above.id where b.tariff_id is not null) as bound`,
    [orgId],
  );
  return rows[0]?.bound === true;
};

/**
 * The tariff versions of an organisation on business days, by day: its own tariff's, else that of its nearest
 * ancestor. Days without one are left out.
 */
export const findVersions = async (
  sql: Sql,
  { orgId, days, tariffId = null }: { orgId: number; days: Iterable<string>; tariffId?: number | null },
): Promise<Map<string, TariffVersion>> => {
  const { rows } = await sql.query<VersionColumns>(
    `with ${above}
     select d.day::text, v.id, v.starts_on::text, t.code, t.name, t.currency, v.sms_mt_micros, v.sms_mo_micros,
       v.pool_cycle_micros, v.pool_over_micros,
       (select coalesce(json_agg(json_build_object('code', z.code, 'name', z.name, 'is_default', z.is_default,
          'countries', p.countries, 'usage_micros', p.usage_micros) order by z.code), '[]')
        from tariff_zone_prices p join zones z on z.id = p.zone_id where p.version_id = v.id) as zones
     from unnest($2::date[]) as d (day)
     cross join lateral (
       select $3::bigint as tariff_id where $3::bigint is not null
       union all
       (select b.tariff_id from above a cross join lateral (
         select tariff_id from org_tariffs where org_id = a.id and starts_on <= d.day
         order by org_tariffs.starts_on desc limit 1) as b
       where b.tariff_id is not null and $3::bigint is null order by a.depth limit 1)) as bound
     cross join lateral (
       select * from tariff_versions where tariff_id = bound.tariff_id and starts_on <= d.day
       order by tariff_versions.starts_on desc limit 1) as v
     join tariffs t on t.id = v.tariff_id`,
    [orgId, [...new Set(days)], tariffId],
  );
  return new Map(rows.map((row) => [row.day, versionOf(row)]));
};

const versionOf = (row: VersionColumns): TariffVersion => ({
  id: row.id,
  tariff: { code: row.code, name: row.name },
  currency: row.currency,
  startsOn: row.starts_on,
  zones: row.zones.map(({ code, name, is_default, countries, usage_micros }) => ({
    code,
    name,
    countries: is_default ? null : countries,
    usageMicros: BigInt(usage_micros),
  })),
  smsMtMicros: BigInt(row.sms_mt_micros),
  smsMoMicros: BigInt(row.sms_mo_micros),
  poolCycleMicros: BigInt(row.pool_cycle_micros),
  poolOverMicros: BigInt(row.pool_over_micros),
});

const unpriced: BundlePrices = { activationMicros: 0n, cycleMicros: 0n, overMicros: 0n };

/** What bundles cost under tariff versions; bundles without a price are free. */
export const findBundlePrices = async (
  sql: Sql,
  versionIds: readonly number[],
): Promise<(versionId: number, bundleId: number) => BundlePrices> => {
  const { rows } = await sql.query<{
    version_id: number;
    bundle_id: number;
    activation_micros: number;
    cycle_micros: number;
    over_micros: number;
  }>('select * from tariff_bundle_prices where version_id = any($1::bigint[])', [[...new Set(versionIds)]]);
  const prices = new Map(
    rows.map((row) => [
      `${row.version_id} ${row.bundle_id}`,
      {
        activationMicros: BigInt(row.activation_micros),
        cycleMicros: BigInt(row.cycle_micros),
        overMicros: BigInt(row.over_micros),
      },
    ]),
  );
  return (versionId, bundleId) => prices.get(`${versionId} ${bundleId}`) ?? unpriced;
};

export interface PricesWanted {
  orgId: number;
  codes: readonly string[];
  /** First instants of the cycles that are charged. */
  cycleStarts: readonly Date[];
}

/** What an organisation pays for bundles in cycles that begin at these instants; null if it has no tariff then. */
export const findPricesOfBundles = async (
  sql: Sql,
  { orgId, codes, cycleStarts }: PricesWanted,
): Promise<(code: string, cycleStart: Date) => BundlePrice | null> => {
  const days = cycleStarts.map((start) => dashboardDays.dayOf(start));
  const versions = await findVersions(sql, { orgId, days });
  const versionIds = new Set([...versions.values()].map(({ id }) => id));
  const { rows } = await sql.query<{
    version_id: number;
    code: string;
    activation_micros: number;
    cycle_micros: number;
  }>(
    `select v.id as version_id, b.code, coalesce(p.activation_micros, 0) as activation_micros,
       coalesce(p.cycle_micros, 0) as cycle_micros
     from unnest($1::bigint[]) as v (id) cross join bundles b
     left join tariff_bundle_prices p on p.bundle_id = b.id and p.version_id = v.id
     where b.code = any($2::text[])`,
    [[...versionIds], [...new Set(codes)]],
  );
  const prices = new Map(rows.map(({ version_id, code, ...micros }) => [`${version_id} ${code}`, micros]));
  return (code, cycleStart) => {
    const version = versions.get(dashboardDays.dayOf(cycleStart));
    const micros = version && prices.get(`${version.id} ${code}`);
    return micros ? { currency: version.currency, ...micros } : null;
  };
};
