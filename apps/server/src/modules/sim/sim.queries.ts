import { type Lifecycle, lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../platform/db/index.ts';
import { lifecyclesBefore } from './sim.rules.ts';

export interface LifecycleStep {
  simIds: readonly number[];
  to: Lifecycle;
  /** When it happened: for all SIMs, or by SIM. */
  at: Date | ReadonlyMap<number, Date>;
}

export interface ChangedSim {
  id: number;
  orgId: number;
  iccid: string;
  from: number;
  at: Date;
}

/**
 * Moves those of the SIMs whose state allows it to `to`, with their counts, in one statement, and makes intake,
 * which caches SIMs, read them again. SIMs are locked before their live state, as by intake, both in the order of
 * ids, and counts in that of their key, so that two batches can't deadlock.
 */
export const updateLifecycle = async (tx: Sql, step: LifecycleStep): Promise<ChangedSim[]> => {
  const { to, at } = step;
  const simIds = [...new Set(step.simIds)].filter((simId) => at instanceof Date || at.has(simId));
  const { rows } = await tx.query<ChangedSim>(
    `with wanted as (
       select s.id, s.org_id, s.iccid, s.lifecycle, given.at
       from unnest($1::bigint[], $4::timestamptz[]) as given (id, at) join sims s on s.id = given.id
       where s.lifecycle = any($3::smallint[]) order by s.id for update of s),
     moved as (
       update sims set lifecycle = $2::smallint, lifecycle_changed_at = wanted.at,
         activated_at = case when $2 = ${lifecycleNumbers.active}
           then coalesce(sims.activated_at, wanted.at) else sims.activated_at end
       from wanted where sims.id = wanted.id),
     versioned as (
       update sim_live l set lifecycle_changes = l.lifecycle_changes + 1
       from (select sim_id from sim_live where sim_id in (select id from wanted) order by sim_id for update) as own
       where l.sim_id = own.sim_id),
     counted as (
       insert into org_sim_counts (org_id, lifecycle, sims)
       select org_id, lifecycle, sum(change) from (
         select org_id, lifecycle, -1 as change from wanted
         union all select org_id, $2::smallint, 1 from wanted) as changes
       group by 1, 2 order by 1, 2
       on conflict (org_id, lifecycle) do update set sims = org_sim_counts.sims + excluded.sims)
     select id, org_id as "orgId", iccid, lifecycle as "from", at from wanted`,
    [
      simIds,
      lifecycleNumbers[to],
      lifecyclesBefore(to).map((from) => lifecycleNumbers[from]),
      simIds.map((simId) => (at instanceof Date ? at : at.get(simId))),
    ],
  );
  return rows;
};
