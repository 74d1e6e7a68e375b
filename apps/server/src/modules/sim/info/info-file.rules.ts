import { eachOnce, type InputIssue, inputIssuesOf, limits } from '@simcube/contract';
import { deviceNameSchema, notesSchema, type SimRefusal, tagSchema } from '@simcube/contract/sim';
import type { z } from 'zod';
import type { UploadColumn } from '../uploads/columns.rules.ts';
import { createIccidReader, isNote, type NamedRow } from '../uploads/iccid-file.rules.ts';

/** What a cell says: empty leaves a field as it is (undefined), a single hyphen clears it (null). */
const cellOf = (text: string | undefined): string | null | undefined => {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return undefined;
  return trimmed === '-' ? null : trimmed;
};

const tagsOf = (cell: string): string[] =>
  cell
    .split(/[;|；]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** What is wrong with one value of a row. */
export interface RowFault {
  column: UploadColumn;
  /** As it stands in the file, shortened. */
  value: string;
  code: SimRefusal;
  /** Of a value that is too long or the like. */
  issue?: Pick<InputIssue, 'key' | 'values'> | undefined;
}

export interface InfoRow extends NamedRow {
  /** As a spreadsheet counts: the heading is row 1. */
  row: number;
  deviceName?: string | null | undefined;
  notes?: string | null | undefined;
  /** Empty: all are taken off. */
  tags?: string[] | undefined;
  faults: RowFault[];
}

/** Of a value that is shown beside what is wrong with it. */
const valueShown = 60;
const shown = (value: string): string =>
  value.length > valueShown ? `${value.slice(0, valueShown).trimEnd()}…` : value;

/** Reads the rows below the heading. One with faults sets nothing, and is refused for the first of them. */
export const readInfoRows = (
  table: readonly (readonly string[])[],
  places: Partial<Record<UploadColumn, number>>,
): InfoRow[] => {
  const readIccid = createIccidReader();
  const rows: InfoRow[] = [];
  for (const [index, cells] of table.entries()) {
    if (isNote(cells)) continue;
    const cell = (column: UploadColumn): string | undefined => {
      const place = places[column];
      return place === undefined ? undefined : cells[place];
    };
    const { iccid, wrong } = readIccid(cell('iccid') ?? '');
    const faults: RowFault[] = wrong ? [{ column: 'iccid', value: iccid, code: wrong }] : [];
    const checked = <T extends string | null | undefined>(
      column: UploadColumn,
      schema: z.ZodType<string>,
      value: T,
    ): T | string => {
      if (!value) return value;
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues.flatMap(inputIssuesOf);
      faults.push({ column, value: shown(value), code: 'CB-01-0030', issue });
      return value;
    };
    const deviceName = checked('device_name', deviceNameSchema, cellOf(cell('device_name')));
    const notes = checked('notes', notesSchema, cellOf(cell('notes')));
    const tagCell = cellOf(cell('tags'));
    const tags = tagCell && eachOnce(tagsOf(tagCell).map((tag) => checked('tags', tagSchema, tag)));
    if (tags && tags.length > limits.tags.perSim) {
      faults.push({ column: 'tags', value: shown(tags.join('; ')), code: 'CB-01-0017' });
    }
    const named = { row: index + 2, iccid, faults };
    const [first] = faults;
    if (first) rows.push({ ...named, wrong: first.code });
    else
      rows.push({
        ...named,
        wrong: undefined,
        deviceName,
        notes,
        tags: tagCell === null ? [] : tags || undefined,
      });
  }
  return rows;
};
