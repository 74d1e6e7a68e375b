import type { ResetCycle } from '@simcube/contract/bundle';
import { int8Column, type Sql } from '../../platform/db/index.ts';
import { countsSince } from '../bundle/index.ts';
import { usesPoolLimit } from '../sim/index.ts';
import type { LiveUsage } from './live-usage.rules.ts';

const lockLive = `
  select l.sim_id as "simId", l.org_id as "orgId", s.iccid,
    date_part('epoch', l.cycle_started_at) * 1000 as "cycleStartedAt",
    date_part('epoch', l.cycle_ends_at) * 1000 as "cycleEndsAt", l.used_bytes as used,
    l.limit_bytes as limit, l.extra_bytes as extra, l.threshold_bytes as threshold, l.over_limit as "overLimit",
    l.data_state as "dataState", l.rate_kbps as "rateKbps", b.overage_policy as policy,
    b.slow_kbps as "slowKbps", b.stop_after_bytes as "stopAfterBytes", l.pooled as "isPooled", ${usesPoolLimit} as "usesPoolLimit"
  from sim_live l join sims s on s.id = l.sim_id left join bundles b on b.id = s.bundle_id
  where l.sim_id = any($1::bigint[]) order by l.sim_id for update of l`;

/** Locks rows in the order of their ids. Intake, which locks nothing between read and write, sees the change and reads again. */
export const lockLiveUsage = async (tx: Sql, simIds: readonly number[]): Promise<LiveUsage[]> =>
  (await tx.query<LiveUsage>(lockLive, [int8Column(simIds, (simId) => simId)])).rows;

/** Makes intake read these SIMs again and decide on that, whatever it has cached. The caller has locked their rows. */
export const invalidateIntake = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query(
    'update sim_live set lifecycle_changes = lifecycle_changes + 1 where sim_id = any($1::bigint[])',
    [int8Column(simIds, (simId) => simId)],
  );
};

/** The state of a SIM that decides about its cycles. */
export interface CycleRule {
  simId: number;
  resetCycle: ResetCycle | null;
  activatedAt: number | null;
}

const ruleColumns = `s.id as "simId", b.reset_cycle as "resetCycle",
  (extract(epoch from ${countsSince}) * 1000)::float8 as "activatedAt"`;

const ruleTables = `left join bundles b on b.id = s.bundle_id
  left join lateral (select activated_at, expires_at from bundle_orders
    where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) o on true`;

export const findCycleRules = async (tx: Sql, simIds: readonly number[]): Promise<CycleRule[]> =>
  (
    await tx.query<CycleRule>(
      `select ${ruleColumns} from sims s ${ruleTables} where s.id = any($1::bigint[])`,
      [int8Column(simIds, (simId) => simId)],
    )
  ).rows;

const selectDueCycles = `select ${ruleColumns} from sim_live_keys k join sims s on s.id = k.sim_id ${ruleTables}
  where k.cycle_ends_at <= $1 and (o.expires_at is null or o.expires_at > $1)`;

/** SIMs whose cycle has ended, oldest first; if the order has ended too, its end decides about the cycles. */
export const findDueCycles = async (
  tx: Sql,
  { now, limit }: { now: Date; limit: number },
): Promise<CycleRule[]> =>
  (await tx.query<CycleRule>(`${selectDueCycles} order by k.cycle_ends_at limit $2`, [now, limit])).rows;

/** Those of the given SIMs. */
export const findDueCyclesOf = async (
  tx: Sql,
  { simIds, now }: { simIds: readonly number[]; now: Date },
): Promise<CycleRule[]> =>
  (
    await tx.query<CycleRule>(
      `${selectDueCycles} and k.sim_id = any($2::bigint[]) and s.id = any($2::bigint[])`,
      [now, int8Column(simIds, (simId) => simId)],
    )
  ).rows;
