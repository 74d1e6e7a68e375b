import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { simsPerFact, usageWatchReached } from '../usage.events.ts';
import type { UsageSums } from '../usage-sums.ts';
import { listWatches } from './watches.queries.ts';

const dayMs = 86_400_000;
/** Beyond it no period is running any longer: the longest is a calendar month, and cycles of a year are seen by their last days. */
const watchedDays = 32;

/**
 * What a chunk of a file added to days of SIMs whose usage is watched: each is looked at, as a file's records come in no
 * order of time. `days` are sums of SIMs by the day, `owners` whose they are.
 */
export const emitWatchedDays = async (
  tx: Sql,
  { days, owners, now }: { days: UsageSums; owners: ReadonlyMap<number, number>; now: Date },
): Promise<void> => {
  const watches = await listWatches(tx);
  if (watches.size === 0) return;
  const oldest = Math.floor(now.getTime() / dayMs) - watchedDays;
  const byOrg = new Map<number, Map<string, [number, number]>>();
  for (let place = 0; place < days.length; place += 1) {
    const simId = days.owner[place] as number;
    const day = days.time[place] as number;
    const orgId = owners.get(simId);
    if (orgId === undefined || !watches.has(orgId) || day < oldest) continue;
    const sims = byOrg.get(orgId) ?? new Map<string, [number, number]>();
    byOrg.set(orgId, sims.set(`${simId} ${day}`, [simId, day * dayMs]));
  }
  const facts = [...byOrg].flatMap(([orgId, found]) => {
    const sims = [...found.values()];
    return Array.from({ length: Math.ceil(sims.length / simsPerFact) }, (_, part) => ({
      orgId,
      payload: { sims: sims.slice(part * simsPerFact, (part + 1) * simsPerFact) },
    }));
  });
  await emitMany(tx, usageWatchReached, facts);
};
