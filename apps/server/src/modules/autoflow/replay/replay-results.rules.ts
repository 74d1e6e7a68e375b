import type { Measured } from '@simcube/contract/autoflow';
import { inChunks } from '../../../platform/collections/index.ts';
import type { SimSpan } from '../../usage/index.ts';
import type { Span } from '../engine/period.rules.ts';
import { crossingOf } from '../engine/threshold.rules.ts';
import { measuredOf, type UsageRule } from '../engine/usage.rules.ts';
import type { Amounts } from './amounts.rules.ts';

/** What a replay would have fired for. */
export interface ReplayedFiring {
  simId: number;
  /** Milliseconds. */
  at: number;
  measured: Measured;
}

/** A piece of a period in which usage reached a threshold; its records show when. */
export interface CrossedPiece {
  piece: SimSpan;
  /** Usage of the period before the piece. */
  before: number;
  threshold: number;
  /** The period. */
  span: Span;
}

/** A result with the position of its day. */
export type ReplayResult = { dayIndex: number } & ({ firing: ReplayedFiring } | { crossed: CrossedPiece });

/** When the records of a piece reached the threshold; undefined if they did not. */
export const firingOf = (
  trigger: UsageRule['trigger'],
  { piece, before, threshold, span }: CrossedPiece,
  { ends, bytes }: { ends: readonly number[]; bytes: readonly number[] },
): ReplayedFiring | undefined => {
  const byEnd = new Map<number, number>();
  for (const [index, end] of ends.entries()) byEnd.set(end, (byEnd.get(end) ?? 0) + (bytes[index] ?? 0));
  const instants = [...byEnd].sort(([a], [b]) => a - b);
  const pieces = instants.map(([, sum]) => sum);
  const total = pieces.reduce((sum, one) => sum + one, before);
  const crossing = crossingOf(total, pieces, threshold);
  const at = crossing && instants[crossing.index]?.[0];
  if (!crossing || at === undefined) return undefined;
  return {
    simId: piece.simId,
    at,
    measured: measuredOf({ trigger }, { span, total: crossing.usage, threshold }),
  };
};

export interface ReplayStep {
  /** Numbers of SIMs evaluated, and of their records. */
  sims: number;
  records: number;
  results: ReadonlyMap<number, readonly ReplayResult[]>;
  /** Overage charges afterwards, if they can be determined. */
  overage?: Amounts;
}

/** How a trigger is replayed. */
export interface Replayer {
  /**
   * Reports what it finds for sorted SIMs, in parts.
   * @param report returns whether to continue
   * @returns whether it was completed
   */
  evaluate(sims: readonly number[], report: (judged: ReplayStep) => Promise<boolean>): Promise<boolean>;
}

/** SIMs checked by one statement; small, so that other work gets its turn in between. */
export const simsPerChunk = 5000;

export const createChunkedReplayer = (
  evaluate: (sims: readonly number[]) => Promise<Omit<ReplayStep, 'sims'>>,
): Replayer => ({
  evaluate: async (sims, report) => {
    for (const chunk of inChunks(sims, simsPerChunk)) {
      if (!(await report({ sims: chunk.length, ...(await evaluate(chunk)) }))) return false;
    }
    return true;
  },
});
