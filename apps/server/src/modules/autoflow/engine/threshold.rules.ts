/** Usage in a period: the total, and the part from records that ended before the checked one. */
export interface PeriodUsage {
  total: number;
  before: number;
}

/** Whether the checked record, or a later one, brought usage to the threshold. */
export const isCrossed = ({ total, before }: PeriodUsage, threshold: number): boolean =>
  before < threshold && total >= threshold;

/** Where usage reached a threshold: the position of the piece, and the usage after it. */
export interface Crossing {
  index: number;
  usage: number;
}

/**
 * Which of the last pieces of a period's usage, in order of time, reached the threshold; undefined if usage is below
 * it, or had already reached it before the first piece.
 */
export const crossingOf = (
  total: number,
  pieces: ArrayLike<number>,
  threshold: number,
): Crossing | undefined => {
  let usage = total;
  for (let index = pieces.length - 1; index >= 0 && usage >= threshold; index -= 1) {
    const before = usage - (pieces[index] ?? 0);
    if (isCrossed({ total: usage, before }, threshold)) return { index, usage };
    usage = before;
  }
  return undefined;
};

/**
 * The minimum further usage until the threshold is crossed next. It holds even if periods end in the meantime: a new
 * period starts from zero, so it never takes less, and a threshold that was crossed can only be crossed again in
 * another period.
 */
export const bytesToCrossing = (total: number, threshold: number): number =>
  total < threshold ? threshold - total : threshold;

/** The usage of a cycle from which a SIM must be checked; null if nothing can be crossed. */
export const watchAt = (used: number, distances: Iterable<number>): number | null => {
  let nearest = Number.POSITIVE_INFINITY;
  for (const distance of distances) nearest = Math.min(nearest, distance);
  return nearest < Number.MAX_SAFE_INTEGER - used ? used + nearest : null;
};

/** The bytes at which a percentage of a limit is reached; null without a limit. */
export const bytesAtPercent = (limit: number | null, percent: number): number | null =>
  limit === null ? null : Math.max(Math.ceil((limit * percent) / 100), 1);
