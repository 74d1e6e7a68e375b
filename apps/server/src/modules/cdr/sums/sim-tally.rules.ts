import type { NumberReader } from '../../../platform/packed/index.ts';
import type { Amounts, Distinct } from './sums.rules.ts';

/** Adds up the figures of packs for one SIM after another: a thousand of them, without an object for each part. */
export class SimTally {
  /** Records, bytes up and down, and the same for provisional records. */
  readonly #sums = new Float64Array(6);
  /** Sessions, each as often as it was added. */
  #numbers = new Float64Array(64);
  #count = 0;

  begin(amounts: Amounts | undefined, sessions: readonly number[]): void {
    this.#sums.fill(0);
    this.#count = 0;
    if (amounts) {
      const { records, up_bytes, down_bytes, late_records, late_up_bytes, late_down_bytes } = amounts;
      this.#sums.set([records, up_bytes, down_bytes, late_records, late_up_bytes, late_down_bytes]);
    }
    for (const session of sessions) this.#addSession(session);
  }

  add(records: number, up: number, down: number, isLate: boolean): void {
    const sums = this.#sums;
    for (let first = 0; first <= (isLate ? 3 : 0); first += 3) {
      sums[first] = (sums[first] as number) + records;
      sums[first + 1] = (sums[first + 1] as number) + up;
      sums[first + 2] = (sums[first + 2] as number) + down;
    }
  }

  /** Adds sessions from a packed set of `bytes` bytes. */
  addSessions(reader: NumberReader, bytes: number): void {
    const end = reader.position + bytes;
    for (let number = 0; reader.position < end; ) {
      number += reader.next();
      this.#addSession(number);
    }
  }

  /** @param unnumbered number of sessions without a number */
  figures(unnumbered: number): Amounts & Distinct {
    const [
      records = 0,
      up_bytes = 0,
      down_bytes = 0,
      late_records = 0,
      late_up_bytes = 0,
      late_down_bytes = 0,
    ] = this.#sums;
    const sessions = this.#countDistinct() + unnumbered;
    return { records, up_bytes, down_bytes, late_records, late_up_bytes, late_down_bytes, sims: 1, sessions };
  }

  /** For few sessions, sorting is faster than a bitmap of all sessions. */
  #countDistinct(): number {
    const sorted = this.#numbers.subarray(0, this.#count).sort();
    let count = 0;
    for (let index = 0; index < sorted.length; index += 1) {
      if (index === 0 || sorted[index] !== sorted[index - 1]) count += 1;
    }
    return count;
  }

  #addSession(session: number): void {
    if (this.#count === this.#numbers.length) {
      const wider = new Float64Array(2 * this.#count);
      wider.set(this.#numbers);
      this.#numbers = wider;
    }
    this.#numbers[this.#count] = session;
    this.#count += 1;
  }
}
