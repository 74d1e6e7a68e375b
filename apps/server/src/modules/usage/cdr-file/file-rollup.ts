import type pg from 'pg';
import { addSums, copySums, type Rollup } from '../usage-rollups.queries.ts';
import type { UsageSums } from '../usage-sums.ts';

const uniqueViolation = '23505';

/**
 * Adds the sums of one file's chunks to a rollup. In a file that goes through time, each chunk brings hours and
 * days that no chunk before had. Those are tried by COPY, which costs half of `on conflict`; when one is there after
 * all (from another file, or from accounting), nothing of them was written, and they are added like the others.
 */
export class FileRollup {
  readonly #rollup: Rollup;
  /** Times that chunks of this run had, from the first to the last. */
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #conflicts = 0;

  constructor(rollup: Rollup) {
    this.#rollup = rollup;
  }

  async add(tx: pg.PoolClient, sums: UsageSums): Promise<void> {
    if (sums.length === 0) return;
    const places = sums.inOrder();
    const isNew = (place: number) => {
      const time = sums.time[place] as number;
      return time < this.#first || time > this.#last;
    };
    const fresh = this.#conflicts === 0 ? places.filter(isNew) : [];
    const others = fresh.length === 0 ? places : places.filter((place) => !isNew(place));
    if (fresh.length > 0 && !(await this.#copy(tx, sums, fresh))) {
      this.#conflicts += 1;
      await this.addAll(tx, sums);
      return;
    }
    if (others.length > 0) await tx.query(addSums(this.#rollup, sums, others));
    for (const place of fresh) {
      this.#first = Math.min(this.#first, sums.time[place] as number);
      this.#last = Math.max(this.#last, sums.time[place] as number);
    }
  }

  /** As one statement, in the order of the keys: what a transaction does that met another before. */
  async addAll(tx: pg.PoolClient, sums: UsageSums): Promise<void> {
    if (sums.length > 0) await tx.query(addSums(this.#rollup, sums, sums.inOrder()));
  }

  async #copy(tx: pg.PoolClient, sums: UsageSums, places: readonly number[]): Promise<boolean> {
    await tx.query('savepoint new_sums');
    try {
      await copySums(tx, { rollup: this.#rollup, sums, places });
    } catch (error) {
      if ((error as { code?: string }).code !== uniqueViolation) throw error;
      await tx.query('rollback to savepoint new_sums');
      return false;
    }
    await tx.query('release savepoint new_sums');
    return true;
  }
}
