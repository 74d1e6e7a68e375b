import type { PoolSpec } from '@simcube/contract/pool';
import type { Sql } from '../../platform/db/index.ts';
import { countForPools, type PooledRecord } from './cycles/counting.queries.ts';
import { membershipOperations } from './membership/membership.operation.ts';
import { enrolSims, removeIneligibleMembers } from './membership/membership.service.ts';
import { poolConsumers } from './pool.consumers.ts';
import { poolJobs } from './pool.jobs.ts';
import { findPoolByName } from './pool.queries.ts';
import { type PoolOptions, poolRoutes } from './pool.routes.ts';
import { PoolRefused } from './pool.rules.ts';
import { listDueRollovers, rollOverPool } from './rollover.service.ts';

export { countForPools, type PooledRecord } from './cycles/counting.queries.ts';
export {
  type BilledPoolCycle,
  findChargedCycle,
  findPoolOfSim,
  listChargedCycles,
  listForecastDays,
  listMemberSpans,
  listPooledSpans,
  listPoolKinds,
  withRecordedUsage,
} from './cycles/cycle.views.ts';
export { cycleMemberList, noCycle } from './cycles/cycle-members.views.ts';
export { readCycleUsage } from './cycles/cycle-usage.views.ts';
export { restateUsage } from './cycles/history.queries.ts';
export { findPooledSims } from './membership/membership.views.ts';
export { poolCatalogue } from './pool.catalogue.ts';
export { poolCommands } from './pool.cli.ts';
export { poolEventRecorded, poolServiceChanged } from './pool.events.ts';
export { forecastDaysNeeded, forecastOf } from './pool.rules.ts';
export { changeLimit, type PoolDifference, setPool } from './pool.service.ts';
export { listPoolIds } from './pool.views.ts';
export { pooledUsage } from './verify/verify.service.ts';

export const poolModule = (options: PoolOptions) => ({
  routes: poolRoutes(options),
  operations: membershipOperations,
  jobs: poolJobs(options),
  consumers: poolConsumers(options),
});

/** Counts records for the pools of their SIMs, whose rows the caller has locked. */
export const addToPools = async (tx: Sql, records: readonly PooledRecord[]): Promise<void> => {
  for (const statement of countForPools(records)) await tx.query(statement);
};

/** Removes transferred SIMs from the pools of their former organisation, as part of the transfer. */
export const leavePools = (tx: Sql, { simIds, at }: { simIds: readonly number[]; at: Date }): Promise<void> =>
  removeIneligibleMembers(tx, { simIds, now: at });

/** Adds SIMs with an order of the pool's bundle to a pool, as a person would have at that time. */
export const enrolManually = async (
  tx: Sql,
  work: { pool: Pick<PoolSpec, 'organisation' | 'name'>; simIds: readonly number[]; at: Date; actor: string },
): Promise<void> => {
  const { pool, simIds, at, actor } = work;
  const found = await findPoolByName(tx, pool);
  if (!found) throw new PoolRefused(`Organisation ${pool.organisation} has no pool ${pool.name}`);
  const sims = simIds.map((simId) => ({ simId, enrolledAt: at }));
  await enrolSims(tx, { poolId: found.id, sims, now: at, by: { actor } });
};

/** Records the cycles that turned, as of that time. */
export const rollOverPoolsAt = async (tx: Sql, at: Date): Promise<void> => {
  for (const poolId of await listDueRollovers(tx, at)) await rollOverPool(tx, poolId, at);
};
