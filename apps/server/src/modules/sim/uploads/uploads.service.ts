import { Readable } from 'node:stream';
import { type FileFormat, type Language, languages, limits } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import type { Sql } from '../../../platform/db/index.ts';
import {
  type Cell,
  contentTypes,
  readTable,
  type UploadedFile,
  writeTable,
} from '../../../platform/files/index.ts';
import { type FileAnswer, fail } from '../../../platform/http/index.ts';
import { listNamed } from '../operations/selection.views.ts';
import type { Candidate } from '../operations/sim-operation.rules.ts';
import { scopedTo } from '../sim-scope.views.ts';
import type { NamedRow } from '../transfer/transfer-file.rules.ts';
import { columnsOf } from './columns.rules.ts';

/** Columns that uploads may have. */
export const uploadColumns = ['iccid', 'device_name', 'notes', 'tags'] as const;
export type UploadColumn = (typeof uploadColumns)[number];

const hourMs = 3_600_000;

export const headingOf = (column: UploadColumn, language: Language): string =>
  phrase(language, `sim.columns.${column}`);

export interface ReadUpload {
  rows: string[][];
  places: Partial<Record<UploadColumn, number>> & { iccid: number };
}

/**
 * The rows of a file below its heading, and where its columns are. It needs ICCIDs, and one of the others if any are
 * wanted.
 * @throws FileRefused, Failure CB-09-0004
 */
export const readUpload = async (
  file: UploadedFile,
  { wanted, language }: { wanted: readonly UploadColumn[]; language: Language },
): Promise<ReadUpload> => {
  const [heading = [], ...rows] = await readTable(file, { maxRows: limits.upload.rows });
  const names = Object.fromEntries(
    wanted.map((column) => [column, languages.map((one) => headingOf(column, one))]),
  ) as Record<UploadColumn, string[]>;
  const { iccid, ...others } = columnsOf(heading, names);
  const isEnough = wanted.length === 1 || Object.keys(others).length > 0;
  if (iccid === undefined || !isEnough) {
    const columns = wanted.map((column) => headingOf(column, language)).join(', ');
    return fail('CB-09-0004', { values: { columns } });
  }
  return { rows, places: { iccid, ...others } };
};

/** An empty file with the headings in the caller's language. */
export const templateOf = (
  name: string,
  columns: readonly UploadColumn[],
  { format, language }: { format: FileFormat; language: Language },
): FileAnswer => ({
  fileName: `${name}.${format}`,
  contentType: contentTypes[format],
  content: Readable.from(
    writeTable(format, headingRow(columns.map((column) => headingOf(column, language)))),
    { objectMode: false },
  ),
});

async function* headingRow(cells: readonly Cell[]): AsyncIterable<readonly Cell[]> {
  yield cells;
}

export const expiryOf = (now: Date): Date => new Date(now.getTime() + limits.upload.hours * hourMs);

/** Rows of a file with the SIMs that they name. */
export const withSims = async <R extends NamedRow>(
  tx: Sql,
  org: { id: number },
  rows: readonly R[],
): Promise<(Candidate & { row: R })[]> => {
  const right = rows.filter(({ wrong }) => !wrong);
  const found = await listNamed(tx, { scope: scopedTo(org), iccids: right.map(({ iccid }) => iccid) });
  const bySim = new Map(found.map(({ iccid, sim }) => [iccid, sim]));
  return rows.map((row) => ({
    iccid: row.iccid,
    sim: row.wrong ? undefined : bySim.get(row.iccid),
    wrong: row.wrong,
    row,
  }));
};
