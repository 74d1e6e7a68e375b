/** What was used in a period: in all, and by records that ended before the one that is looked at. */
export interface Counted {
  total: number;
  before: number;
}

/** Whether the record that is looked at, or one after it, brought usage to the threshold. */
export const isCrossed = ({ total, before }: Counted, threshold: number): boolean =>
  before < threshold && total >= threshold;

/** Where usage came to a threshold: the place of the piece, and what usage stood at after it. */
export interface Crossing {
  place: number;
  stood: number;
}

/**
 * Which of the pieces that a period's usage ended with, the earliest first, brought it to the threshold; undefined when usage
 * is below it, or was not below it before the first of them.
 */
export const crossingOf = (
  total: number,
  pieces: ArrayLike<number>,
  threshold: number,
): Crossing | undefined => {
  let stood = total;
  for (let place = pieces.length - 1; place >= 0 && stood >= threshold; place -= 1) {
    const before = stood - (pieces[place] ?? 0);
    if (isCrossed({ total: stood, before }, threshold)) return { place, stood };
    stood = before;
  }
  return undefined;
};

/**
 * How much more usage it takes at least until the threshold is crossed next. Whatever periods end meanwhile: usage of a new one
 * begins at nothing, so it never takes less; and one that was crossed is crossed again in another period only.
 */
export const bytesToCrossing = (total: number, threshold: number): number =>
  total < threshold ? threshold - total : threshold;

/** The usage of a cycle from which on a SIM has to be looked at; null when nothing can be crossed. */
export const watchAt = (used: number, distances: Iterable<number>): number | null => {
  let nearest = Number.POSITIVE_INFINITY;
  for (const distance of distances) nearest = Math.min(nearest, distance);
  return nearest < Number.MAX_SAFE_INTEGER - used ? used + nearest : null;
};

/** Bytes at which a percentage of a limit is reached; null without a limit. */
export const bytesAtPercent = (limit: number | null, percent: number): number | null =>
  limit === null ? null : Math.max(Math.ceil((limit * percent) / 100), 1);
