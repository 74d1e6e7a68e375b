import { limits } from '@simcube/contract';
import { eachOf, unionOf, unpackSet } from './number-sets.rules.ts';

/** As many as a question may touch. */
const days = limits.cdrs.days;

/**
 * How many members of each hour of a day are there for the first time: earlier on that day they were not, nor, by position,
 * on no day before, on the day before, on the two days before and so on. Of a span that begins on a day, the members are
 * counted once each by adding up, of each hour, the number at as many days as it is after that day.
 * @param hours packed sets, in their order
 * @param earlier packed sets of the days before, the nearest first; undefined where there were none
 */
export const firstsOf = (
  hours: readonly Uint8Array[],
  earlier: readonly (Uint8Array | undefined)[],
): number[][] => {
  const members = unionOf(hours.map(unpackSet));
  const ages = agesOf(members, earlier);
  const seen = new Uint8Array(members.length);
  return hours.map((hour) => {
    const byAge = new Array<number>(days + 1).fill(0);
    eachPlace(members, hour, (place) => {
      if (seen[place] === 1) return;
      seen[place] = 1;
      const age = ages[place] ?? days;
      byAge[age] = (byAge[age] ?? 0) + 1;
    });
    return sumsFromEnd(byAge);
  });
};

/** How many days before each member was there last; the days of a question when it was not within these. */
const agesOf = (members: readonly number[], earlier: readonly (Uint8Array | undefined)[]): Uint8Array => {
  const ages = new Uint8Array(members.length).fill(days);
  for (const [index, set] of earlier.slice(0, days - 1).entries()) {
    if (!set) continue;
    eachPlace(members, set, (place) => {
      if (ages[place] === days) ages[place] = index + 1;
    });
  }
  return ages;
};

/** The places of the numbers of a set in a sorted list, of those that are in both. */
const eachPlace = (sorted: readonly number[], set: Uint8Array, told: (place: number) => void): void => {
  let place = 0;
  eachOf(set, (number) => {
    while (place < sorted.length && (sorted[place] as number) < number) place += 1;
    if (sorted[place] === number) told(place);
  });
};

/** At each position how many there are at later ones. */
const sumsFromEnd = (counts: readonly number[]): number[] => {
  const sums: number[] = [];
  for (let position = counts.length - 1, sum = 0; position > 0; position -= 1) {
    sum += counts[position] ?? 0;
    sums[position - 1] = sum;
  }
  return sums;
};

/** Of the whole day. */
export const addedUp = (hours: readonly (readonly number[])[]): number[] =>
  Array.from({ length: days }, (_, position) => hours.reduce((sum, hour) => sum + (hour[position] ?? 0), 0));
