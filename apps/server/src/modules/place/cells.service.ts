import type { Readable } from 'node:stream';
import { isBrokenText } from '@simcube/contract';
import type pg from 'pg';
import type { Actor } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { csvRecords, headingProblem } from '../../platform/csv/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { emit } from '../../platform/outbox/index.ts';
import { recordAudit } from '../audit/index.ts';
import { findNetworkCodes, setMissingHexagons, upsertCells } from './cells.queries.ts';
import { type CellRow, columnsOf, type NetworkCodes, parseCell } from './cells.rules.ts';
import { cellsImported } from './place.events.ts';

export interface CellsReport {
  /** New, or changed. */
  changed: number;
  unchanged: number;
  refused: number;
}

const chunkRows = 5_000;
const maxLineLength = 4_096;
const nothingImported = 'nothing was imported';

/**
 * Imports the coordinates of cells, as a stream, in one transaction; importing a file again changes nothing. Lines
 * without coordinates are refused individually; from a broken file (no heading, not CSV, not UTF-8) nothing is
 * imported.
 * @throws Error that describes the file's problem
 */
export const importCells = (options: {
  pool: pg.Pool;
  file: Readable;
  /** The actor and file name for the audit trail; none for the demonstration's cells. */
  by?: { actor: Actor; clock: Clock; name: string };
  onRefused: (refusal: { line: number; reason: string }) => void;
}): Promise<CellsReport> => {
  const { pool, file, by, onRefused } = options;
  return inTransaction(pool, async (tx) => {
    const report: CellsReport = { changed: 0, unchanged: 0, refused: 0 };
    const codes = await findNetworkCodes(tx);
    let rows: CellRow[] = [];
    const write = async () => {
      const changed = await upsertCells(tx, rows);
      report.changed += changed;
      report.unchanged += rows.length - changed;
      rows = [];
    };
    let heading: string[] | undefined;
    for await (const { line, cells, text = '' } of csvRecords(file, { maxLength: maxLineLength })) {
      const fault = heading ? undefined : headingProblem(cells?.join(',') ?? text);
      if (fault) throw new Error(fault);
      if (!cells)
        throw new Error(`Line ${line} is too long, or a quotation mark is not closed; ${nothingImported}`);
      if (cells.some(isBrokenText)) throw new Error(`Line ${line} is not UTF-8; ${nothingImported}`);
      if (!heading) {
        heading = columnsOf(cells);
        continue;
      }
      const parsed = parseLine(heading, cells, codes);
      if (typeof parsed === 'string') {
        report.refused += 1;
        onRefused({ line, reason: parsed });
      } else {
        rows.push(parsed);
        if (rows.length >= chunkRows) await write();
      }
    }
    if (!heading) throw new Error('The file has no header line');
    await write();
    if (report.changed === 0) return report;
    await emit(tx, cellsImported, { orgId: null, payload: { cells: report.changed } });
    if (by) {
      await recordAudit(tx, {
        orgId: null,
        actor: by.actor,
        at: by.clock.now(),
        action: 'cells.imported',
        subject: { kind: 'file', id: by.name, name: by.name },
        after: { cells: report.changed },
      });
    }
    return report;
  });
};

/** Sets the hexagons of cells that were imported by a version without maps, and announces them. */
export const assignMissingHexagons = async (pool: pg.Pool, signal: AbortSignal): Promise<void> => {
  let assigned = chunkRows;
  while (assigned === chunkRows && !signal.aborted) {
    assigned = await inTransaction(pool, async (tx) => {
      const count = await setMissingHexagons(tx, chunkRows);
      if (count > 0) await emit(tx, cellsImported, { orgId: null, payload: { cells: count } });
      return count;
    });
  }
};

/** Missing cells at the end of a line are empty. */
const parseLine = (
  heading: readonly string[],
  cells: readonly string[],
  codes: NetworkCodes,
): CellRow | string =>
  cells.length > heading.length
    ? `it has ${cells.length} columns, the header ${heading.length}`
    : parseCell(Object.fromEntries(cells.map((cell, index) => [heading[index], cell.trim()])), codes);
