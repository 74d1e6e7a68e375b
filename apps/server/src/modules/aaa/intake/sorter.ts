import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { RecentMap } from '../../../platform/recent/index.ts';
import type { Pending } from './lane.ts';
import { findSimIds } from './load.queries.ts';

export interface SorterOptions {
  pool: Sql;
  clock: Clock;
  log: Log;
  /** Maximum number of cached names; up to twice as many are held. */
  size: number;
  maxQueue: number;
  /** Passes a record to its SIM's lane, or to any lane if the SIM is unknown. False if that lane is full. */
  handOver: (pending: Pending, simId: number | undefined) => boolean;
}

/** The same time as in lanes (`sim-cache.ts`). */
const knownMs = 10 * 60_000;
const unknownMs = 5_000;
const readMost = 1_000;
const longestPauseMs = 2_000;

/**
 * On a cluster: finds the SIM of a record before it is queued, so that it goes to the lane of the node with that
 * SIM's history. Records of a number that is being looked up wait for it together, in order.
 */
export class Sorter {
  readonly #options: SorterOptions;
  readonly #known: RecentMap<string, { simId: number | undefined; until: number }>;
  #waiting: Pending[] = [];
  readonly #names = new Set<string>();
  #sorting: Promise<void> | undefined;
  /** The look-up in progress. */
  #round: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(options: SorterOptions) {
    this.#options = options;
    this.#known = new RecentMap(options.size);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** False if too many records wait: the record is not accepted and must not be answered. */
  add(pending: Pending): boolean {
    const { identity } = pending.update;
    const known = this.#names.has(identity) ? undefined : this.#known.get(identity);
    if (known && known.until > this.#options.clock.now().getTime())
      return this.#options.handOver(pending, known.simId);
    if (this.#stopping.signal.aborted || this.#waiting.length >= this.#options.maxQueue) return false;
    this.#waiting.push(pending);
    this.#names.add(identity);
    this.#sorting ??= this.#sort().finally(() => {
      this.#sorting = undefined;
    });
    return true;
  }

  /** Resolves when everything now waiting is in a lane. */
  async settled(): Promise<void> {
    const last = this.#waiting.at(-1);
    while (last && this.#waiting.includes(last)) await this.#round;
  }

  /** Accepts nothing more and passes on what is waiting. Records whose SIM is not found in time stay unanswered. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#sorting, sleep(graceMs, undefined, { ref: false })]);
    this.#waiting = [];
  }

  async #sort(): Promise<void> {
    for (let failed = 0; this.#waiting.length > 0; ) {
      this.#round = this.#lookUp().then(
        () => {
          failed = 0;
        },
        async (error: Error) => {
          failed += 1;
          if (failed % 10 === 1)
            this.#options.log.warn({ err: error }, 'SIMs of accounting records could not be found; retrying');
          await sleep(Math.min(25 * 2 ** failed, longestPauseMs), undefined, { ref: false });
        },
      );
      await this.#round;
    }
  }

  async #lookUp(): Promise<void> {
    // Runs after the datagrams that are already in the socket, so that they share the look-up.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const asked = new Set([...this.#names].slice(0, readMost));
    await this.#read([...asked]);
    this.#handOver(asked);
  }

  async #read(identities: readonly string[]): Promise<void> {
    const found = await findSimIds(this.#options.pool, identities);
    const now = this.#options.clock.now().getTime();
    for (const identity of identities) {
      const simId = found.get(identity);
      this.#known.set(identity, { simId, until: now + (simId === undefined ? unknownMs : knownMs) });
    }
  }

  #handOver(asked: ReadonlySet<string>): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ update }) => !asked.has(update.identity));
    for (const identity of asked) this.#names.delete(identity);
    for (const pending of waiting) {
      const { identity } = pending.update;
      if (!asked.has(identity)) continue;
      // The gateway retransmits it.
      if (!this.#options.handOver(pending, this.#known.get(identity)?.simId)) pending.done('refused');
    }
  }
}
