import { refusedService } from '../aaa.rules.ts';
import type { Changes } from './changes.ts';
import type { SimState } from './sim-state.ts';

/**
 * Notes the SIMs of the batch that must not be online and are: the network accepted them before, or does not do what it
 * was asked for. A quota that this very batch used up has a fact of its own.
 */
export const noteWithoutService = (changes: Changes, now: number): void => {
  for (const { sim } of changes.sims.values()) {
    const reason = refusedService(sim, now);
    if (reason === null || !isOnline(sim)) continue;
    const isJustUsedUp = changes.crossings.some(({ simId }) => simId === sim.simId);
    if (reason === 'quota-used' && isJustUsedUp) continue;
    changes.withoutService.push({ simId: sim.simId, org_id: sim.orgId, reason });
  }
};

const isOnline = (sim: SimState): boolean => {
  for (const { stoppedAt } of sim.sessions.values()) if (stoppedAt === null) return true;
  return false;
};
