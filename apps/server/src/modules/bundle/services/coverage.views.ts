import type { Service } from '@simcube/contract/bundle';
import { type RawBuilder, sql } from 'kysely';
import { addDays } from '../../../platform/clock/business-day.ts';
import type { Db } from '../../../platform/db/index.ts';
import { findData, type OwnSim, ownDays, ownHours } from '../../sim/index.ts';
import { type OverageColumns, overageOf } from '../bundle.overage.rules.ts';
import { isCovered } from '../bundle.rules.ts';

interface BundleInUse extends OverageColumns {
  countries: string[];
  out_of_coverage_policy: Service['out_of_coverage_policy'];
}

const findBundleInUse = async (db: Db, { id }: OwnSim): Promise<BundleInUse | undefined> => {
  const { rows } = await sql<BundleInUse>`
    select b.coverage_countries as countries, b.out_of_coverage_policy, b.overage_policy, b.slow_kbps,
      b.threshold_bytes, b.stop_after_bytes
    from sims s join bundles b on b.id = s.bundle_id where s.id = ${id}`.execute(db);
  return rows[0];
};

/** The rule for usage over the quota, and whether it applies now. */
export const getOverusePolicy = async (db: Db, { sim, now }: { sim: OwnSim; now: Date }) => {
  const [bundle, live, data] = await Promise.all([
    findBundleInUse(db, sim),
    db.selectFrom('sim_live').select('over_limit').where('sim_id', '=', sim.id).executeTakeFirstOrThrow(),
    findData(db, { sim, now }),
  ]);
  const overage = bundle ? overageOf(bundle) : null;
  return {
    overage,
    policy: overage?.policy ?? null,
    slow_kbps: overage?.slow_kbps ?? null,
    threshold_bytes: overage?.threshold_bytes ?? null,
    over_limit: live.over_limit,
    data,
    data_state: data.state,
  };
};

export interface CountryUsage {
  country: string | null;
  bytes: number;
  covered: boolean;
}

/** Where the bundle in use is valid, and the own usage of its cycle by country. Without a bundle there is no cycle. */
export const getCoverage = async (db: Db, sim: OwnSim) => {
  const [bundle, cycle] = await Promise.all([
    findBundleInUse(db, sim),
    db
      .selectFrom('sim_live')
      .select(['cycle_started_at', 'cycle_ends_at'])
      .where('sim_id', '=', sim.id)
      .executeTakeFirstOrThrow(),
  ]);
  const countries = bundle?.countries ?? [];
  const { cycle_started_at: startedAt, cycle_ends_at: endsAt } = cycle;
  const usage =
    startedAt && endsAt
      ? await byCountry(db, { used: usedWithin({ sim, startedAt, endsAt }), countries })
      : [];
  return {
    countries,
    out_of_coverage_policy: bundle?.out_of_coverage_policy ?? 'not applicable',
    usage,
  } as const;
};

/** Usage of days (UTC+0, both included) by country, with the coverage of the bundle in use; without days, of its cycle. */
export const listCountryUsage = async (
  db: Db,
  { sim, from, to }: { sim: OwnSim; from?: string | undefined; to?: string | undefined },
): Promise<CountryUsage[]> => {
  if (from === undefined || to === undefined) return (await getCoverage(db, sim)).usage;
  const bundle = await findBundleInUse(db, sim);
  const days = ownDays(sql, { sims: [sim.id], orgId: sim.orgId, from, until: addDays(to, 1) });
  const used = sql`select plmn, up_bytes + down_bytes as bytes from (${days}) as days`;
  return byCountry(db, { used, countries: bundle?.countries ?? [] });
};

/**
 * Cycles end within a UTC day: whole days come from the daily rollup, the hours before and after from the
 * hourly one.
 */
const usedWithin = ({
  sim,
  startedAt,
  endsAt,
}: {
  sim: OwnSim;
  startedAt: Date;
  endsAt: Date;
}): RawBuilder<unknown> => {
  const own = { sims: [sim.id], orgId: sim.orgId };
  const firstDay = sql`(date_trunc('day', ${startedAt}::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC')
    at time zone 'UTC')::date`;
  const endDay = sql`(${endsAt}::timestamptz at time zone 'UTC')::date`;
  const days = ownDays(sql, { ...own, from: firstDay, until: endDay });
  const hours = ownHours(sql, {
    ...own,
    from: sql`date_trunc('hour', ${startedAt}::timestamptz, 'UTC')`,
    until: endsAt,
  });
  return sql`
    select plmn, up_bytes + down_bytes as bytes from (${days}) as days
    union all
    select plmn, up_bytes + down_bytes from (${hours}) as hours
    where hour_at < (${firstDay})::timestamp at time zone 'UTC' or hour_at >= (${endDay})::timestamp at time zone 'UTC'`;
};

const byCountry = async (
  db: Db,
  { used, countries }: { used: RawBuilder<unknown>; countries: readonly string[] },
): Promise<CountryUsage[]> => {
  const { rows } = await sql<{ country: string | null; bytes: string }>`
    select n.country, sum(u.bytes) as bytes from (${used}) as u left join networks n on n.plmn = u.plmn
    group by n.country having sum(u.bytes) > 0 order by 2 desc, 1`.execute(db);
  return rows.map(({ country, bytes }) => ({
    country,
    bytes: Number(bytes),
    covered: isCovered(countries, country),
  }));
};
