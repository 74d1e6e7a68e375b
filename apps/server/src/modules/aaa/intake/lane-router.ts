import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { RecentMap } from '../../../platform/recent/index.ts';
import type { Pending } from './lane.ts';
import { findSimIds } from './load.queries.ts';

export interface LaneRouterOptions {
  pool: Sql;
  clock: Clock;
  log: Log;
  /** Maximum number of cached names; up to twice as many are held. */
  size: number;
  maxQueue: number;
  /** Passes a record to its SIM's lane, or to any lane if the SIM is unknown. False if that lane is full. */
  dispatch: (pending: Pending, simId: number | undefined) => boolean;
}

/** The same time as in lanes (`sim-cache.ts`). */
const knownTtlMs = 10 * 60_000;
const unknownTtlMs = 5_000;
const lookupBatchSize = 1_000;
const maxPauseMs = 2_000;

/**
 * On a cluster: finds the SIM of a record before it is queued, so that it goes to the lane of the node with that
 * SIM's history. Records of a number that is being looked up wait for it together, in order.
 */
export class LaneRouter {
  readonly #options: LaneRouterOptions;
  readonly #simIds: RecentMap<string, { simId: number | undefined; until: number }>;
  #waiting: Pending[] = [];
  readonly #pendingIdentities = new Set<string>();
  #routing: Promise<void> | undefined;
  /** The look-up in progress. */
  #lookup: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(options: LaneRouterOptions) {
    this.#options = options;
    this.#simIds = new RecentMap(options.size);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** False if too many records wait: the record is not accepted and must not be answered. */
  add(pending: Pending): boolean {
    const { identity } = pending.update;
    const known = this.#pendingIdentities.has(identity) ? undefined : this.#simIds.get(identity);
    if (known && known.until > this.#options.clock.now().getTime())
      return this.#options.dispatch(pending, known.simId);
    if (this.#stopping.signal.aborted || this.#waiting.length >= this.#options.maxQueue) return false;
    this.#waiting.push(pending);
    this.#pendingIdentities.add(identity);
    this.#routing ??= this.#route().finally(() => {
      this.#routing = undefined;
    });
    return true;
  }

  /** Resolves when everything now waiting is in a lane. */
  async settled(): Promise<void> {
    const last = this.#waiting.at(-1);
    while (last && this.#waiting.includes(last)) await this.#lookup;
  }

  /** Accepts nothing more and passes on what is waiting. Records whose SIM is not found in time stay unanswered. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#routing, sleep(graceMs, undefined, { ref: false })]);
    this.#waiting = [];
  }

  async #route(): Promise<void> {
    for (let failures = 0; this.#waiting.length > 0; ) {
      this.#lookup = this.#lookUp().then(
        () => {
          failures = 0;
        },
        async (error: Error) => {
          failures += 1;
          if (failures % 10 === 1)
            this.#options.log.warn({ err: error }, 'SIMs of accounting records could not be found; retrying');
          await sleep(Math.min(25 * 2 ** failures, maxPauseMs), undefined, { ref: false });
        },
      );
      await this.#lookup;
    }
  }

  async #lookUp(): Promise<void> {
    // Runs after the datagrams that are already in the socket, so that they share the look-up.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const identities = new Set([...this.#pendingIdentities].slice(0, lookupBatchSize));
    await this.#cacheSimIds([...identities]);
    this.#dispatch(identities);
  }

  async #cacheSimIds(identities: readonly string[]): Promise<void> {
    const found = await findSimIds(this.#options.pool, identities);
    const now = this.#options.clock.now().getTime();
    for (const identity of identities) {
      const simId = found.get(identity);
      this.#simIds.set(identity, { simId, until: now + (simId === undefined ? unknownTtlMs : knownTtlMs) });
    }
  }

  #dispatch(identities: ReadonlySet<string>): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ update }) => !identities.has(update.identity));
    for (const identity of identities) this.#pendingIdentities.delete(identity);
    for (const pending of waiting) {
      const { identity } = pending.update;
      if (!identities.has(identity)) continue;
      // The gateway retransmits it.
      if (!this.#options.dispatch(pending, this.#simIds.get(identity)?.simId)) pending.done('refused');
    }
  }
}
