import type pg from 'pg';
import { sqlStateOf } from '../../../platform/db/index.ts';
import { addSums, copySums, type Rollup } from '../usage-rollups.queries.ts';
import type { UsageSums } from '../usage-sums.ts';

const uniqueViolation = '23505';

/** Sums of a chunk, divided by whether an earlier chunk may have the same keys. Positions are in key order. */
export interface PlannedSums {
  sums: UsageSums;
  /** Keys that no earlier chunk of this run had. */
  fresh: Int32Array;
  others: Int32Array;
}

/**
 * Adds the sums of one file's chunks to a rollup. In a file ordered by time, each chunk brings hours and days that no
 * earlier chunk had; in one ordered by SIM, each brings new SIMs. These are inserted by COPY, which costs half of `on
 * conflict`. If a key exists after all (from another file, or from accounting), the COPY writes nothing, and they are
 * added like the others.
 */
export class FileRollup {
  readonly #rollup: Rollup;
  /** The range of keys that chunks of this run have had. */
  readonly #times = new KeyRange();
  readonly #owners = new KeyRange();
  #conflicts = 0;

  constructor(rollup: Rollup) {
    this.#rollup = rollup;
  }

  /** Must be called once for each chunk, in the order of the file. */
  plan(sums: UsageSums): PlannedSums {
    const positions = sums.sortedPositions();
    const fresh = new Int32Array(positions.length);
    const others = new Int32Array(positions.length);
    let count = 0;
    positions.forEach((position, index) => {
      const isKnown =
        this.#times.has(sums.time[position] as number) && this.#owners.has(sums.owner[position] as number);
      if (isKnown) others[index - count] = position;
      else {
        fresh[count] = position;
        count += 1;
      }
    });
    this.#times.extend(sums.time.subarray(0, sums.length));
    this.#owners.extend(sums.owner.subarray(0, sums.length));
    return { sums, fresh: fresh.subarray(0, count), others: others.subarray(0, positions.length - count) };
  }

  /** Touches no row that the previous chunk writes, which may still be in progress. */
  async addFresh(tx: pg.PoolClient, { sums, fresh }: PlannedSums): Promise<void> {
    if (fresh.length === 0) return;
    if (this.#conflicts === 0 && (await this.#copy(tx, sums, fresh))) return;
    this.#conflicts += 1;
    await tx.query(addSums(this.#rollup, sums, fresh));
  }

  async addOthers(tx: pg.PoolClient, { sums, others }: PlannedSums): Promise<void> {
    if (others.length > 0) await tx.query(addSums(this.#rollup, sums, others));
  }

  /** Adds everything with one statement, in key order: used by a transaction that collided with another one. */
  async addAll(tx: pg.PoolClient, sums: UsageSums): Promise<void> {
    if (sums.length > 0) await tx.query(addSums(this.#rollup, sums, sums.sortedPositions()));
  }

  async #copy(tx: pg.PoolClient, sums: UsageSums, positions: Int32Array): Promise<boolean> {
    await tx.query('savepoint new_sums');
    try {
      await copySums(tx, { rollup: this.#rollup, sums, positions });
    } catch (error) {
      if (sqlStateOf(error) !== uniqueViolation) throw error;
      await tx.query('rollback to savepoint new_sums');
      return false;
    }
    await tx.query('release savepoint new_sums');
    return true;
  }
}

/** The range from the smallest to the largest value added. */
class KeyRange {
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  has(value: number): boolean {
    return value >= this.#from && value <= this.#to;
  }

  extend(values: Int32Array | Float64Array): void {
    for (const value of values) {
      if (value < this.#from) this.#from = value;
      if (value > this.#to) this.#to = value;
    }
  }
}
