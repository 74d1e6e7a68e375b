import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import {
  haveUnwritten,
  inTransaction,
  type Sql,
  sqlStateOf,
  waitUntilWritten,
} from '../../../platform/db/index.ts';
import { deductLateUsage } from '../handover.service.ts';
import { holdCounting } from '../histories/histories.queries.ts';
import { type CycleRule, findCycleRules, invalidateIntake } from '../live-usage.queries.ts';
import { addLiveUsage } from '../live-usage.service.ts';
import { emitWatchedDays } from '../watches/watched-days.service.ts';
import { CdrFileRefused } from './cdr-columns.rules.ts';
import {
  advanceCdrFile,
  type CdrFile,
  findOwners,
  findStoredCdrs,
  getCdrFile,
  insertCdrs,
  insertRefusals,
  lockTurn,
} from './cdr-file.queries.ts';
import { type ChunkUsage, usageOf } from './chunk.ts';
import { FileRollup, type PlannedSums } from './file-rollup.ts';
import type { Chunk, CountRecords, SessionCounts } from './records.ts';
import { countSessions, sessionRecordsOf } from './session-records.ts';
import type { SimDirectory } from './sim-directory.ts';

/** A range of records of a file, with everything derived from them. */
export interface ReadChunk {
  chunk: Chunk;
  usage: ChunkUsage;
  fromBytes: number;
  toBytes: number;
  toLines: number;
}

interface PlannedChunk extends ReadChunk {
  /** Number of the chunk in this run, from 0. */
  turn: number;
  plan: Record<'hourly' | 'daily' | 'orgHourly' | 'orgDaily', PlannedSums>;
}

/** A chunk that is being written. */
interface ChunkWrite {
  /** It holds its turn, or has finished. */
  started: Promise<void>;
  done: Promise<void>;
}

const noWrite: ChunkWrite = { started: Promise.resolve(), done: Promise.resolve() };

/**
 * The basis of the first attempt is outdated: another chunk failed, or SIMs changed hands or bundles, or intake has records of
 * theirs that are not yet written to a node. In the latter two cases the SIMs are locked before the next attempt.
 */
class OutdatedChunk extends Error {
  readonly needsSimLocks: boolean;

  constructor(needsSimLocks: boolean) {
    super('The chunk is outdated');
    this.needsSimLocks = needsSimLocks;
  }
}

/** A record that already exists, or a deadlock with another writer, which the second way of writing avoids. */
const collisionCodes = new Set<unknown>(['23505', '40P01']);
/** Raised by `expect_rows`: the file's progress is not what this process stored. */
const progressConflict = 'SC001';
const importTakenOver = () => new CdrFileRefused('The file is being imported by another process');
const maxRetries = 20;
/** Maximum number of refused lines stored with their reason; further ones are only counted. */
const maxStoredRefusals = 10_000;

/**
 * Writes the chunks of a file, two at a time. While the first is in progress, the second adds its new rows (records,
 * and hours and days that no earlier chunk had); rows that both may change are written only after the first has
 * committed. So chunks commit in the order of the file, and the progress stays one number.
 * The second waits for the first by a database lock (`lockTurn`), not in this process: if other transactions that
 * wait for rows of the second block the first, the database can detect the deadlock and break it.
 */
export class ChunkWriter {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #file: Pick<CdrFile, 'id' | 'runId'>;
  readonly #directory: SimDirectory;
  readonly #countForPools: CountRecords;
  readonly #sessions: SessionCounts | undefined;
  readonly #isDistributed: boolean;
  readonly #rollups = {
    hourly: new FileRollup('hourly'),
    daily: new FileRollup('daily'),
    orgHourly: new FileRollup('orgHourly'),
    orgDaily: new FileRollup('orgDaily'),
  };
  #turn = 0;
  #latest = noWrite;
  #previous = noWrite;

  constructor(options: {
    pool: pg.Pool;
    clock: Clock;
    countForPools: CountRecords;
    sessions: SessionCounts | undefined;
    file: CdrFile;
    directory: SimDirectory;
    /** Whether records are on the nodes of a cluster. */
    isDistributed: boolean;
  }) {
    this.#pool = options.pool;
    this.#clock = options.clock;
    this.#file = options.file;
    this.#directory = options.directory;
    this.#countForPools = options.countForPools;
    this.#sessions = options.sessions;
    this.#isDistributed = options.isDistributed;
  }

  /** Begins to write a chunk as soon as fewer than two are in progress. @throws the failure of the chunk before the last */
  async begin(read: ReadChunk, onDone: () => void | Promise<void>): Promise<void> {
    const { usage } = read;
    const planned = {
      hourly: this.#rollups.hourly.plan(usage.hourly),
      daily: this.#rollups.daily.plan(usage.daily),
      orgHourly: this.#rollups.orgHourly.plan(usage.orgHourly),
      orgDaily: this.#rollups.orgDaily.plan(usage.orgDaily),
    };
    const turn = this.#turn;
    this.#turn += 1;
    await this.#previous.done;
    const previous = this.#latest;
    this.#previous = previous;
    this.#latest = this.#start({ ...read, turn, plan: planned }, previous, onDone);
  }

  /** Waits for all chunks. @throws the failure of one of them */
  async finish(): Promise<void> {
    await Promise.allSettled([this.#previous.done, this.#latest.done]);
    await this.#previous.done;
    await this.#latest.done;
  }

  /** Like `finish`, for an import that fails anyway. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#previous.done, this.#latest.done]);
  }

  #start(planned: PlannedChunk, previous: ChunkWrite, onDone: () => void | Promise<void>): ChunkWrite {
    let signalStarted = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      signalStarted = resolve;
    });
    // Reports follow the order of the file, too.
    const report = () => previous.done.then(onDone);
    const done = this.#write(planned, previous, signalStarted).then(report).finally(signalStarted);
    // Awaited before the next but one chunk is written; until then a failure must not count as unhandled.
    done.catch(() => undefined);
    return { started, done };
  }

  async #write(planned: PlannedChunk, previous: ChunkWrite, signalStarted: () => void): Promise<void> {
    await previous.started;
    // What its records add depends on the state of their sessions, which the previous chunk may change.
    const mustWait = this.#sessions !== undefined && planned.chunk.columns.totals !== undefined;
    if (mustWait) await previous.done;
    let needsSimLocks = mustWait;
    for (let retries = 0; ; retries += 1) {
      try {
        await inTransaction(this.#pool, (tx) =>
          retries === 0 && !mustWait
            ? this.#writeConcurrently(tx, planned, signalStarted)
            : this.#writeAlone(tx, planned, { locked: needsSimLocks }),
        );
        return;
      } catch (error) {
        const code = sqlStateOf(error);
        if (code === progressConflict) throw importTakenOver();
        const isOutdated = error instanceof OutdatedChunk;
        if (isOutdated) needsSimLocks ||= error.needsSimLocks;
        // Another import may add the same records between the check and the write; each attempt leaves it fewer.
        if (!(isOutdated || collisionCodes.has(code)) || retries === maxRetries) throw error;
        await previous.done;
      }
    }
  }

  /** Runs while the previous chunk may still be in progress. */
  async #writeConcurrently(
    tx: pg.PoolClient,
    planned: PlannedChunk,
    signalStarted: () => void,
  ): Promise<void> {
    const { turn, chunk, fromBytes } = planned;
    const { hourly, daily } = this.#rollups;
    await lockTurn(tx, this.#file.id, turn);
    if (this.#isDistributed) await tx.query(holdCounting);
    signalStarted();
    await insertCdrs(tx, chunk);
    await hourly.addFresh(tx, planned.plan.hourly);
    await daily.addFresh(tx, planned.plan.daily);
    if (turn > 0) await lockTurn(tx, this.#file.id, turn - 1);
    const { runId, doneBytes } = await getCdrFile(tx, this.#file.id);
    if (runId !== this.#file.runId) throw importTakenOver();
    if (doneBytes < fromBytes) throw new OutdatedChunk(false);
    await hourly.addOthers(tx, planned.plan.hourly);
    await daily.addOthers(tx, planned.plan.daily);
    await this.#count(tx, planned);
    for (const rollup of ['orgHourly', 'orgDaily'] as const) {
      await this.#rollups[rollup].addFresh(tx, planned.plan[rollup]);
      await this.#rollups[rollup].addOthers(tx, planned.plan[rollup]);
    }
    await this.#advanceFile(tx, planned, 0);
  }

  /** Runs when no earlier chunk is in progress. Records that are already stored, or add nothing, are left out. */
  async #writeAlone(tx: pg.PoolClient, read: PlannedChunk, { locked }: { locked: boolean }): Promise<void> {
    await lockTurn(tx, this.#file.id, read.turn);
    if (this.#isDistributed) await tx.query(holdCounting);
    const simIds = [...read.usage.owners.keys()];
    const sessionRecords = this.#sessions ? sessionRecordsOf(read.chunk) : [];
    if (sessionRecords.length > 0) await this.#sessions?.lock(tx, sessionRecords);
    const owners = await findOwners(tx, simIds, { locked });
    if (locked) await waitUntilWritten(tx, simIds);
    const stored = await findStoredCdrs(tx, read.chunk);
    const rules = new Map((await findCycleRules(tx, simIds)).map((rule) => [rule.simId, rule]));
    const added: Chunk = {
      ...read.chunk,
      sims: read.chunk.sims.map((sim) => ({
        ...sim,
        ...rules.get(sim.simId),
        orgId: owners.get(sim.simId) ?? sim.orgId,
      })),
      order: read.chunk.order.filter((position) => !stored.has(position)),
    };
    const chunk = this.#sessions ? await countSessions(tx, added, this.#sessions) : added;
    // Intake may have decided that their sessions are new.
    if (sessionRecords.length > 0) await invalidateIntake(tx, simIds);
    const usage = usageOf(chunk);
    await insertCdrs(tx, chunk);
    await this.#rollups.hourly.addAll(tx, usage.hourly);
    await this.#rollups.daily.addAll(tx, usage.daily);
    await this.#count(tx, { ...read, chunk, usage });
    await this.#rollups.orgHourly.addAll(tx, usage.orgHourly);
    await this.#rollups.orgDaily.addAll(tx, usage.orgDaily);
    await this.#advanceFile(tx, { ...read, chunk }, read.chunk.order.length - chunk.order.length);
  }

  /**
   * Adds to the counters. Their rows are locked from here to the commit, and a transfer takes the same locks, so
   * usage counts for the current owner of each SIM.
   * @throws OutdatedChunk if a SIM changed hands or got another bundle since the chunk was read, or records that intake
   * counted may be the same as these but are not visible yet
   */
  async #count(tx: pg.PoolClient, { usage, chunk }: ReadChunk): Promise<void> {
    const { refusals } = chunk;
    const locked = await addLiveUsage(tx, usage.cycles, this.#clock.now());
    const transferred = locked.filter(({ simId, orgId }) => usage.owners.get(simId) !== orgId);
    if (transferred.length > 0) {
      for (const { simId, orgId } of transferred) this.#directory.update({ simId, orgId });
      throw new OutdatedChunk(true);
    }
    const simIds = [...usage.owners.keys()];
    const changed = changedRules(chunk, await findCycleRules(tx, simIds));
    if (changed.length > 0) {
      for (const rule of changed) this.#directory.update(rule);
      throw new OutdatedChunk(true);
    }
    await this.#syncWithIntake(tx, simIds);
    await deductLateUsage(tx, { hours: usage.hourly, simIds });
    await emitWatchedDays(tx, { days: usage.daily, owners: usage.owners, now: this.#clock.now() });
    const pooled = locked.flatMap(({ simId, isPooled }) => (isPooled ? [simId] : []));
    if (pooled.length > 0) await this.#countForPools(tx, recordsOf(chunk, new Set(pooled)));
    if (refusals.length === 0) return;
    const { refused } = await getCdrFile(tx, this.#file.id);
    await insertRefusals(tx, this.#file.id, refusals.slice(0, Math.max(0, maxStoredRefusals - refused)));
  }

  /**
   * On a cluster, intake counts records before nodes have them. It is made to decide again with these records
   * visible, and what it has written but not passed to nodes yet is detected here.
   */
  async #syncWithIntake(tx: Sql, simIds: readonly number[]): Promise<void> {
    if (!this.#isDistributed) return;
    await invalidateIntake(tx, simIds);
    if (await haveUnwritten(tx, simIds)) throw new OutdatedChunk(true);
  }

  #advanceFile(
    tx: pg.PoolClient,
    { chunk, fromBytes, toBytes, toLines }: ReadChunk,
    stored: number,
  ): Promise<unknown> {
    return advanceCdrFile(tx, {
      fileId: this.#file.id,
      runId: this.#file.runId,
      fromBytes,
      toBytes,
      toLines,
      accepted: chunk.order.length,
      newestAt: newestOf(chunk),
      duplicate: chunk.repeated + stored,
      refused: chunk.refusals.length,
    });
  }
}

/** The rules for the cycles of SIMs that are not those by which the chunk was divided into cycles. */
const changedRules = ({ sims }: Chunk, rules: readonly CycleRule[]): CycleRule[] => {
  const assumed = new Map(sims.map((sim) => [sim.simId, sim]));
  return rules.filter(({ simId, resetCycle, activatedAt }) => {
    const sim = assumed.get(simId);
    return sim?.resetCycle !== resetCycle || sim.activatedAt !== activatedAt;
  });
};

const newestOf = ({ columns, order }: Chunk): number | null =>
  order.reduce<number | null>((newest, position) => {
    const endedAt = columns.endedAt[position] as number;
    return newest === null || endedAt > newest ? endedAt : newest;
  }, null);

const recordsOf = ({ columns, owners, sims, order }: Chunk, simIds: ReadonlySet<number>) =>
  Array.from(order).flatMap((position) => {
    const simId = sims[owners[position] as number]?.simId;
    if (simId === undefined || !simIds.has(simId)) return [];
    const of = (column: ArrayLike<number>) => column[position] as number;
    return [{ simId, at: of(columns.endedAt), up: of(columns.up), down: of(columns.down) }];
  });
