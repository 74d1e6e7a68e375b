import { isIPv6, SocketAddress } from 'node:net';
import type { Readable } from 'node:stream';
import type { SimImportRow } from '@simcube/contract/sim';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type CsvRecord, csvRecords, headingProblem } from '../../../platform/csv/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { importBatchSize, simImported } from '../sim.events.ts';
import {
  findKnownSims,
  findOrganisations,
  insertSims,
  lockImports,
  type NewSim,
} from './sim-import.queries.ts';
import { createRowCheck, headerProblem, parseImportRow } from './sim-import.rules.ts';

export interface Refusal {
  /** Line of the file, from 1. */
  line: number;
  reason: string;
}

export interface ImportReport {
  accepted: number;
  duplicate: number;
  refused: number;
}

export interface ImportOptions {
  pool: pg.Pool;
  clock: Clock;
  /** CSV with a header line, UTF-8. */
  file: Readable;
  onRefused: (refusal: Refusal) => void;
  /** Who imports which file, for the audit trails of the organisations; absent for the demonstration's SIMs. */
  by?: { actor: Actor; file: string } | undefined;
  /** Called after each committed chunk. */
  onProgress?: (report: ImportReport) => Promise<void>;
}

/** The whole file can't be read as an import; the message says why. */
export class ImportRefused extends Error {}

/** Longer than the longest valid row. */
const maxLineLength = 16_384;

interface Line {
  line: number;
  row: SimImportRow;
}

/**
 * Imports a file of SIMs of any size as a stream. Every line is accepted, a duplicate, or refused with a
 * reason. Importing the same file again changes nothing, and continues an interrupted import.
 * @throws ImportRefused when the file has no valid header
 */
export const importSims = async (options: ImportOptions): Promise<ImportReport> => {
  const { pool, clock, file, onRefused, onProgress, by } = options;
  const report: ImportReport = { accepted: 0, duplicate: 0, refused: 0 };
  const refuse = (line: number, reason: string) => {
    report.refused += 1;
    onRefused({ line, reason });
  };
  const write = async (lines: readonly Line[]) => {
    if (lines.length === 0) return;
    const outcome = await writeChunk(pool, { lines, at: clock.now(), by });
    report.accepted += outcome.accepted;
    report.duplicate += outcome.duplicate;
    for (const { line, reason } of outcome.refusals) refuse(line, reason);
    await onProgress?.(report);
  };
  let chunk: Line[] = [];
  for await (const { record, cells } of csvLines(file, refuse)) {
    const { line, lastLine } = record;
    const parsed = parseImportRow(cells);
    if ('reason' in parsed) {
      refuse(line, lastLine > line ? `${parsed.reason} (to line ${lastLine})` : parsed.reason);
      continue;
    }
    chunk.push({ line, row: withAddress(parsed.row) });
    if (chunk.length < importBatchSize) continue;
    await write(chunk);
    chunk = [];
  }
  await write(chunk);
  return report;
};

/** With its address as PostgreSQL writes it (RFC 5952), to be compared with the stored one. */
const withAddress = (row: SimImportRow): SimImportRow =>
  row.ip && isIPv6(row.ip)
    ? { ...row, ip: new SocketAddress({ family: 'ipv6', address: row.ip }).address }
    : row;

interface Chunk extends Pick<ImportOptions, 'by'> {
  lines: readonly Line[];
  at: Date;
}

const writeChunk = (pool: pg.Pool, { lines, at, by }: Chunk) =>
  inTransaction(pool, async (tx) => {
    await lockImports(tx);
    const rows = lines.map(({ row }) => row);
    const organisations = await findOrganisations(tx, [...new Set(rows.map((row) => row.organisation_code))]);
    const checkRow = createRowCheck(await findKnownSims(tx, rows), organisations);
    const outcome = { accepted: 0, duplicate: 0, refusals: [] as Refusal[] };
    const sims: NewSim[] = [];
    for (const { line, row } of lines) {
      const verdict = checkRow(row);
      if (verdict.kind === 'accepted') sims.push({ orgId: verdict.orgId, row });
      else if (verdict.kind === 'duplicate') outcome.duplicate += 1;
      else outcome.refusals.push({ line, reason: verdict.reason });
    }
    if (sims.length === 0) return outcome;
    const created = await insertSims(tx, { sims, at });
    await emitMany(
      tx,
      simImported,
      created.map(({ orgId, count, simIds }) => ({ orgId, payload: { count, simIds } })),
    );
    if (by) await recordImport(tx, { created, at, ...by });
    return { ...outcome, accepted: sims.length };
  });

/** One audit entry per organisation, in the order of their ids. */
const recordImport = async (
  tx: Sql,
  imported: { created: readonly { orgId: number; count: number }[]; at: Date; actor: Actor; file: string },
): Promise<void> => {
  const { created, at, actor, file } = imported;
  const subject = { kind: 'file', id: file, name: file } as const;
  for (const { orgId, count } of created) {
    const after = { file, sims: count };
    await recordAudit(tx, { orgId, actor, at, action: 'sims.imported', subject, after });
  }
};

/**
 * The records below the file's header; a line that is not CSV is the only one rejected. Spreadsheets write emptied rows and columns as
 * commas, so empty rows, and empty cells beyond the header, are ignored.
 */
async function* csvLines(
  file: Readable,
  refuse: (line: number, reason: string) => void,
): AsyncGenerator<{ record: CsvRecord; cells: Record<string, string> }> {
  let header: string[] | undefined;
  for await (const record of csvRecords(file, { maxLength: maxLineLength })) {
    const cells = record.cells && withoutEmptyEnd(record.cells, header?.length ?? 0);
    if (!header) header = headerOf(cells, record.text);
    else if (!cells) refuse(record.line, 'it is too long, or a quotation mark is not closed');
    else if (cells.every((cell) => cell.trim() === '')) continue;
    else if (cells.length !== header.length)
      refuse(record.line, `it has ${cells.length} columns, the header ${header.length}`);
    else {
      const named = cells.map((cell, index) => [header?.[index] ?? '', cell] as const);
      yield { record, cells: Object.fromEntries(named) };
    }
  }
  if (!header) throw new ImportRefused('The file has no header line');
}

const withoutEmptyEnd = (cells: readonly string[], minLength: number): readonly string[] =>
  cells.slice(0, Math.max(minLength, cells.findLastIndex((cell) => cell.trim() !== '') + 1));

const headerOf = (cells: readonly string[] | undefined, text = ''): string[] => {
  const fault = headingProblem(cells?.join(',') ?? text);
  if (fault) throw new ImportRefused(fault);
  if (!cells) throw new ImportRefused('The header line is too long, or a quotation mark is not closed');
  const header = cells.map((name) => name.trim().toLowerCase());
  const problem = headerProblem(header);
  if (problem) throw new ImportRefused(problem);
  return header;
};
