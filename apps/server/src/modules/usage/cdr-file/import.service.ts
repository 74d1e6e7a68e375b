import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { headingProblem } from '../../../platform/csv/index.ts';
import { ensurePartitions, inTransaction, readShards, type Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { writtenHistories } from '../histories/histories.queries.ts';
import { retainedSince } from '../retention.ts';
import { oldestRetainedMonth } from '../usage-partitions.queries.ts';
import { CdrFileRefused, type CdrLayout, layoutOf } from './cdr-columns.rules.ts';
import { type CdrFile, finishCdrFile, listRefusals, openCdrFile } from './cdr-file.queries.ts';
import { type ChunkUsage, gatherChunk, type TimeRange, usageOf } from './chunk.ts';
import { ChunkWriter, type ReadChunk } from './chunk-writer.ts';
import { LineReader } from './line-reader.ts';
import { firstLineOf, readLineBlocks } from './lines.ts';
import type { CountRecords, Refusal, SessionCounts } from './records.ts';
import { SimDirectory } from './sim-directory.ts';

/** A file, or a source like one: it has the same octets each time it is opened. */
export interface CdrSource {
  name: string;
  /** Octets; for display only. */
  size: number;
  /** Identifies the file by its content: the same content is never imported twice. */
  hash: Buffer;
  open: (from: number) => AsyncIterable<Buffer>;
}

/** Progress of the file; `lines` includes the header. */
export interface CdrProgress {
  bytes: number;
  size: number;
  lines: number;
}

export interface ImportOptions {
  pool: pg.Pool;
  clock: Clock;
  source: CdrSource;
  /** Counts the records of SIMs in shared pools, in the transaction of each chunk. */
  countForPools: CountRecords;
  /** Compares records with the volume of their sessions that was counted before; without it, each counts its own volume. */
  sessions?: SessionCounts;
  /** Queues the counting of the file's hours, in the transaction that finishes it. */
  queueCounting?: (tx: Sql) => Promise<void>;
  /** The actor for the audit trail; none for the demonstration's history. */
  actor?: Actor | undefined;
  /** Maximum number of records in one transaction. */
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
  /** Whether the content had been imported completely before. */
  known: boolean;
}

const maxRefusalsReported = 1000;
const maxFutureMs = 5 * 60_000;
const minChunkRows = 50_000;
const maxChunkRows = 200_000;

/**
 * Imports a CSV file of CDRs in chunks. Each chunk is one transaction with its records, rollups, counters and the
 * progress of the file; chunks commit in the order of the file. So after a kill at any point the import continues
 * from there, and nothing is counted twice.
 * @throws CdrFileRefused if its header is invalid, or another process imports the same file
 */
export const importCdrs = async (options: ImportOptions): Promise<ImportReport> => {
  const { pool, source } = options;
  const layout = layoutOf(await headerOf(source));
  // Records are written in separate transactions later, so the audit trail has the import's start before the first of
  // them.
  const file = await inTransaction(pool, async (tx) => {
    const opened = await openCdrFile(tx, source);
    if (!opened.finishedAt) await record(tx, options, { action: 'cdrs.import-began', after: {} });
    return opened;
  });
  if (file.finishedAt) return report(pool, file, source, true);
  const isDistributed = (await readShards(pool, writtenHistories)) !== undefined;
  const run = new ImportRun(options, { layout, file, isDistributed });
  await run.execute();
  const finished = await inTransaction(pool, async (tx) => {
    const done = await finishCdrFile(tx, file.id);
    await options.queueCounting?.(tx);
    const { doneLines: lines, accepted, duplicate, refused } = done;
    await record(tx, options, { action: 'cdrs.imported', after: { lines, accepted, duplicate, refused } });
    return done;
  });
  return report(pool, finished, source, false);
};

/** In the installation's own audit trail, because a file has records of many organisations. */
const record = async (
  tx: Sql,
  { clock, source, actor }: ImportOptions,
  entry: { action: 'cdrs.import-began' | 'cdrs.imported'; after: Record<string, unknown> },
): Promise<void> => {
  if (!actor) return;
  const sha256 = source.hash.toString('hex');
  await recordAudit(tx, {
    orgId: null,
    actor,
    at: clock.now(),
    action: entry.action,
    subject: { kind: 'file', id: sha256, name: source.name },
    after: { sha256, octets: source.size, ...entry.after },
  });
};

const headerOf = async (source: CdrSource): Promise<string> => {
  const header = await firstLineOf(source.open(0));
  const fault = header && headingProblem(header.text);
  if (fault) throw new CdrFileRefused(fault);
  if (!header || header.isTooLong) throw new CdrFileRefused('The file has no header line');
  return header.text;
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
  refusals: await listRefusals(pool, file.id, maxRefusalsReported),
  known,
});

class ImportRun {
  readonly #options: ImportOptions;
  readonly #directory = new SimDirectory();
  readonly #reader: LineReader;
  readonly #writer: ChunkWriter;
  /** Octets of the file that have been read into chunks. */
  #readBytes: number;

  constructor(
    options: ImportOptions,
    { layout, file, isDistributed }: { layout: CdrLayout; file: CdrFile; isDistributed: boolean },
  ) {
    const { pool, clock, countForPools, sessions } = options;
    this.#options = options;
    this.#reader = new LineReader(layout, file.doneLines);
    this.#writer = new ChunkWriter({
      pool,
      clock,
      countForPools,
      sessions,
      file,
      directory: this.#directory,
      isDistributed,
    });
    this.#readBytes = file.doneBytes;
  }

  async execute(): Promise<void> {
    try {
      await this.#read();
      await this.#writer.finish();
    } finally {
      // Nothing is still running when this returns or throws.
      await this.#writer.settle();
    }
  }

  async #read(): Promise<void> {
    const { pool, clock, source, signal } = this.#options;
    // Small at first, so that reading and writing overlap in small files too; large files need fewer transactions.
    const maxRows = this.#options.chunkRows ?? maxChunkRows;
    let chunkRows = Math.min(maxRows, minChunkRows);
    const now = clock.now();
    const from = retainedSince('cdrs', now);
    const range = { from: from.getTime(), to: now.getTime() + maxFutureMs };
    let oldest = await oldestRetainedMonth(pool, now);
    let toBytes = this.#readBytes;
    const flush = async () => {
      const chunk = await this.#chunk(range, toBytes);
      const first = new Date(Math.min(firstHourOf(chunk.usage) * hourMs, oldest.getTime()));
      if (first < oldest) {
        // A partition can't be added while its table is being written to.
        await this.#writer.finish();
        await ensurePartitions(pool, first, oldest);
        oldest = first;
      }
      await this.#writer.begin(chunk, () =>
        this.#options.onProgress?.({ bytes: chunk.toBytes, size: source.size, lines: chunk.toLines }),
      );
    };
    for await (const block of readLineBlocks(source.open(toBytes), toBytes)) {
      signal?.throwIfAborted();
      this.#reader.read(block, this.#directory.identifiers);
      toBytes = block.endsAt;
      if (this.#reader.count < chunkRows) continue;
      await flush();
      chunkRows = Math.min(maxRows, chunkRows * 2);
    }
    if (toBytes > this.#readBytes) await flush();
  }

  /** Returns what was read since the last chunk. */
  async #chunk(range: TimeRange, toBytes: number): Promise<ReadChunk> {
    await this.#directory.lookUpNew(this.#options.pool);
    const chunk = gatherChunk(this.#reader.take(), this.#directory, range);
    this.#directory.resetIfLarge();
    const fromBytes = this.#readBytes;
    this.#readBytes = toBytes;
    return { chunk, usage: usageOf(chunk), fromBytes, toBytes, toLines: this.#reader.line };
  }
}

const firstHourOf = ({ orgHourly }: ChunkUsage): number => {
  let first = Number.POSITIVE_INFINITY;
  for (let position = 0; position < orgHourly.length; position += 1) {
    first = Math.min(first, orgHourly.time[position] as number);
  }
  return first;
};
