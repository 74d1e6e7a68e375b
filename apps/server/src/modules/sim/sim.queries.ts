import { type Lifecycle, lifecycleNumbers } from '@simcube/contract';
import type { Sql } from '../../platform/db/index.ts';
import { lifecyclesBefore } from './sim.rules.ts';

export interface LifecycleChange {
  simIds: readonly number[];
  to: Lifecycle;
  /** Why, for people: a phrase key of the event's fact. */
  reason: string;
  actor: string | null;
  at: Date;
  taskId?: string | undefined;
  traceId?: string | undefined;
}

export interface ChangedSim {
  id: number;
  orgId: number;
  iccid: string;
  from: number;
}

/**
 * Moves those of the SIMs that may go to `to`, their counts and their history, in one statement.
 * Rows are locked in the order of ids, counts in that of their key, so that two batches never wait for each other.
 */
export const updateLifecycle = async (tx: Sql, change: LifecycleChange): Promise<ChangedSim[]> => {
  const { simIds, to, reason, actor, at, taskId, traceId } = change;
  const { rows } = await tx.query<ChangedSim>(
    `with wanted as (
       select id, org_id, iccid, lifecycle from sims
       where id = any($1::bigint[]) and lifecycle = any($3::smallint[]) order by id for update),
     moved as (
       update sims set lifecycle = $2::smallint, lifecycle_changed_at = $4::timestamptz,
         activated_at = case when $2 = ${lifecycleNumbers.active} then coalesce(sims.activated_at, $4) else sims.activated_at end
       from wanted where sims.id = wanted.id),
     counted as (
       insert into org_sim_counts (org_id, lifecycle, sims)
       select org_id, lifecycle, sum(change) from (
         select org_id, lifecycle, -1 as change from wanted
         union all select org_id, $2::smallint, 1 from wanted) as changes
       group by 1, 2 order by 1, 2
       on conflict (org_id, lifecycle) do update set sims = org_sim_counts.sims + excluded.sims),
     recorded as (
       insert into sim_events (sim_id, at, org_id, kind, facts, actor, task_id, trace_id)
       select id, $4, org_id, 'lifecycle-changed',
         jsonb_build_object('from', ($5::text[])[array_position($6::smallint[], lifecycle)], 'to', $7::text, 'reason', $8::text),
         $9, $10, $11 from wanted)
     select id, org_id as "orgId", iccid, lifecycle as "from" from wanted`,
    [
      simIds,
      lifecycleNumbers[to],
      lifecyclesBefore(to).map((from) => lifecycleNumbers[from]),
      at,
      Object.keys(lifecycleNumbers),
      Object.values(lifecycleNumbers),
      to,
      reason,
      actor,
      taskId ?? null,
      traceId ?? null,
    ],
  );
  return rows;
};
