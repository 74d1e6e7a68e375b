import type { BundleSpec } from '@simcube/contract/bundle';
import { int8Column, type Sql, timestampColumn } from '../../../platform/db/index.ts';
import { basicOrderIn } from '../../bundle/index.ts';
import type { PastCycle } from '../../usage/index.ts';

/** A cycle with the data that decides how its usage is charged. */
export interface ChargedCycle
  extends Pick<
    BundleSpec,
    | 'code'
    | 'name'
    | 'overage_policy'
    | 'out_of_coverage_policy'
    | 'coverage_countries'
    | 'threshold_bytes'
    | 'stop_after_bytes'
  > {
  sim_id: number;
  cycle_started_at: Date;
  cycle_ends_at: Date;
  former_end: Date | null;
  bundle_id: number;
  moved: boolean;
  pooled: boolean;
}

/** The cycles that are charged to the organisation: with an order, and ending while it owns the SIM. */
export const listChargedCycles = async (
  sql: Sql,
  { orgId, cycles }: { orgId: number; cycles: readonly PastCycle[] },
): Promise<ChargedCycle[]> => {
  const { rows } = await sql.query<ChargedCycle>(
    `select c.sim_id, c.cycle_started_at, c.cycle_ends_at, s.ownership > 0 as moved, l.pooled, b.id as bundle_id, b.code, b.name,
       b.overage_policy, b.out_of_coverage_policy, b.coverage_countries, b.threshold_bytes, b.stop_after_bytes,
       (select max(f.cycle_ends_at) from usage_cycles f
        where f.sim_id = c.sim_id and f.cycle_started_at < c.cycle_started_at) as former_end
     from unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) as c (sim_id, cycle_started_at, cycle_ends_at)
     join sims s on s.id = c.sim_id join sim_live l on l.sim_id = c.sim_id
     cross join lateral (${basicOrderIn('c')}) as o
     join bundles b on b.id = o.bundle_id
     where s.org_id = $1 and coalesce(s.owned_since, '-infinity') <= c.cycle_ends_at`,
    [
      orgId,
      int8Column(cycles, ({ simId }) => simId),
      timestampColumn(cycles, ({ startsAt }) => startsAt),
      timestampColumn(cycles, ({ endsAt }) => endsAt),
    ],
  );
  return rows;
};
