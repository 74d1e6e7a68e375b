import { limits } from '@simcube/contract';
import { SetReader } from './number-sets.rules.ts';

/** The maximum number of days in a query's span. */
const days = limits.cdrs.days;
/** Maximum number of days in one computation, from the first known one, so that a day's number fits into a byte. */
const maxDays = 255;

/**
 * Counts the members of each hour that are seen for the first time: the number at position n is of those that were
 * seen neither earlier on that day nor on the n days before. For a span that begins with a day, the number of distinct
 * members is the sum of each hour's number at its distance in days from the span's first day.
 * Days must be added in order, with numbers from 1 to 255.
 */
export class FirstSeenCounts {
  readonly #lastDays = new LastDays();
  readonly #reader = new SetReader();

  /** Adds a day that is not counted, as a packed set. */
  markSeen(day: number, set: Uint8Array): void {
    this.#reader.begin(set);
    for (let length = this.#reader.read(); length > 0; length = this.#reader.read()) {
      for (let index = 0; index < length; index += 1) {
        this.#lastDays.mark(this.#reader.block[index] as number, day);
      }
    }
  }

  /** @param hours packed sets of the day's hours, in order */
  count(day: number, hours: readonly Uint8Array[]): number[][] {
    if (day > maxDays) throw new RangeError('Too many days are counted at once');
    return hours.map((hour) => {
      const byAge = new Array<number>(days + 1).fill(0);
      this.#reader.begin(hour);
      for (let length = this.#reader.read(); length > 0; length = this.#reader.read()) {
        for (let index = 0; index < length; index += 1) {
          const last = this.#lastDays.mark(this.#reader.block[index] as number, day);
          if (last === day) continue;
          const age = last === 0 || day - last > days ? days : day - last;
          byAge[age] = (byAge[age] ?? 0) + 1;
        }
      }
      return sumsFromEnd(byAge);
    });
  }
}

const pageLength = 4096;

/**
 * The last day on which each number was seen, one byte each; 0 if never. Sets are sorted, so the next number is
 * usually on the same page.
 */
class LastDays {
  readonly #pages = new Map<number, Uint8Array>();
  #page: Uint8Array = new Uint8Array(0);
  #start = 0;

  /** @returns the previous value */
  mark(number: number, day: number): number {
    let position = number - this.#start;
    if (position < 0 || position >= this.#page.length) {
      this.#turn(number);
      position = number - this.#start;
    }
    const last = this.#page[position] ?? 0;
    this.#page[position] = day;
    return last;
  }

  #turn(number: number): void {
    this.#start = Math.floor(number / pageLength) * pageLength;
    const found = this.#pages.get(this.#start);
    this.#page = found ?? new Uint8Array(pageLength);
    if (!found) this.#pages.set(this.#start, this.#page);
  }
}

/** For each position, the sum of the values at later positions. */
const sumsFromEnd = (counts: readonly number[]): number[] => {
  const sums: number[] = [];
  for (let position = counts.length - 1, sum = 0; position > 0; position -= 1) {
    sum += counts[position] ?? 0;
    sums[position - 1] = sum;
  }
  return sums;
};

/** Sums for the whole day. */
export const dayTotals = (hours: readonly (readonly number[])[]): number[] =>
  Array.from({ length: days }, (_, position) => hours.reduce((sum, hour) => sum + (hour[position] ?? 0), 0));
