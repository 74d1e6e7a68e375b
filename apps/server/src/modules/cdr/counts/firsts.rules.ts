import { limits } from '@simcube/contract';
import { SetReader } from './number-sets.rules.ts';

/** As many as a question may touch. */
const days = limits.cdrs.days;
/** Days of one counting, from the first that is known on: each has a number that fits into a byte. */
const daysMost = 255;

/**
 * How many members of each hour of a day are there for the first time: earlier on that day they were not, nor, by position,
 * on no day before, on the day before, on the two days before and so on. Of a span that begins on a day, the members are
 * counted once each by adding up, of each hour, the number at as many days as it is after that day.
 *
 * Days come in their order, by number, from 1 to 255.
 */
export class Firsts {
  readonly #lastDays = new LastDays();
  readonly #reader = new SetReader();

  /** A day of which nothing is counted, as a packed set. */
  know(day: number, set: Uint8Array): void {
    this.#reader.begin(set);
    for (let length = this.#reader.read(); length > 0; length = this.#reader.read()) {
      for (let index = 0; index < length; index += 1) {
        this.#lastDays.mark(this.#reader.block[index] as number, day);
      }
    }
  }

  /** @param hours of the day, packed sets, in their order */
  count(day: number, hours: readonly Uint8Array[]): number[][] {
    if (day > daysMost) throw new RangeError('Too many days are counted at once');
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

/** The last day on which each number was there, a byte each; 0 when it was not. Sets are sorted: the next is on the same page. */
class LastDays {
  readonly #pages = new Map<number, Uint8Array>();
  #page: Uint8Array = new Uint8Array(0);
  #start = 0;

  /** @returns what it was before */
  mark(number: number, day: number): number {
    let place = number - this.#start;
    if (place < 0 || place >= this.#page.length) {
      this.#turn(number);
      place = number - this.#start;
    }
    const last = this.#page[place] ?? 0;
    this.#page[place] = day;
    return last;
  }

  #turn(number: number): void {
    this.#start = Math.floor(number / pageLength) * pageLength;
    const found = this.#pages.get(this.#start);
    this.#page = found ?? new Uint8Array(pageLength);
    if (!found) this.#pages.set(this.#start, this.#page);
  }
}

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
