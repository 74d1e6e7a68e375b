import { type endpoints, type Language, languages, limits, type ResponseOf } from '@simcube/contract';
import type { SimRefusal } from '@simcube/contract/sim';
import type { TemplateFormat, UploadQuery } from '@simcube/contract/task';
import { hourMs } from '@simcube/contract/time';
import { phrase } from '@simcube/phrases';
import type { Sql } from '../../../platform/db/index.ts';
import { FileRefused, readTable, templateFile, type UploadedFile } from '../../../platform/files/index.ts';
import { type FileResponse, fail } from '../../../platform/http/index.ts';
import { faultMessage, type ItemFault } from '../../task/index.ts';
import {
  columnPositions,
  isHeading,
  isHeadingMissing,
  repeatedColumns,
  type UploadColumn,
  unknownColumns,
} from '../columns.rules.ts';
import type { FileSelection, SimOrder } from '../ordering/ordering.service.ts';
import { listByIccids } from '../ordering/selection.views.ts';
import type { Candidate } from '../ordering/sim-operation.rules.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { isBlankOrNote } from './iccid-file.rules.ts';
import type { FileRow, NumberedRow, RowFault } from './row-faults.rules.ts';
import { deleteUpload, insertUpload, lockAndCountUploads, type NewUpload } from './uploads.queries.ts';

/**
 * Stores an upload until it is applied, replacing `replaces`, an abandoned one of the same person.
 * @returns the id of the upload
 * @throws Failure CB-09-0021 when too many are waiting; none of these is dropped
 */
export const storeUpload = async (
  tx: Sql,
  { replaces, ...upload }: Omit<NewUpload, 'expiresAt'> & UploadQuery,
): Promise<string> => {
  const max = limits.upload.waiting;
  if (replaces !== undefined) await deleteUpload(tx, { ...upload, id: replaces });
  if ((await lockAndCountUploads(tx, upload)) >= max) fail('CB-09-0021', { values: { max } });
  const expiresAt = new Date(upload.at.getTime() + limits.upload.hours * hourMs);
  return insertUpload(tx, { ...upload, expiresAt });
};

const columnHeading = (column: UploadColumn, language: Language): string =>
  phrase(language, `sim.columns.${column}`);

/**
 * The rows of a file whose first row names its columns, in any language.
 * @throws FileRefused, ThreadPoolBusy, Failure CB-09-0038
 */
export const readHeadedTable = async <C extends string>(
  file: UploadedFile,
  bounds: {
    names: Readonly<Record<C, readonly string[]>>;
    columns: string;
    maxRows: number;
    language: Language;
  },
): Promise<string[][]> => {
  const { names, columns, ...rest } = bounds;
  const refuse = () => fail('CB-09-0038', { values: { columns } });
  const rows = await readTable(file, rest).catch((error: unknown) => {
    const first = error instanceof FileRefused ? error.refusal.heading : undefined;
    // Its rows are compared with a title, which has fewer cells.
    if (first && !isHeading(first, names)) return refuse();
    throw error;
  });
  return isHeadingMissing(rows, names) ? refuse() : rows;
};

export interface ParsedUpload {
  rows: string[][];
  positions: Partial<Record<UploadColumn, number>> & { iccid: number };
}

/**
 * The rows of a file below its heading, and the positions of its columns. It must have ICCIDs and, if other
 * columns are wanted, at least one of them and no further ones; a list of SIMs may be any file with their
 * ICCIDs.
 * @throws FileRefused, Failure CB-09-0004, CB-09-0007, CB-09-0038
 */
export const readUpload = async (
  file: UploadedFile,
  { expectedColumns, language }: { expectedColumns: readonly UploadColumn[]; language: Language },
): Promise<ParsedUpload> => {
  const names = Object.fromEntries(
    expectedColumns.map((column) => [column, languages.map((one) => columnHeading(column, one))]),
  ) as Record<UploadColumn, string[]>;
  const columns = expectedColumns.map((column) => columnHeading(column, language)).join(', ');
  const bounds = { names, columns, maxRows: limits.upload.rows, language };
  const [heading = [], ...rows] = await readHeadedTable(file, bounds);
  const unexpected = [
    ...repeatedColumns(heading, names),
    ...(expectedColumns.length > 1 ? unknownColumns(heading, names) : []),
  ];
  if (unexpected.length > 0) fail('CB-09-0004', { values: { columns: unexpected.join(', ') } });
  const { iccid, ...others } = columnPositions(heading, names);
  const isEnough = expectedColumns.length === 1 || Object.keys(others).length > 0;
  if (iccid === undefined || !isEnough) return fail('CB-09-0004', { values: { columns } });
  if (rows.every(isBlankOrNote)) fail('CB-09-0007');
  return { rows, positions: { iccid, ...others } };
};

/**
 * A template to fill in, with headings in the caller's language; if cells may say how fields change, it has a
 * note about that.
 */
export const uploadTemplate = (
  name: string,
  columns: readonly UploadColumn[],
  { format, language }: { format: TemplateFormat; language: Language },
): Promise<FileResponse> => {
  const note = (column: UploadColumn) =>
    column === 'iccid' ? `# ${phrase(language, 'files.infoNote')}` : '';
  return templateFile({
    name,
    format,
    rows: [
      columns.map((column) => columnHeading(column, language)),
      ...(columns.length > 1 ? [columns.map(note)] : []),
    ],
  });
};

/** Rows of a file with the SIMs that they name. */
const resolveRows = async <R extends FileRow>(
  tx: Sql,
  org: { id: number },
  rows: readonly R[],
): Promise<(Candidate & { row: R })[]> => {
  const validRows = rows.filter(({ refusal }) => !refusal);
  const found = await listByIccids(tx, { scope: scopedTo(org), iccids: validRows.map(({ iccid }) => iccid) });
  const bySim = new Map(found.map(({ iccid, sim }) => [iccid, sim]));
  return rows.map((row) => {
    const sim = row.refusal ? undefined : bySim.get(row.iccid);
    return { iccid: sim?.iccid ?? row.iccid, sim, refusal: row.refusal, row };
  });
};

/** The SIMs that a file names, and the faults of its rows for the report. `read` returns what the order read last. */
export const selectionFromFile = <R extends FileRow>(
  org: { id: number },
  { file, rows }: { file: string; rows: (tx: Sql) => Promise<readonly R[]> },
): {
  selected: FileSelection;
  faults: NonNullable<SimOrder<unknown>['faults']>;
  read: () => readonly R[];
} => {
  let read: readonly R[] = [];
  return {
    selected: {
      file,
      read: async (tx) => {
        read = await rows(tx);
        return resolveRows(tx, org, read);
      },
    },
    faults: () =>
      new Map(
        read.flatMap(({ faults }, index) => (faults.length > 0 ? [[index, faults.map(itemFault)]] : [])),
      ),
    read: () => read,
  };
};

const itemFault = ({ column, ...fault }: RowFault): ItemFault => ({
  field: `sim.columns.${column}`,
  ...fault,
});

/** Number of errors in the response; the task's report has all. */
const maxErrors = 100;

/**
 * What is wrong with the first faulty rows: their values, or else that the SIM may not be changed or belongs to
 * another organisation.
 */
export const rowErrorsOf = (
  rows: readonly NumberedRow[],
  refused: ReadonlyMap<number, SimRefusal>,
  language: Language,
): Pick<ResponseOf<typeof endpoints.sim.parseTransfer>, 'errors' | 'wrong_rows'> => {
  const errors = rows.flatMap(({ row, iccid, faults }, index) => {
    const code = refused.get(index);
    if (!code) return [];
    const found: readonly RowFault[] = faults.length > 0 ? faults : [{ column: 'iccid', value: iccid, code }];
    return found.map((fault) => ({ row, fault }));
  });
  return {
    errors: errors.slice(0, maxErrors).map(({ row, fault }) => ({
      row,
      column: columnHeading(fault.column, language),
      value: fault.value,
      code: fault.code,
      message: faultMessage(fault, language),
    })),
    wrong_rows: refused.size,
  };
};
