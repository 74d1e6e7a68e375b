import { type Language, languages, limits } from '@simcube/contract';
import type { TemplateFormat } from '@simcube/contract/task';
import { phrase } from '@simcube/phrases';
import type { Sql } from '../../../platform/db/index.ts';
import { readTable, templateFile, type UploadedFile } from '../../../platform/files/index.ts';
import { type FileAnswer, fail } from '../../../platform/http/index.ts';
import { listNamed } from '../ordering/selection.views.ts';
import type { Candidate } from '../ordering/sim-operation.rules.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { columnsOf, type UploadColumn } from './columns.rules.ts';
import { isNote, type NamedRow } from './iccid-file.rules.ts';
import { insertUpload, lockWaiting, type NewUpload } from './uploads.queries.ts';

const hourMs = 3_600_000;

/** Stores what was read until it is applied. @throws Failure CB-09-0021 when too many wait already: none is dropped */
export const storeUpload = async (tx: Sql, upload: Omit<NewUpload, 'expiresAt'>): Promise<string> => {
  const max = limits.upload.waiting;
  if ((await lockWaiting(tx, upload)) >= max) fail('CB-09-0021', { values: { max } });
  const expiresAt = new Date(upload.at.getTime() + limits.upload.hours * hourMs);
  return insertUpload(tx, { ...upload, expiresAt });
};

export const headingOf = (column: UploadColumn, language: Language): string =>
  phrase(language, `sim.columns.${column}`);

export interface ReadUpload {
  rows: string[][];
  places: Partial<Record<UploadColumn, number>> & { iccid: number };
}

/**
 * The rows of a file below its heading, and where its columns are. It needs ICCIDs, and one of the others if any are
 * wanted.
 * @throws FileRefused, Failure CB-09-0004, CB-09-0007
 */
export const readUpload = async (
  file: UploadedFile,
  { wanted, language }: { wanted: readonly UploadColumn[]; language: Language },
): Promise<ReadUpload> => {
  const [heading = [], ...rows] = await readTable(file, { maxRows: limits.upload.rows, language });
  const names = Object.fromEntries(
    wanted.map((column) => [column, languages.map((one) => headingOf(column, one))]),
  ) as Record<UploadColumn, string[]>;
  const { iccid, ...others } = columnsOf(heading, names);
  const isEnough = wanted.length === 1 || Object.keys(others).length > 0;
  if (iccid === undefined || !isEnough) {
    const columns = wanted.map((column) => headingOf(column, language)).join(', ');
    return fail('CB-09-0004', { values: { columns } });
  }
  if (rows.every(isNote)) fail('CB-09-0007');
  return { rows, places: { iccid, ...others } };
};

/** A file to fill in, with the headings in the caller's language; where cells may say how fields change, a note says so. */
export const templateOf = (
  name: string,
  columns: readonly UploadColumn[],
  { format, language }: { format: TemplateFormat; language: Language },
): Promise<FileAnswer> => {
  const note = (column: UploadColumn) =>
    column === 'iccid' ? `# ${phrase(language, 'files.infoNote')}` : '';
  return templateFile({
    name,
    format,
    rows: [
      columns.map((column) => headingOf(column, language)),
      ...(columns.length > 1 ? [columns.map(note)] : []),
    ],
  });
};

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
