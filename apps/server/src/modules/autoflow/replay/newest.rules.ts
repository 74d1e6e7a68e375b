/** Collects the newest results. */
export interface NewestCollector<T> {
  add(dayIndex: number, result: T): void;
  /** Newest first; results of one day are in no particular order. */
  list(): T[];
}

/**
 * Keeps the newest of results found in no order of time, by the position of their day: at least `limit` of them, if
 * there are that many, and never more than twice that plus one day's.
 */
export const createNewestCollector = <T>({
  days,
  limit,
}: {
  days: number;
  limit: number;
}): NewestCollector<T> => {
  const byDay: T[][] = Array.from({ length: days }, () => []);
  let oldest = 0;
  let count = 0;
  return {
    add: (dayIndex, result) => {
      if (dayIndex < oldest) return;
      // Results of the same day are interchangeable.
      if ((byDay[dayIndex]?.length ?? 0) >= limit) return;
      byDay[dayIndex]?.push(result);
      count += 1;
      while (count - (byDay[oldest]?.length ?? 0) >= limit) {
        count -= byDay[oldest]?.length ?? 0;
        byDay[oldest] = [];
        oldest += 1;
      }
    },
    list: () => byDay.toReversed().flat().slice(0, limit),
  };
};
