import type { Measured } from '@simcube/contract/autoflow';
import type { SimSpan } from '../../usage/index.ts';
import { inParts } from '../engine/parts.rules.ts';
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

/** A piece of a period in which usage came to a threshold; its records say when. */
export interface CrossedPiece {
  piece: SimSpan;
  /** Usage of the period before the piece. */
  before: number;
  threshold: number;
  /** The period. */
  span: Span;
}

/** What was found, on which of the days. */
export type Found = { place: number } & ({ firing: ReplayedFiring } | { crossed: CrossedPiece });

/** When the records of a piece brought usage to the threshold; undefined where they did not. */
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
  const at = crossing && instants[crossing.place]?.[0];
  if (!crossing || at === undefined) return undefined;
  return {
    simId: piece.simId,
    at,
    measured: measuredOf({ trigger }, { span, total: crossing.stood, threshold }),
  };
};

export interface Judged {
  /** How many SIMs were judged, and by how many records. */
  sims: number;
  records: number;
  found: ReadonlyMap<number, readonly Found[]>;
  /** What usage beyond the quota was charged for afterwards; where that can be said. */
  overage?: Amounts;
}

/** How a trigger is replayed. */
export interface Replayer {
  /**
   * Hands over what it finds of SIMs, which are sorted, some after the others.
   * @param heard says whether to go on
   * @returns whether it came to the end
   */
  judge(sims: readonly number[], heard: (judged: Judged) => Promise<boolean>): Promise<boolean>;
}

/** SIMs that one statement looks at: small ones, between which others have their turn. */
export const simsAtOnce = 5000;

export const inTurns = (judge: (sims: readonly number[]) => Promise<Omit<Judged, 'sims'>>): Replayer => ({
  judge: async (sims, heard) => {
    for (const some of inParts(sims, simsAtOnce)) {
      if (!(await heard({ sims: some.length, ...(await judge(some)) }))) return false;
    }
    return true;
  },
});
