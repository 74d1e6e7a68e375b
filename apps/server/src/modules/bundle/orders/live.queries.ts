import {
  booleanColumn,
  int2Column,
  int4Column,
  int8Column,
  type Sql,
  timestampColumn,
} from '../../../platform/db/index.ts';
import { usesPoolLimit } from '../../sim/index.ts';
import type { LiveBundle, LiveState } from './live.rules.ts';

interface LiveRow extends LiveState {
  bundle: LiveBundle | null;
}

/** The counters of SIMs with the bundle in use, locked in the order of ids. */
export const lockLive = async (tx: Sql, simIds: readonly number[]): Promise<Map<number, LiveRow>> => {
  const { rows } = await tx.query(
    `select l.sim_id, l.org_id, s.iccid, l.cycle_started_at, l.cycle_ends_at, l.used_bytes, l.limit_bytes,
       l.extra_bytes, l.threshold_bytes, l.over_limit, l.data_state, l.rate_kbps, b.quota_bytes, b.reset_cycle,
       b.overage_policy, b.slow_kbps, b.stop_after_bytes, ${usesPoolLimit} as uses_pool_limit, o.activated_at
     from sim_live l join sims s on s.id = l.sim_id left join bundles b on b.id = s.bundle_id
     left join lateral (select activated_at from bundle_orders
       where sim_id = s.id and bundle_id = s.bundle_id and status = 'in use' order by id limit 1) o on true
     where l.sim_id = any($1::bigint[]) order by l.sim_id for update of l`,
    [int8Column(simIds, (simId) => simId)],
  );
  return new Map(
    rows.map((row) => [
      row.sim_id,
      {
        simId: row.sim_id,
        orgId: row.org_id,
        iccid: row.iccid,
        cycleStartedAt: row.cycle_started_at,
        cycleEndsAt: row.cycle_ends_at,
        used: row.used_bytes,
        limit: row.limit_bytes,
        extra: row.extra_bytes,
        threshold: row.threshold_bytes,
        overLimit: row.over_limit,
        dataState: row.data_state,
        rateKbps: row.rate_kbps,
        bundle:
          row.reset_cycle && row.activated_at
            ? {
                quotaBytes: row.quota_bytes,
                resetCycle: row.reset_cycle,
                activatedAt: row.activated_at,
                policy: row.overage_policy,
                slowKbps: row.slow_kbps,
                stopAfterBytes: row.stop_after_bytes,
                usesPoolLimit: row.uses_pool_limit,
              }
            : null,
      },
    ]),
  );
};

const ms = (at: Date | number | null): number | null => (at === null ? null : Number(at));

/** A stored counter; instants are dates or milliseconds. */
type Counter = Omit<LiveState, 'orgId' | 'iccid' | 'cycleStartedAt' | 'cycleEndsAt'> & {
  cycleStartedAt: Date | number | null;
  cycleEndsAt: Date | number | null;
};

/**
 * Writes counters. A lower counter or another limit invalidates what was computed from them, so the SIM is
 * evaluated with its next record. An operation's stop or slow-down of data until the end of the cycle also ends
 * when the end of an order cuts the cycle short.
 */
export const writeCounters = async (tx: Sql, live: readonly Counter[]): Promise<void> => {
  if (live.length === 0) return;
  await tx.query(
    `update sim_live l set cycle_started_at = v.cycle_started_at, cycle_ends_at = v.cycle_ends_at,
       used_bytes = v.used, limit_bytes = v.quota, extra_bytes = v.extra, threshold_bytes = v.threshold,
       over_limit = v.over_limit, data_state = v.data_state, rate_kbps = v.rate_kbps,
       watch_bytes = case when v.used >= l.used_bytes and v.quota is not distinct from l.limit_bytes
         then l.watch_bytes else 0 end,
       held_until = case when l.held_until = l.cycle_ends_at and v.cycle_ends_at is distinct from l.cycle_ends_at
         then l.cycle_started_at else l.held_until end
     from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[],
       $7::bigint[], $8::boolean[], $9::smallint[], $10::integer[])
       as v (sim_id, cycle_started_at, cycle_ends_at, used, quota, extra, threshold, over_limit, data_state, rate_kbps)
     where l.sim_id = v.sim_id`,
    [
      int8Column(live, (row) => row.simId),
      timestampColumn(live, (row) => ms(row.cycleStartedAt)),
      timestampColumn(live, (row) => ms(row.cycleEndsAt)),
      int8Column(live, (row) => row.used),
      int8Column(live, (row) => row.limit),
      int8Column(live, (row) => row.extra),
      int8Column(live, (row) => row.threshold),
      booleanColumn(live, (row) => row.overLimit),
      int2Column(live, (row) => row.dataState),
      int4Column(live, (row) => row.rateKbps),
    ],
  );
};

export interface UsageSince {
  simId: number;
  /** From this instant on. */
  at: Date;
}

/** The SIMs' usage since an instant: from the records, because a counter has no times. */
export const sumUsageSince = async (tx: Sql, since: readonly UsageSince[]): Promise<Map<number, number>> => {
  if (since.length === 0) return new Map();
  const { rows } = await tx.query<{ sim_id: number; bytes: number }>(
    `select v.sim_id, used.bytes from unnest($1::bigint[], $2::timestamptz[]) as v (sim_id, at)
     cross join lateral (select sum(up_bytes + down_bytes)::bigint as bytes from cdrs c
       where c.sim_id = v.sim_id and c.ended_at >= v.at group by c.sim_id) as used`,
    [int8Column(since, (row) => row.simId), timestampColumn(since, (row) => row.at.getTime())],
  );
  const sums = new Map(since.map(({ simId }) => [simId, 0]));
  for (const { sim_id, bytes } of rows) sums.set(sim_id, bytes);
  return sums;
};
