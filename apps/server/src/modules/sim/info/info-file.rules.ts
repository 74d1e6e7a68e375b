import { type ErrorCode, type InputIssue, limits, type SimRefusal } from '@simcube/contract';
import { createIccidReader, type NamedRow } from '../transfer/transfer-file.rules.ts';

/** What a cell says: empty leaves a field as it is (undefined), a single hyphen clears it (null). */
const cellOf = (text: string | undefined): string | null | undefined => {
  const trimmed = (text ?? '').trim();
  if (trimmed === '') return undefined;
  return trimmed === '-' ? null : trimmed;
};

const tagsOf = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[;|；]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];

type Column = 'iccid' | 'device_name' | 'notes' | 'tags';

export interface InfoRow extends NamedRow {
  deviceName?: string | null | undefined;
  notes?: string | null | undefined;
  /** Empty: all are taken off. */
  tags?: string[] | undefined;
}

export interface RowError {
  /** As a spreadsheet counts: the heading is row 1. */
  row: number;
  column: Column;
  code: ErrorCode;
  /** Of a value that is too long or the like. */
  issue?: Pick<InputIssue, 'key' | 'values'> | undefined;
}

export interface InfoFile {
  rows: InfoRow[];
  errors: RowError[];
}

/** Reads the rows below the heading; each that is wrong is refused for its first trouble, and all troubles are told. */
export const readInfoRows = (
  table: readonly (readonly string[])[],
  places: Partial<Record<Column, number>>,
): InfoFile => {
  const readIccid = createIccidReader();
  const rows: InfoRow[] = [];
  const errors: RowError[] = [];
  for (const [index, cells] of table.entries()) {
    if (cells.every((cell) => cell === '')) continue;
    const cell = (column: Column): string | undefined => {
      const place = places[column];
      return place === undefined ? undefined : cells[place];
    };
    const named = readIccid(cell('iccid') ?? '');
    const tags = cellOf(cell('tags'));
    const row: InfoRow = {
      ...named,
      deviceName: cellOf(cell('device_name')),
      notes: cellOf(cell('notes')),
      tags: typeof tags === 'string' ? tagsOf(tags) : tags === null ? [] : undefined,
    };
    const troubles = troublesOf(row).map((trouble) => ({ row: index + 2, ...trouble }));
    errors.push(...troubles);
    const [first] = troubles;
    rows.push(first ? { iccid: row.iccid, wrong: first.code } : row);
  }
  return { rows, errors };
};

interface Trouble extends Omit<RowError, 'row' | 'code'> {
  code: SimRefusal;
}

const troublesOf = ({ wrong, deviceName, notes, tags }: InfoRow): Trouble[] => {
  const troubles: Trouble[] = [];
  if (wrong) troubles.push({ column: 'iccid', code: wrong });
  const limit = (column: Column, text: string | null | undefined, max: number) => {
    if (text && text.length > max) {
      troubles.push({ column, code: 'CB-00-0400', issue: { key: 'tooLong', values: { max } } });
    }
  };
  limit('device_name', deviceName, limits.deviceName.max);
  limit('notes', notes, limits.notes.max);
  if (tags && tags.length > limits.tags.perSim) troubles.push({ column: 'tags', code: 'CB-01-0017' });
  limit('tags', tags?.toSorted((a, b) => b.length - a.length)[0], limits.tags.length);
  return troubles;
};
