import { NumberReader, NumberWriter } from '../../../platform/packed/index.ts';
import type { PastDays } from '../../usage/index.ts';

/** Usage of a SIM. */
export interface SimDayUsage {
  sim: number;
  records: number;
  up_bytes: number;
  down_bytes: number;
}

/** Calls back with SIMs in the order of ids. */
export type ForEachSimUsage = (visit: (usage: SimDayUsage) => void) => void;

/**
 * Daily usage of SIMs: added day by day, returned SIM by SIM. A SIM's day takes about five bytes, so that a million
 * SIMs fit in memory.
 */
export class DayColumns {
  /** Sorted. */
  readonly #ids: readonly number[];
  readonly #days: number;
  readonly #minBytes: number;
  readonly #columns: Column[] = [];
  /** Of the day being added, by the positions of SIMs. */
  readonly #sums: Float64Array;
  #dayIndex = 0;
  #isOpen = false;
  #next = 0;

  /** @param minBytes days with less usage are omitted */
  constructor(ids: readonly number[], { days, minBytes }: { days: number; minBytes: number }) {
    this.#ids = ids;
    this.#days = days;
    this.#minBytes = Math.max(minBytes, 1);
    this.#sums = new Float64Array(ids.length);
  }

  /**
   * Adds a part of the day at a position, which must not be before earlier ones.
   * @returns how many records of these SIMs it contains
   */
  add(dayIndex: number, forEach: ForEachSimUsage): number {
    if (dayIndex !== this.#dayIndex) this.#close();
    this.#dayIndex = dayIndex;
    this.#isOpen = true;
    const [ids, sums] = [this.#ids, this.#sums];
    let [at, records] = [0, 0];
    forEach((usage) => {
      while ((ids[at] ?? Number.POSITIVE_INFINITY) < usage.sim) at += 1;
      if (ids[at] !== usage.sim) return;
      sums[at] = (sums[at] ?? 0) + usage.up_bytes + usage.down_bytes;
      records += usage.records;
    });
    return records;
  }

  /** The days of the next `sims` SIMs that are wanted and used enough on some day. The result is valid until the next call. */
  next(sims: number, isIncluded: (sim: number) => boolean): PastDays[] {
    this.#close();
    const from = this.#next;
    const to = Math.min(from + sims, this.#ids.length);
    this.#next = to;
    const bytes = new Float64Array((to - from) * this.#days);
    const isUsed = new Uint8Array(to - from);
    for (const column of this.#columns) {
      for (; column.at < to; column.advance()) {
        bytes[(column.at - from) * this.#days + column.dayIndex] = column.bytes;
        isUsed[column.at - from] = 1;
      }
    }
    const found: PastDays[] = [];
    for (let index = 0; index < isUsed.length; index += 1) {
      const simId = this.#ids[from + index] ?? 0;
      if (!isUsed[index] || !isIncluded(simId)) continue;
      found.push({ simId, records: 0, bytes: bytes.subarray(index * this.#days, (index + 1) * this.#days) });
    }
    return found;
  }

  /** Stores the day that was added. */
  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const writer = new NumberWriter();
    let last = 0;
    for (let at = 0; at < this.#sums.length; at += 1) {
      const bytes = this.#sums[at] ?? 0;
      if (bytes < this.#minBytes) continue;
      writer.add(at - last);
      writer.add(bytes);
      last = at;
    }
    this.#sums.fill(0);
    this.#columns.push(new Column(this.#dayIndex, Buffer.from(writer.packed())));
  }
}

/** Usage on one day, by the positions of SIMs. */
class Column {
  readonly dayIndex: number;
  readonly #reader: NumberReader;
  /** The next SIM; past the last one there is none. */
  at = 0;
  bytes = 0;

  constructor(dayIndex: number, packed: Uint8Array) {
    this.dayIndex = dayIndex;
    this.#reader = new NumberReader(packed);
    this.advance();
  }

  advance(): void {
    if (this.#reader.isDone()) {
      this.at = Number.POSITIVE_INFINITY;
      return;
    }
    this.at += this.#reader.next();
    this.bytes = this.#reader.next();
  }
}
