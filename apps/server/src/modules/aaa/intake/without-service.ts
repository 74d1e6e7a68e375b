import { serviceRejectReason } from '../aaa.rules.ts';
import type { Changes } from './changes.ts';
import type { SimState } from './sim-state.ts';

/**
 * Notes the SIMs of the batch that are online but must not be: the network accepted them earlier, or has not carried
 * out a request. A quota that this batch used up has its own fact.
 */
export const recordWithoutService = (changes: Changes, now: number): void => {
  for (const { sim } of changes.sims.values()) {
    const reason = serviceRejectReason(sim, now);
    if (reason === null || !isOnline(sim)) continue;
    const isJustUsedUp = changes.crossings.some(({ simId }) => simId === sim.simId);
    if (reason === 'quota-used' && isJustUsedUp) continue;
    changes.withoutService.push({ simId: sim.simId, orgId: sim.orgId, reason });
  }
};

const isOnline = (sim: SimState): boolean => {
  for (const { stoppedAt } of sim.sessions.values()) if (stoppedAt === null) return true;
  return false;
};
