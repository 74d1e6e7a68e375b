import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { upsertCells } from './cells.queries.ts';
import { type CellRow, cellColumns, readCell } from './cells.rules.ts';

export interface CellsReport {
  /** New, or different from what was known. */
  changed: number;
  unchanged: number;
  refused: number;
}

const chunkRows = 5_000;
const longestLine = 4_096;
const needed = cellColumns.filter((column) => column !== 'name');

/**
 * Takes in where cells stand, as a stream; the same file once more changes nothing.
 * @throws Error when the file has no usable header
 */
export const importCells = async (options: {
  pool: pg.Pool;
  file: Readable;
  /** Who does it and with which file, for the audit trail; none for the demonstration's cells. */
  by?: { actor: Actor; clock: Clock; name: string };
  onRefused: (refusal: { line: number; reason: string }) => void;
}): Promise<CellsReport> => {
  const { pool, file, by, onRefused } = options;
  const report: CellsReport = { changed: 0, unchanged: 0, refused: 0 };
  let rows: CellRow[] = [];
  const write = async () => {
    if (rows.length === 0) return;
    const changed = await inTransaction(pool, async (tx) => {
      const count = await upsertCells(tx, rows);
      if (by && count > 0) {
        await recordAudit(tx, {
          orgId: null,
          actor: by.actor,
          at: by.clock.now(),
          action: 'cells.imported',
          subject: { kind: 'file', id: by.name, name: by.name },
          after: { cells: count },
        });
      }
      return count;
    });
    report.changed += changed;
    report.unchanged += rows.length - changed;
    rows = [];
  };
  const lines = file.pipe(
    parse({
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: longestLine,
      columns: (header: string[]) => {
        const columns = header.map((name) => name.toLowerCase());
        const missing = needed.filter((name) => !columns.includes(name));
        if (missing.length > 0) throw new Error(`The file lacks the columns ${missing.join(', ')}`);
        return columns;
      },
    }),
  );
  file.on('error', (error) => lines.destroy(error));
  for await (const { record, info } of lines as AsyncIterable<CellLine>) {
    const read = readCell(record);
    if (typeof read === 'string') {
      report.refused += 1;
      onRefused({ line: info.lines, reason: read });
    } else {
      rows.push(read);
      if (rows.length >= chunkRows) await write();
    }
  }
  await write();
  return report;
};

interface CellLine {
  record: Record<string, string>;
  info: { lines: number };
}
