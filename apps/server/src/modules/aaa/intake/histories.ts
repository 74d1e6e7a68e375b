import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Shards, type Statement, uniqueKeyOf } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import {
  clearStaleWrittenMarks,
  clearWrittenMark,
  isUnwritten,
  listUnwritten,
  markWritten,
  type NodePart,
  removeUnwritten,
  type StoredUnwritten,
  skippingDuplicates,
  type Unwritten,
  UsageSums,
  unwrittenPageSize,
  writtenHistories,
} from '../../usage/index.ts';
import type { Changes } from './changes.ts';
import {
  commitPipelined,
  factsWrite,
  type Histories,
  historyWrites,
  orgUsageWrite,
  statementsOf,
} from './commit.ts';
import { classifyFailure, isDuplicateRecord } from './failures.ts';
import { LaneConnection } from './lane-connection.ts';

export interface NodeHistoriesOptions {
  pool: pg.Pool;
  /** URL of the coordinator; nodes have the same user, password and database. */
  url: string;
  clock: Clock;
  log: Log;
  shards: () => Shards | undefined;
  makePartitions: () => Promise<void>;
}

/** Notes that an entry was written to a shard. */
interface Marker {
  /** A SIM of that shard. */
  simId: number;
  id: number;
  /** When the write was completed, in milliseconds. */
  at: number;
}

const maxPauseMs = 2_000;
/** After this time, anything unwritten was left by a process that ended, or waits for a node. */
const orphanedAfterSeconds = 15;
const pollIntervalMs = 5_000;
/**
 * Notes of completed writes are kept for longer than an attempt can take: another process that has read the entry checks
 * before each attempt whether it still exists, and the note stops an attempt that began before it was completed.
 */
const marksKeptSeconds = 600;
/** Raised by `expect_rows`: another process has already done it. */
const alreadyDone = 'SC001';

/**
 * On a cluster: writes the histories of SIMs to their nodes after the batch was committed on the coordinator. Each
 * node has its own transaction on its own connection, so that no commit needs two phases; the same transaction notes
 * what was written, so that it is written only once. What a process that ended left over is written by another
 * process.
 */
export class NodeHistories {
  readonly #options: NodeHistoriesOptions;
  readonly #coordinator: LaneConnection;
  readonly #nodes = new Map<string, LaneConnection>();
  /** Notes of completed writes, oldest first, to be removed together with a later write to the node. */
  readonly #markers = new Map<number, Marker[]>();
  readonly #inProgress = new Set<number>();
  readonly #stopping = new AbortController();
  #pollTimer: NodeJS.Timeout | undefined;
  #areMarkersCleared = false;
  /** Id after which to look next, so that what can't be written, or waits for a node, does not block later entries. */
  #resumeAfterId = 0;

  constructor(options: NodeHistoriesOptions) {
    this.#options = options;
    this.#coordinator = new LaneConnection({ ...options, name: 'simcube intake histories' });
    this.#schedulePoll(0);
  }

  /**
   * Resolves when everything is stored, or can't be and is left for later; rejects when the process stops.
   * @param isOrphaned whether it was read from the database, so that another process may have completed it since
   */
  async write({ id, parts, followUps }: StoredUnwritten, { isOrphaned = false } = {}): Promise<void> {
    if (this.#inProgress.has(id)) return;
    this.#inProgress.add(id);
    try {
      for (const part of parts)
        await this.#retry(async (failed) => {
          const mayBeWritten = isOrphaned || failed > 0;
          if (!mayBeWritten || (await isUnwritten(this.#options.pool, id))) await this.#writePart(part, id);
        });
      await this.#retry(() => this.#finish(id, followUps));
      const at = this.#now();
      for (const { node, simId } of parts) this.#markersOf(node).push({ simId, id, at });
    } catch (error) {
      if (this.#stopping.signal.aborted) throw error;
      this.#options.log.error(
        { err: error, id },
        'histories of a batch could not be written; they are retried later',
      );
    } finally {
      this.#inProgress.delete(id);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#pollTimer);
    await Promise.all([...this.#nodes.values(), this.#coordinator].map((connection) => connection.end()));
  }

  /** Retries for as long as the node is unavailable. @throws errors that retries can't fix, and when the process stops */
  async #retry(work: (failed: number) => Promise<void>): Promise<void> {
    for (let failed = 0; ; failed += 1) {
      this.#stopping.signal.throwIfAborted();
      try {
        await work(failed);
        return;
      } catch (error) {
        const kind = classifyFailure(error);
        if (kind === 'data') throw error;
        if (kind === 'partition') await this.#options.makePartitions().catch(() => undefined);
        if (failed % 10 === 1)
          this.#options.log.warn({ err: error }, 'histories could not be written to their node; retrying');
        await sleep(Math.min(25 * 2 ** failed, maxPauseMs));
      }
    }
  }

  async #writePart({ node, simId, statements }: NodePart, id: number): Promise<void> {
    const markers = this.#takeOldMarkers(node);
    const batch = [markWritten({ simId, id }), ...statements, ...markers.map(clearWrittenMark)];
    try {
      await this.#commit(this.#connectionTo(node), batch);
    } catch (error) {
      this.#markersOf(node).unshift(...markers);
      const key = uniqueKeyOf(error);
      if (key?.startsWith(writtenHistories)) return;
      if (!isDuplicateRecord(error)) throw error;
      // It was counted twice, as `usage verify` will report; what is stored once stays.
      this.#options.log.error({ err: error, id }, 'a record was counted twice: it was already stored');
      await this.#commit(this.#connectionTo(node), batch.map(skippingDuplicates));
    }
  }

  async #finish(id: number, followUps: readonly Statement[]): Promise<void> {
    try {
      await this.#commit(this.#coordinator, [removeUnwritten(id), ...followUps]);
    } catch (error) {
      if ((error as { code?: string }).code !== alreadyDone) throw error;
    }
  }

  async #commit(connection: LaneConnection, statements: readonly Statement[]): Promise<void> {
    const client = await connection.use(this.#now());
    await commitPipelined(client, [(sql) => statements.map((statement) => sql.query(statement))]);
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  #takeOldMarkers(node: number): Marker[] {
    const markers = this.#markersOf(node);
    const before = this.#now() - marksKeptSeconds * 1000;
    const kept = markers.findIndex(({ at }) => at > before);
    return markers.splice(0, kept < 0 ? markers.length : kept);
  }

  #markersOf(node: number): Marker[] {
    const markers = this.#markers.get(node) ?? [];
    this.#markers.set(node, markers);
    return markers;
  }

  /** A node that left the cluster gave its SIMs to others; the coordinator knows which. */
  #connectionTo(node: number): LaneConnection {
    const address = this.#options.shards()?.addressOf(node);
    if (!address) return this.#coordinator;
    const known = this.#nodes.get(address);
    if (known) return known;
    const url = new URL(this.#options.url);
    url.host = address;
    const connection = new LaneConnection({
      ...this.#options,
      url: url.href,
      name: 'simcube intake histories',
    });
    this.#nodes.set(address, connection);
    return connection;
  }

  #schedulePoll(afterMs: number): void {
    this.#pollTimer = setTimeout(() => {
      this.#poll()
        .catch((error: Error) => {
          if (!this.#stopping.signal.aborted)
            this.#options.log.warn({ err: error }, 'unwritten histories could not be queried');
        })
        .finally(() => {
          if (!this.#stopping.signal.aborted) this.#schedulePoll(pollIntervalMs);
        });
    }, afterMs).unref();
  }

  async #poll(): Promise<void> {
    const { pool, shards } = this.#options;
    if (!shards()) return;
    if (!this.#areMarkersCleared) await clearStaleWrittenMarks(pool, marksKeptSeconds);
    this.#areMarkersCleared = true;
    // Not awaited: writes for an unavailable node must not delay those for others. Rejects when the process stops.
    const found = await listUnwritten(pool, orphanedAfterSeconds, this.#resumeAfterId);
    this.#resumeAfterId = found.length < unwrittenPageSize ? 0 : (found.at(-1)?.id ?? 0);
    for (const orphaned of found) this.write(orphaned, { isOrphaned: true }).catch(() => undefined);
  }
}

/** The remaining writes of a batch after it is committed on the coordinator. */
export const unwrittenOf = (
  changes: Changes,
  { shards, now }: { shards: Shards; now: number },
): Unwritten => ({
  parts: [...byNode(changes, shards)].map(([node, { simId, ...histories }]) => ({
    node,
    simId,
    statements: statementsOf(historyWrites(histories)),
  })),
  followUps: statementsOf([factsWrite(changes, now), orgUsageWrite(changes)]),
});

const byNode = (
  { cdrs, hours, events }: Changes,
  { nodeOf, shardOf }: Shards,
): Map<number, Histories & { simId: number }> => {
  const nodes = new Map<number, Histories & { simId: number }>();
  const historiesFor = (simId: number) => {
    const node = nodeOf(shardOf(simId));
    const known = nodes.get(node);
    if (known) return known;
    const histories = { simId, cdrs: [], hours: new UsageSums(16), events: [] };
    nodes.set(node, histories);
    return histories;
  };
  for (const cdr of cdrs) historiesFor(cdr.simId).cdrs.push(cdr);
  for (const event of events) historiesFor(event.simId).events.push(event);
  for (const position of hours.sortedPositions()) {
    const value = (column: ArrayLike<number>) => column[position] as number;
    const { hours: target } = historiesFor(value(hours.owner));
    const sum = target.positionOf(
      value(hours.owner),
      value(hours.time),
      value(hours.plmn),
      value(hours.radio),
    );
    target.add(sum, value(hours.up), value(hours.down), value(hours.records));
  }
  return nodes;
};
