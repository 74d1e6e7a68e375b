import type { ResetCycle } from '@simcube/contract';
import type { CdrLine } from './cdr-line.rules.ts';

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

/** A SIM of a file, with the cycle that its last record fell into: records of one SIM mostly share it. */
export interface KnownSim extends ResolvedSim {
  cycle: { startedAt: number; endsAt: number } | undefined;
}

/** A record ready for the store. */
export interface CdrRow extends Omit<CdrLine, 'identifier' | 'record'> {
  sim: KnownSim;
  dedupeKey: number;
}
