import type pg from 'pg';
import {
  booleanColumn,
  int2Column,
  int4Column,
  int8Column,
  timestampColumn,
} from '../../platform/db/index.ts';
import { emitMany } from '../../platform/outbox/index.ts';
import { type LiveUsage, type Settled, settleUsage } from './live-usage.rules.ts';
import { usageReopened, usageThresholdCrossed } from './usage.events.ts';
import { type CycleUsage, cycleUsage } from './usage.rollups.ts';

/** Locked in the order of their ids; intake, which locks nothing between read and write, sees the change and reads anew. */
const lockLive = `
  select l.sim_id as "simId", l.org_id as "orgId", s.iccid,
    (extract(epoch from l.cycle_started_at) * 1000)::float8 as "cycleStartedAt",
    (extract(epoch from l.cycle_ends_at) * 1000)::float8 as "cycleEndsAt", l.used_bytes as used,
    l.limit_bytes as limit, l.threshold_bytes as threshold, l.over_limit as "overLimit",
    l.data_state as "dataState", l.rate_kbps as "rateKbps", b.overage_policy as policy,
    b.slow_kbps as "slowKbps"
  from sim_live l join sims s on s.id = l.sim_id left join bundles b on b.id = s.bundle_id
  where l.sim_id = any($1::bigint[]) order by l.sim_id for update of l`;

const writeLive = `
  update sim_live l set cycle_started_at = v.cycle_started_at, cycle_ends_at = v.cycle_ends_at, used_bytes = v.used,
    threshold_bytes = v.threshold, over_limit = v.over_limit, data_state = v.data_state, rate_kbps = v.rate_kbps
  from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::boolean[],
    $7::smallint[], $8::integer[])
    as v (sim_id, cycle_started_at, cycle_ends_at, used, threshold, over_limit, data_state, rate_kbps)
  where l.sim_id = v.sim_id`;

/**
 * Adds usage by cycle to the counters of many SIMs, in the caller's transaction: turns cycles, archives closed ones,
 * minds thresholds, and tells of both by facts.
 */
export const addLiveUsage = async (
  tx: pg.PoolClient,
  usage: readonly CycleUsage[],
  now: Date,
): Promise<void> => {
  if (usage.length === 0) return;
  const bySim = new Map<number, CycleUsage[]>();
  for (const part of usage) {
    const parts = bySim.get(part.simId);
    if (parts) parts.push(part);
    else bySim.set(part.simId, [part]);
  }
  const { rows } = await tx.query<LiveUsage>(lockLive, [int8Column([...bySim.keys()], (simId) => simId)]);
  const settled = rows.map((row) =>
    settleUsage(
      row,
      (bySim.get(row.simId) ?? []).sort((a, b) => a.endsAt - b.endsAt),
    ),
  );
  const live = settled.map((row) => row.live);
  await tx.query(writeLive, [
    int8Column(live, (row) => row.simId),
    timestampColumn(live, (row) => row.cycleStartedAt),
    timestampColumn(live, (row) => row.cycleEndsAt),
    int8Column(live, (row) => row.used),
    int8Column(live, (row) => row.threshold),
    booleanColumn(live, (row) => row.overLimit),
    int2Column(live, (row) => row.dataState),
    int4Column(live, (row) => row.rateKbps),
  ]);
  for (const statement of cycleUsage(settled.flatMap(({ closed }) => closed))) await tx.query(statement);
  await tell(tx, settled, now);
};

const tell = async (tx: pg.PoolClient, settled: readonly Settled[], now: Date): Promise<void> => {
  const at = now.toISOString();
  const crossings = settled.flatMap(({ live, crossed }) =>
    crossed === null
      ? []
      : [
          {
            orgId: live.orgId,
            payload: {
              simId: live.simId,
              iccid: live.iccid,
              ...crossed,
              limitBytes: live.limit,
              overLimit: live.overLimit,
              dataState: live.dataState,
              rateKbps: live.rateKbps,
              at,
            },
          },
        ],
  );
  const reopened = settled.flatMap(({ live, reopened: dataStateBefore }) =>
    dataStateBefore === null
      ? []
      : [{ orgId: live.orgId, payload: { simId: live.simId, iccid: live.iccid, dataStateBefore } }],
  );
  await emitMany(tx, usageThresholdCrossed, crossings);
  await emitMany(tx, usageReopened, reopened);
  const over = crossings.filter(({ payload }) => payload.overLimit);
  if (over.length === 0) return;
  await tx.query(
    `insert into sim_events (sim_id, at, org_id, kind, facts)
     select sim_id, $2, org_id, 'quota-reached', jsonb_build_object('used_bytes', used, 'limit_bytes', quota)
     from unnest($1::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as v (sim_id, org_id, used, quota)`,
    [
      int8Column(over, ({ payload }) => payload.simId),
      now,
      int8Column(over, ({ orgId }) => orgId),
      int8Column(over, ({ payload }) => payload.usedBytes),
      int8Column(over, ({ payload }) => payload.limitBytes),
    ],
  );
};
