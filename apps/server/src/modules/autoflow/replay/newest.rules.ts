/** Collects the newest results. */
export interface Newest<T> {
  add(place: number, found: T): void;
  /** Newest first; results of one day are in no particular order. */
  list(): T[];
}

/**
 * Keeps the newest of results found in no order of time, by the position of their day: at least `most` of them, if
 * there are that many, and never more than twice that plus one day's.
 */
export const createNewest = <T>({ places, most }: { places: number; most: number }): Newest<T> => {
  const days: T[][] = Array.from({ length: places }, () => []);
  let oldest = 0;
  let count = 0;
  return {
    add: (place, found) => {
      if (place < oldest) return;
      // Results of the same day are interchangeable.
      if ((days[place]?.length ?? 0) >= most) return;
      days[place]?.push(found);
      count += 1;
      while (count - (days[oldest]?.length ?? 0) >= most) {
        count -= days[oldest]?.length ?? 0;
        days[oldest] = [];
        oldest += 1;
      }
    },
    list: () => days.toReversed().flat().slice(0, most),
  };
};
