import { limits, toInputIssues, truncate, uniqueTexts } from '@simcube/contract';
import { deviceNameSchema, newTagSchema, notesSchema } from '@simcube/contract/sim';
import type { z } from 'zod';
import type { UploadColumn } from '../columns.rules.ts';
import { tagsOfCell } from '../sim.rules.ts';
import { createIccidReader, isBlankOrNote, rowNumber } from '../uploads/iccid-file.rules.ts';
import type { NumberedRow, RowFault } from '../uploads/row-faults.rules.ts';

/** The meaning of a cell: empty leaves a field unchanged (undefined), a single hyphen clears it (null). */
const cellOf = (text: string | undefined): string | null | undefined => {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return undefined;
  return trimmed === '-' ? null : trimmed;
};

export interface InfoRow extends NumberedRow {
  deviceName?: string | null | undefined;
  notes?: string | null | undefined;
  /** Empty: all tags are removed. */
  tags?: string[] | undefined;
}

/** Maximum length of a value that is shown with its error. */
const maxShownLength = 60;
const shorten = (value: string): string =>
  value.length > maxShownLength ? `${truncate(value, maxShownLength).trimEnd()}…` : value;

/** Reads the rows below the heading. A row with faults changes nothing, and is refused for the first of them. */
export const readInfoRows = (
  table: readonly (readonly string[])[],
  positions: Partial<Record<UploadColumn, number>>,
): InfoRow[] => {
  const readIccid = createIccidReader();
  const rows: InfoRow[] = [];
  for (const [index, cells] of table.entries()) {
    if (isBlankOrNote(cells)) continue;
    const cell = (column: UploadColumn): string | undefined => {
      const position = positions[column];
      return position === undefined ? undefined : cells[position];
    };
    const row = rowNumber(index);
    const { iccid, fault } = readIccid(cell('iccid') ?? '', row);
    const faults: RowFault[] = fault ? [fault] : [];
    const validate = <T extends string | null | undefined>(
      column: UploadColumn,
      schema: z.ZodType<string>,
      value: T,
    ): T | string => {
      if (!value) return value;
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues.flatMap(toInputIssues);
      faults.push({ column, value: shorten(value), code: 'CB-01-0030', issue });
      return value;
    };
    const deviceName = validate('device_name', deviceNameSchema, cellOf(cell('device_name')));
    const notes = validate('notes', notesSchema, cellOf(cell('notes')));
    const tagCell = cellOf(cell('tags'));
    const tags =
      tagCell && uniqueTexts(tagsOfCell(tagCell).map((tag) => validate('tags', newTagSchema, tag)));
    if (tags && tags.length > limits.tags.perSim) {
      faults.push({ column: 'tags', value: shorten(tags.join('; ')), code: 'CB-01-0017' });
    }
    const common = { row, iccid, faults };
    const [first] = faults;
    if (first) rows.push({ ...common, refusal: first.code });
    else
      rows.push({
        ...common,
        refusal: undefined,
        deviceName,
        notes,
        tags: tagCell === null ? [] : tags || undefined,
      });
  }
  return rows;
};
