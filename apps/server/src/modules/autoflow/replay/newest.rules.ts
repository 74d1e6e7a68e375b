/** What was found, as far as it is among the newest. */
export interface Newest<T> {
  add(place: number, found: T): void;
  /** The newest first; of one place in no order. */
  list(): T[];
}

/**
 * Keeps the newest of what is found in no order of time, by the place of its day: at least `most` of them, where there are as
 * many, and never more than twice as many beside the last day's.
 */
export const createNewest = <T>({ places, most }: { places: number; most: number }): Newest<T> => {
  const days: T[][] = Array.from({ length: places }, () => []);
  let oldest = 0;
  let count = 0;
  return {
    add: (place, found) => {
      if (place < oldest) return;
      // Of a day alone any are as good as others.
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
