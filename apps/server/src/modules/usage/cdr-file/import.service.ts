import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { addLiveUsage } from '../live-usage.service.ts';
import { monthsKept, oldestKept } from '../usage-partitions.queries.ts';
import type { Rollup } from '../usage-rollups.queries.ts';
import { CdrFileRefused, type CdrLayout, layoutOf } from './cdr-columns.rules.ts';
import {
  type CdrFile,
  findKnownCdrs,
  finishCdrFile,
  insertCdrs,
  insertRefusals,
  listRefusals,
  moveCdrFile,
  openCdrFile,
} from './cdr-file.queries.ts';
import { type ChunkUsage, gatherChunk, type TimeRange, usageOf } from './chunk.ts';
import { FileRollup } from './file-rollup.ts';
import { LineReader } from './line-reader.ts';
import { blocksOfLines, firstLineOf } from './lines.ts';
import type { Chunk, Refusal } from './records.ts';
import { SimDirectory } from './resolve.ts';

/** A file, or what behaves like one: the same octets each time it is opened. */
export interface CdrSource {
  name: string;
  /** Octets; only shown. */
  size: number;
  /** Known by its content: the same content is never taken in twice. */
  hash: Buffer;
  open: (from: number) => AsyncIterable<Buffer>;
}

/** How far the file is; `lines` with its header. */
export interface CdrProgress {
  bytes: number;
  size: number;
  lines: number;
}

export interface ImportOptions {
  pool: pg.Pool;
  clock: Clock;
  source: CdrSource;
  /** Most records in one transaction. */
  chunkRows?: number;
  signal?: AbortSignal;
  onProgress?: (progress: CdrProgress) => void | Promise<void>;
}

export interface ImportReport {
  file: string;
  lines: number;
  accepted: number;
  duplicate: number;
  refused: number;
  /** The first of the refused lines. */
  refusals: Refusal[];
  /** True when the content had been taken in whole before. */
  known: boolean;
}

const refusalsShown = 1000;
/** Lines remembered with their reason; beyond, refused lines are only counted. */
const refusalsKept = 10_000;
const futureMs = 5 * 60_000;
const chunkLeast = 50_000;
const chunkMost = 200_000;

/**
 * Takes a CSV file of CDRs in, in chunks. Each chunk is one transaction: records, rollups, counters, and how far the
 * file is. So it goes on where it was after a kill at any point, and nothing is counted twice.
 * @throws CdrFileRefused when its header can't be used, or another process takes the same file in
 */
export const importCdrs = async (options: ImportOptions): Promise<ImportReport> => {
  const { pool, source } = options;
  const layout = layoutOf(await headerOf(source));
  const file = await openCdrFile(pool, source);
  if (file.finishedAt) return report(pool, file, source, true);
  const run = new ImportRun(options, layout, file);
  await run.go();
  return report(pool, await finishCdrFile(pool, file.id), source, false);
};

const headerOf = async (source: CdrSource): Promise<string> => {
  const header = await firstLineOf(source.open(0));
  if (header === undefined) throw new CdrFileRefused('The file has no header line');
  return header;
};

const report = async (
  pool: pg.Pool,
  file: CdrFile,
  source: CdrSource,
  known: boolean,
): Promise<ImportReport> => ({
  file: source.name,
  lines: file.doneLines,
  accepted: file.accepted,
  duplicate: file.duplicate,
  refused: file.refused,
  refusals: await listRefusals(pool, file.id, refusalsShown),
  known,
});

/** A chunk with everything that follows from it, worked out while the chunk before it is being written. */
interface Prepared {
  chunk: Chunk;
  usage: ChunkUsage;
  toBytes: number;
  toLines: number;
}

/** A record that is there already; a deadlock with another writer, which the second way of writing does not run into. */
const metAnother = new Set<unknown>(['23505', '40P01']);
/** Raised by `expect_rows`: the file is further than this process left it. */
const movedOn = 'SC001';
const triesMost = 20;
const hourMs = 3_600_000;

class ImportRun {
  readonly #options: ImportOptions;
  readonly #directory = new SimDirectory();
  readonly #reader: LineReader;
  readonly #rollups = {
    hourly: new FileRollup('hourly'),
    daily: new FileRollup('daily'),
    orgHourly: new FileRollup('orgHourly'),
    orgDaily: new FileRollup('orgDaily'),
  };
  #file: CdrFile;
  #range: TimeRange = { from: 0, to: 0 };

  constructor(options: ImportOptions, layout: CdrLayout, file: CdrFile) {
    this.#options = options;
    this.#reader = new LineReader(layout, file.doneLines);
    this.#file = file;
  }

  async go(): Promise<void> {
    const { pool, clock, source, signal } = this.#options;
    // Small at first, so that reading and writing overlap in small files too; large ones need few transactions.
    const most = this.#options.chunkRows ?? chunkMost;
    let chunkRows = Math.min(most, chunkLeast);
    const now = clock.now();
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsKept.cdrs, 1));
    this.#range = { from: from.getTime(), to: now.getTime() + futureMs };
    let oldest = await oldestKept(pool, now);
    let writing: Promise<void> = Promise.resolve();
    let toBytes = this.#file.doneBytes;
    const flush = async () => {
      const prepared = await this.#prepare(toBytes);
      const first = new Date(Math.min(firstHourOf(prepared.usage) * hourMs, oldest.getTime()));
      await writing;
      if (first < oldest) {
        await ensurePartitions(pool, first, oldest);
        oldest = first;
      }
      writing = this.#write(prepared);
      // Awaited before the next one is written; until then a failure must not count as unhandled.
      writing.catch(() => undefined);
    };
    for await (const block of blocksOfLines(source.open(toBytes), toBytes)) {
      signal?.throwIfAborted();
      this.#reader.read(block, this.#directory.identifiers);
      toBytes = block.endsAt;
      if (this.#reader.count < chunkRows) continue;
      await flush();
      chunkRows = Math.min(most, chunkRows * 2);
    }
    if (toBytes > this.#file.doneBytes) await flush();
    await writing;
  }

  async #prepare(toBytes: number): Promise<Prepared> {
    await this.#directory.learn(this.#options.pool);
    const chunk = gatherChunk(this.#reader.take(), this.#directory, this.#range);
    this.#directory.keepSmall();
    return { chunk, usage: usageOf(chunk), toBytes, toLines: this.#reader.line };
  }

  async #write(prepared: Prepared): Promise<void> {
    const { pool, source, onProgress } = this.#options;
    for (let tried = 0; ; tried += 1) {
      try {
        await (tried === 0
          ? inTransaction(pool, (tx) => this.#writeIn(tx, prepared))
          : this.#writeRest(prepared));
        break;
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === movedOn) throw new CdrFileRefused('The file is being taken in by another process');
        // Another import may bring the same records between the look and the write: each try leaves them fewer.
        if (!metAnother.has(code) || tried === triesMost) throw error;
      }
    }
    await onProgress?.({ bytes: prepared.toBytes, size: source.size, lines: prepared.toLines });
  }

  /** Some records may be known: they are looked up and left out. */
  async #writeRest(prepared: Prepared): Promise<void> {
    await inTransaction(this.#options.pool, async (tx) => {
      const known = await findKnownCdrs(tx, prepared.chunk);
      const chunk = { ...prepared.chunk, order: prepared.chunk.order.filter((place) => !known.has(place)) };
      await this.#writeIn(tx, { ...prepared, chunk, usage: usageOf(chunk) }, { known: known.size });
    });
  }

  /** @param again when it is not the first try: how many records of the chunk were left out */
  async #writeIn(
    tx: pg.PoolClient,
    { chunk, usage, toBytes, toLines }: Prepared,
    again?: { known: number },
  ): Promise<void> {
    const { order, refusals } = chunk;
    const file = this.#file;
    const add = (rollup: Rollup) =>
      again ? this.#rollups[rollup].addAll(tx, usage[rollup]) : this.#rollups[rollup].add(tx, usage[rollup]);
    if (order.length > 0) await insertCdrs(tx, chunk);
    await add('hourly');
    await add('daily');
    await addLiveUsage(tx, usage.cycles, this.#options.clock.now());
    const room = Math.max(0, refusalsKept - file.refused);
    if (refusals.length > 0 && room > 0) await insertRefusals(tx, file.id, refusals.slice(0, room));
    // All writers of an organisation meet in these rows: written last, they are locked only for the commit.
    await add('orgHourly');
    await add('orgDaily');
    const counts = {
      accepted: order.length,
      duplicate: chunk.repeated + (again?.known ?? 0),
      refused: refusals.length,
    };
    await moveCdrFile(tx, { fileId: file.id, fromBytes: file.doneBytes, toBytes, toLines, ...counts });
    this.#file = {
      ...file,
      doneBytes: toBytes,
      doneLines: toLines,
      accepted: file.accepted + counts.accepted,
      duplicate: file.duplicate + counts.duplicate,
      refused: file.refused + counts.refused,
    };
  }
}

const firstHourOf = ({ orgHourly }: ChunkUsage): number => {
  let first = Number.POSITIVE_INFINITY;
  for (let place = 0; place < orgHourly.length; place += 1) {
    first = Math.min(first, orgHourly.time[place] as number);
  }
  return first;
};
