import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { simsPerFact, usageWatchReached } from '../usage.events.ts';
import type { UsageSums } from '../usage-sums.ts';
import { listWatches } from './watches.queries.ts';

/** Older days are in no running period: the longest period is a calendar month, and yearly cycles are seen by their last days. */
const watchedDays = 32;

/**
 * Reports the daily usage that a chunk of a file added to SIMs with watches: each day is checked, because the records
 * of a file are in no order of time. `days` are sums of SIMs by day, `owners` their organisations.
 */
export const emitWatchedDays = async (
  tx: Sql,
  { days, owners, now }: { days: UsageSums; owners: ReadonlyMap<number, number>; now: Date },
): Promise<void> => {
  const watches = await listWatches(tx);
  if (watches.size === 0) return;
  const oldest = Math.floor(now.getTime() / dayMs) - watchedDays;
  const byOrg = new Map<number, Map<string, [number, number]>>();
  for (let position = 0; position < days.length; position += 1) {
    const simId = days.owner[position] as number;
    const day = days.time[position] as number;
    const orgId = owners.get(simId);
    if (orgId === undefined || !watches.has(orgId) || day < oldest) continue;
    const sims = byOrg.get(orgId) ?? new Map<string, [number, number]>();
    byOrg.set(orgId, sims.set(`${simId} ${day}`, [simId, day * dayMs]));
  }
  const found = new Map([...byOrg].map(([orgId, sims]) => [orgId, [...sims.values()]]));
  await emitMany(
    tx,
    usageWatchReached,
    factsByOrganisation(found, simsPerFact, (sims) => ({ sims })),
  );
};
