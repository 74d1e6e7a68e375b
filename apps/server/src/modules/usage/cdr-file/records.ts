import type { ResetCycle } from '@simcube/contract';

/** A line that was not taken, and why. */
export interface Refusal {
  line: number;
  reason: string;
}

export interface ResolvedSim {
  simId: number;
  orgId: number;
  resetCycle: ResetCycle | null;
  activatedAt: number | null;
}
