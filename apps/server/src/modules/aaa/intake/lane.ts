import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { applyUpdate } from './apply.ts';
import { Changes } from './changes.ts';
import { commitChanges } from './commit.ts';
import { kindOfFailure } from './failures.ts';
import { LaneConnection } from './lane-connection.ts';
import { StaleSim } from './rate.ts';
import { type LoadedSims, SimCache } from './sim-cache.ts';
import type { SessionUpdate } from './update.ts';

export type Outcome = 'stored' | 'unknown-sim' | 'refused';

export interface Pending {
  update: SessionUpdate;
  /** Called once the record is safe, or is known never to be. */
  done: (outcome: Outcome) => void;
}

export interface LaneOptions {
  url: string;
  name: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  maxBatch: number;
  maxQueue: number;
  cacheSize: number;
  /** Called when a record falls into a month that has no partition yet. */
  makePartitions: () => Promise<void>;
}

const longestPauseMs = 2_000;
const conflictsBeforeSplit = 6;
const batchesOnTheWay = 2;
/** Records that are worth a batch of their own while another is on its way. */
const worthFollowing = 100;

/**
 * One queue of accounting records with one connection: whatever has come while a batch was being committed is the
 * next batch. So a lone record is stored at once, and under load a commit is shared by hundreds. When much has come
 * the next batch is sent behind the one that is on its way, decided on what that one will have written: the database
 * does not wait for this process, nor this process for the database. If the first fails, the second fails by its
 * versions or touches other SIMs, and is as good as alone.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #cache: SimCache;
  #queue: Pending[] = [];
  /** Writes in order; reads here come behind what was written before. */
  readonly #writer: LaneConnection;
  /** Reads beside the writer, so that SIMs that are not known yet are read while the batch before is written. */
  readonly #reader: LaneConnection;
  #onTheWay = new Set<Promise<void>>();
  /** Batches are decided one after the other, in their order. */
  #deciding: Promise<unknown> = Promise.resolve();
  #scheduled: NodeJS.Immediate | undefined;
  #batch = 0;
  readonly #stopping = new AbortController();

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#cache = new SimCache(options.cacheSize);
    this.#writer = new LaneConnection(options);
    this.#reader = new LaneConnection({ ...options, name: `${options.name} reader` });
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** False when the queue is full: the record is not taken, and must not be answered. */
  add(pending: Pending): boolean {
    if (this.#stopping.signal.aborted || this.#queue.length >= this.#options.maxQueue) return false;
    this.#queue.push(pending);
    this.#schedule();
    return true;
  }

  /** Resolves when what is in the queue now has been dealt with. */
  async settled(): Promise<void> {
    const last = this.#queue.at(-1);
    const queued =
      last &&
      new Promise<void>((resolve) => {
        const { done } = last;
        last.done = (outcome) => {
          done(outcome);
          resolve();
        };
      });
    await Promise.all([queued, ...this.#onTheWay]);
  }

  /** Takes nothing more, commits what is there, closes the connection. What can't be stored stays unanswered. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#drained(), sleep(graceMs, undefined, { ref: false })]);
    this.#queue = [];
    await Promise.all([this.#writer.end(), this.#reader.end()]);
  }

  async #drained(): Promise<void> {
    while (this.#queue.length > 0 || this.#onTheWay.size > 0) {
      await Promise.race([...this.#onTheWay, new Promise<void>((resolve) => setImmediate(resolve))]);
    }
  }

  /** After the datagrams that are already in the socket, so that they share the batch. */
  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      this.#send();
    });
  }

  #send(): void {
    const enough = this.#onTheWay.size === 0 ? 1 : worthFollowing;
    if (this.#onTheWay.size >= batchesOnTheWay || this.#queue.length < enough) return;
    const { maxBatch } = this.#options;
    const batch = this.#queue.length <= maxBatch ? this.#queue : this.#queue.slice(0, maxBatch);
    this.#queue = batch === this.#queue ? [] : this.#queue.slice(maxBatch);
    const storing = this.#store(batch).finally(() => {
      this.#onTheWay.delete(storing);
      this.#send();
    });
    this.#onTheWay.add(storing);
    this.#send();
  }

  /** Stores the batch, however long the database is away. A record that can't be stored at all is found by halves. */
  async #store(batch: Pending[]): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      if (this.#stopping.signal.aborted && failures > 0) return;
      try {
        await this.#commit(batch, failures > 0);
        return;
      } catch (error) {
        const kind = kindOfFailure(error);
        if (kind === 'partition') {
          await this.#options.makePartitions().catch(() => undefined);
        } else if (kind === 'data' || (kind === 'conflict' && failures >= conflictsBeforeSplit)) {
          if (failures < 1) continue;
          await this.#split(batch, error as Error);
          return;
        }
        if (kind === 'connection' && failures % 10 === 0) {
          this.#options.log.warn({ err: error, records: batch.length }, 'accounting waits for the database');
        }
        const pause = kind === 'conflict' ? Math.random() * 10 : 50 * 2 ** Math.min(failures, 6);
        await sleep(Math.min(pause, longestPauseMs));
      }
    }
  }

  async #split(batch: Pending[], error: Error): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first) {
      const { identity, sessionId } = first.update;
      this.#options.log.error(
        { err: error, identity, session: sessionId },
        'an accounting record was refused',
      );
      first.done('refused');
      return;
    }
    const middle = batch.length >> 1;
    await this.#store(batch.slice(0, middle));
    await this.#store(batch.slice(middle));
  }

  async #commit(batch: readonly Pending[], isAgain: boolean): Promise<void> {
    const { clock, metrics } = this.#options;
    const stopTimer = metrics.radiusBatchSeconds.startTimer();
    this.#batch += 1;
    const work: Work = {
      updates: batch.map((pending) => pending.update),
      now: clock.now().getTime(),
      batch: this.#batch,
      touched: new Set(),
    };
    try {
      const { loaded, changes, written } = await this.#decide(work, isAgain);
      await written;
      for (const [index, pending] of batch.entries())
        pending.done(loaded.sims[index] ? 'stored' : 'unknown-sim');
      count(metrics, changes);
      metrics.radiusBatchRecords.observe(batch.length);
      stopTimer();
    } catch (error) {
      this.#cache.forget(work.touched);
      throw error;
    }
  }

  /**
   * Reads, decides, and sends what is to be written; the next batch is decided after that, not after its commit. What
   * is not known is read beside the batches on their way: should one of them touch the same row, then this one fails
   * by its versions and is decided again, on what is read behind them.
   */
  #decide(work: Work, isAgain: boolean): Promise<Decided> {
    const early = isAgain ? undefined : this.#load(this.#reader, work);
    // Awaited in its turn; until then a failure must not count as unhandled.
    early?.catch(() => undefined);
    const deciding = this.#deciding.then(async () => {
      const { loaded, changes } = await this.#applied(await (early ?? this.#load(this.#writer, work)), work);
      this.#cache.noteOpened(changes);
      const isEmpty = changes.sims.size === 0 && changes.sessions.size === 0;
      const client = await this.#writer.use(work.now);
      const written = isEmpty ? Promise.resolve() : commitChanges(client, changes, work.now);
      written.catch(() => undefined);
      return { loaded, changes, written };
    });
    this.#deciding = deciding.catch(() => undefined);
    return deciding;
  }

  async #load(connection: LaneConnection, { updates, now, batch }: Work): Promise<LoadedSims> {
    return this.#cache.load(await connection.use(now), updates, { now, batch });
  }

  async #applied(loaded: LoadedSims, work: Work): Promise<{ loaded: LoadedSims; changes: Changes }> {
    const apply = (to: LoadedSims) => {
      const whole = this.#cache.withOpened(to, work.updates);
      for (const simId of idsOf(whole)) work.touched.add(simId);
      return { loaded: whole, changes: applyAll(whole, work) };
    };
    try {
      return apply(loaded);
    } catch (error) {
      if (!(error instanceof StaleSim)) throw error;
      // A cycle turns or a threshold is crossed: decide on what the database says now.
      this.#cache.forget(work.touched);
      return apply(await this.#load(this.#writer, work));
    }
  }
}

/** A batch while it is decided. */
interface Work {
  updates: readonly SessionUpdate[];
  now: number;
  /** Its number. */
  batch: number;
  /** SIMs that are to be forgotten when it fails. */
  touched: Set<number>;
}

interface Decided {
  loaded: LoadedSims;
  changes: Changes;
  written: Promise<void>;
}

const idsOf = ({ sims, rivals }: LoadedSims): Set<number> => {
  const ids = new Set<number>();
  for (const sim of sims) if (sim) ids.add(sim.simId);
  for (const list of rivals.values()) for (const { sim } of list) ids.add(sim.simId);
  return ids;
};

const applyAll = ({ sims, rivals }: LoadedSims, { updates, batch }: Work): Changes => {
  const changes = new Changes();
  for (const [index, update] of updates.entries()) {
    const sim = sims[index];
    if (sim) applyUpdate({ sim, update, changes, batch, rivals });
  }
  return changes;
};

const count = (metrics: Metrics, changes: Changes): void => {
  if (changes.duplicates > 0)
    metrics.radiusPackets.inc({ kind: 'accounting', outcome: 'repeated' }, changes.duplicates);
  if (changes.regressed > 0)
    metrics.radiusPackets.inc({ kind: 'accounting', outcome: 'lower' }, changes.regressed);
  if (changes.stale > 0)
    metrics.radiusPackets.inc({ kind: 'accounting', outcome: 'earlier-life' }, changes.stale);
};
