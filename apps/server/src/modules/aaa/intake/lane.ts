import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Shards } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { traced } from '../../../platform/tracing/index.ts';
import { findNewestImported, findStoredKeys, type StoredUnwritten, type Watches } from '../../usage/index.ts';
import type { LongCodes } from '../network-codes.ts';
import { applyUpdate } from './apply.ts';
import { Changes } from './changes.ts';
import { classifyFailure, isDuplicateRecord } from './failures.ts';
import type { NodeHistories } from './histories.ts';
import { LaneConnection } from './lane-connection.ts';
import { StaleSim } from './rate.ts';
import { type LoadedSims, SimCache } from './sim-cache.ts';
import type { SimState } from './sim-state.ts';
import type { SessionUpdate } from './update.ts';
import { recordWithoutService } from './without-service.ts';
import { writeBatch } from './write-batch.ts';

export type Outcome = 'stored' | 'unknown-sim' | 'refused';

export interface Pending {
  update: SessionUpdate;
  /** Called once the record is stored, or is known never to be. */
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
  /** Called when a record falls into a month without a partition. */
  makePartitions: () => Promise<void>;
  /** Organisations whose usage is currently watched. */
  watches: () => Watches;
  longCodes: () => LongCodes;
  /** Where the histories of SIMs currently are on a cluster. */
  shards: () => Shards | undefined;
  /** Writes histories to several nodes. */
  histories: NodeHistories;
}

const maxPauseMs = 2_000;
/** Number of failures of a kind after which a batch is halved. Without a database, halving does not help. */
const splitAfterFailures = { conflict: 7, partition: 3, data: 2, connection: Number.POSITIVE_INFINITY };
const maxBatchesInFlight = 2;
/** Limit on rereads: each concurrent batch may fail in the meantime and be decided again. */
const maxRereads = 5;
/** Number of records that justify a separate batch while another is in flight. */
const minOverlappingBatch = 100;

/**
 * A queue of accounting records with one connection: everything that arrives while a batch is being committed becomes
 * the next batch. So a single record is stored immediately, and under load hundreds share a commit. If many records
 * have arrived, the next batch is sent behind the one in flight, decided on what that one will have written: neither
 * the database nor this process waits for the other. The second batch is answered when both are committed, because
 * repetitions of the first change nothing. If the first fails, the second is decided again.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #cache: SimCache;
  #queue: Pending[] = [];
  /** Writes in order; its reads see everything written before. */
  readonly #writer: LaneConnection;
  /** Reads concurrently with the writer, so that unknown SIMs are read while the previous batch is written. */
  readonly #reader: LaneConnection;
  #inFlight = new Set<Promise<void>>();
  /** Writes that were sent and are neither known to be stored nor forgotten. */
  readonly #unsettled = new Set<Promise<unknown>>();
  /** Batches are decided one after the other, in order. */
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

  /** False if the queue is full: the record is not accepted and must not be answered. */
  add(pending: Pending): boolean {
    if (this.#stopping.signal.aborted || this.#queue.length >= this.#options.maxQueue) return false;
    this.#queue.push(pending);
    this.#schedule();
    return true;
  }

  /** Resolves when everything now in the queue has been processed. */
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
    await Promise.all([queued, ...this.#inFlight]);
  }

  /** Accepts nothing more, commits the queue, closes the connection. Records that can't be stored stay unanswered. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#drained(), sleep(graceMs, undefined, { ref: false })]);
    this.#queue = [];
    await Promise.all([this.#writer.end(), this.#reader.end()]);
  }

  async #drained(): Promise<void> {
    while (this.#queue.length > 0 || this.#inFlight.size > 0) {
      await Promise.race([...this.#inFlight, new Promise<void>((resolve) => setImmediate(resolve))]);
    }
  }

  /** Runs after the datagrams that are already in the socket, so that they share the batch. */
  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      this.#begin();
    });
  }

  #begin(): void {
    const minBatch = this.#inFlight.size === 0 ? 1 : minOverlappingBatch;
    if (this.#inFlight.size >= maxBatchesInFlight || this.#queue.length < minBatch) return;
    const { maxBatch } = this.#options;
    const batch = this.#queue.length <= maxBatch ? this.#queue : this.#queue.slice(0, maxBatch);
    this.#queue = batch === this.#queue ? [] : this.#queue.slice(maxBatch);
    const storing = this.#store(batch).finally(() => {
      this.#inFlight.delete(storing);
      this.#begin();
    });
    this.#inFlight.add(storing);
    this.#begin();
  }

  /** Stores the batch, however long the database is unavailable. A record that can't be stored at all is found by halving. */
  async #store(batch: Pending[]): Promise<void> {
    const failures = { conflict: 0, partition: 0, data: 0, connection: 0 };
    let hasDuplicate = false;
    for (let attempt = 0; ; attempt += 1) {
      if (this.#stopping.signal.aborted && attempt > 0) return;
      try {
        await this.#commit(batch, { isRetry: attempt > 0, hasDuplicate });
        return;
      } catch (error) {
        // The previous batch failed and waits before its own retry.
        if (error instanceof BasisLost) continue;
        const kind = classifyFailure(error);
        hasDuplicate ||= isDuplicateRecord(error);
        failures[kind] += 1;
        if (failures[kind] >= splitAfterFailures[kind]) {
          await this.#split(batch, error as Error);
          return;
        }
        if (kind === 'partition') await this.#options.makePartitions().catch(() => undefined);
        if (kind === 'connection' && failures.connection % 10 === 1) {
          this.#options.log.warn(
            { err: error, records: batch.length },
            'an accounting batch failed; retrying',
          );
        }
        const pause = kind === 'connection' ? 25 * 2 ** Math.min(failures.connection, 7) : Math.random() * 10;
        await sleep(Math.min(pause, maxPauseMs));
      }
    }
  }

  async #split(batch: Pending[], error: Error): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first) {
      const { identity, sessionId } = first.update;
      this.#options.log.error(
        { err: error, identity, session: sessionId },
        'an accounting record was rejected',
      );
      first.done('refused');
      return;
    }
    const middle = batch.length >> 1;
    await this.#store(batch.slice(0, middle));
    await this.#store(batch.slice(middle));
  }

  async #commit(batch: readonly Pending[], { isRetry, hasDuplicate }: Retry): Promise<void> {
    const { clock, metrics } = this.#options;
    const stopTimer = metrics.radiusBatchSeconds.startTimer();
    this.#batch += 1;
    const work: BatchRun = {
      updates: batch.map((pending) => pending.update),
      watches: this.#options.watches(),
      longCodes: this.#options.longCodes(),
      now: clock.now().getTime(),
      batch: this.#batch,
      touched: new Set(),
      newestImportedAt: Number.NEGATIVE_INFINITY,
      isRetry,
      basis: [],
      written: Promise.resolve(undefined),
    };
    try {
      const { loaded, changes } = await this.#decide(work, { isRetry, hasDuplicate });
      const unwritten = await work.written;
      // Watch figures are being recomputed: the next record is decided on the new ones.
      this.#cache.forget(changes.watched.map(({ sim }) => sim));
      if (unwritten) await this.#options.histories.write(unwritten);
      await awaitBasis(work.basis);
      for (const [index, pending] of batch.entries())
        pending.done(loaded.sims[index] ? 'stored' : 'unknown-sim');
      count(metrics, changes);
      metrics.radiusBatchRecords.observe(batch.length);
      stopTimer();
    } catch (error) {
      this.#cache.forget(work.touched);
      throw error;
    } finally {
      this.#unsettled.delete(work.written);
    }
  }

  /**
   * Reads, decides, and sends the writes; the next batch is decided after that, not after the commit. Unknown SIMs
   * are read concurrently with the batches in flight: if one of those changes the same row, this batch fails by its
   * versions and is decided again, on a read behind them.
   */
  #decide(work: BatchRun, { isRetry, hasDuplicate }: Retry): Promise<DecidedBatch> {
    const early = isRetry ? undefined : this.#load(this.#reader, work);
    // Awaited later; until then a failure must not count as unhandled.
    early?.catch(() => undefined);
    const deciding = this.#deciding.then(async () => {
      try {
        const first = await this.#applyWithRereads(await (early ?? this.#load(this.#writer, work)), work);
        const decided = hasDuplicate ? await this.#withoutImported(first, work) : first;
        await this.#send(decided.changes, work);
        return decided;
      } catch (error) {
        // Must happen before the next batch is decided.
        this.#cache.forget(work.touched);
        throw error;
      }
    });
    this.#deciding = deciding.catch(() => undefined);
    return deciding;
  }

  /** Decides again without the records that a file brought before. */
  async #withoutImported(first: DecidedBatch, work: BatchRun): Promise<DecidedBatch> {
    const client = await this.#writer.use(work.now);
    work.importedKeys = await findStoredKeys(client, first.changes.cdrs);
    if (work.importedKeys.size === 0) return first;
    this.#cache.forget(work.touched);
    return this.#applyWithRereads(await this.#load(this.#writer, work), work);
  }

  async #send(changes: Changes, work: BatchRun): Promise<void> {
    this.#cache.recordOpened(changes);
    const isEmpty = changes.sims.size === 0 && changes.sessions.size === 0;
    const client = await this.#writer.use(work.now);
    work.written = isEmpty
      ? Promise.resolve(undefined)
      : traced(spanOf(changes), () =>
          writeBatch(client, changes, { ...work, shards: this.#options.shards() }),
        );
    work.written.catch(() => undefined);
    this.#unsettled.add(work.written);
  }

  async #load(connection: LaneConnection, work: BatchRun): Promise<LoadedSims> {
    const { updates, now, batch } = work;
    const client = await connection.use(now);
    const loaded = await this.#cache.load(client, updates, { now, batch });
    // After reading the SIMs, so that everything a file brought before that is known.
    if (this.#options.shards()) work.newestImportedAt = await findNewestImported(client);
    return loaded;
  }

  /** Decides the batch; SIMs that were forgotten since they were read, or are too old to decide on, are read again. */
  async #applyWithRereads(early: LoadedSims, work: BatchRun): Promise<DecidedBatch> {
    let loaded = early;
    for (let rereads = 0; ; rereads += 1) {
      try {
        return this.#apply(loaded, work);
      } catch (error) {
        if (!(error instanceof StaleSim) || rereads === maxRereads) throw error;
        this.#cache.forget(work.touched);
        loaded = await this.#load(this.#writer, work);
      }
    }
  }

  /** @throws StaleSim if a cycle turns or a threshold is crossed: these are decided on the current database state */
  #apply(cachedSims: LoadedSims, work: BatchRun): DecidedBatch {
    const loaded = this.#cache.withOpened(cachedSims, work.updates);
    for (const sim of loaded.states.values()) {
      if (sim.isForgotten) throw new StaleSim(sim.simId);
      work.touched.add(sim);
    }
    work.basis = [...this.#unsettled];
    return { loaded, changes: applyAll(loaded, work) };
  }
}

const spanOf = ({ sims, cdrs }: Changes) => ({
  name: 'radius accounting batch',
  attributes: { 'simcube.sims': sims.size, 'simcube.records': cdrs.length },
});

/** What is known of a batch that was tried before. */
interface Retry {
  isRetry: boolean;
  /** One of its records was already stored. */
  hasDuplicate: boolean;
}

/** A batch while it is being decided. */
interface BatchRun {
  updates: readonly SessionUpdate[];
  watches: Watches;
  longCodes: LongCodes;
  now: number;
  /** Number of the batch. */
  batch: number;
  /** SIMs to forget if it fails. */
  touched: Set<SimState>;
  /** The latest end of a record that a file had brought when it was read. */
  newestImportedAt: number;
  /** It failed before because another transaction was faster. */
  isRetry: boolean;
  /** Batches in flight that it was decided on: their repetitions are stored when they are. */
  basis: readonly Promise<unknown>[];
  /** Keys of its records that a file stored before. */
  importedKeys?: ReadonlySet<string>;
  /** Its own write, and what must then be written to nodes; undefined until it is decided. */
  written: Promise<StoredUnwritten | undefined>;
}

interface DecidedBatch {
  loaded: LoadedSims;
  changes: Changes;
}

/** A batch that this one was decided on was not written, so records omitted as repetitions may be stored nowhere. */
class BasisLost extends Error {
  override readonly name = 'BasisLost';
}

const awaitBasis = async (basis: BatchRun['basis']): Promise<void> => {
  try {
    await Promise.all(basis);
  } catch (cause) {
    throw new BasisLost('A batch before was not written', { cause });
  }
};

const applyAll = ({ sims, rivals, filed, closed }: LoadedSims, work: BatchRun): Changes => {
  const { updates, batch, now, importedKeys, watches, longCodes } = work;
  const changes = new Changes(importedKeys);
  for (const [index, update] of updates.entries()) {
    const sim = sims[index];
    if (sim) applyUpdate({ sim, update, changes, batch, rivals, filed, closed, watches, longCodes });
  }
  recordWithoutService(changes, now);
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
