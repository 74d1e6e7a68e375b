import { type ErrorCode, imeiSchema, truncate } from '@simcube/contract';
import type { RuleFileKind } from '@simcube/contract/autoflow';
import { createIccidReader, isBlankOrNote, normaliseIdentifier, rowNumber } from '../../sim/index.ts';
import { deviceOf } from './device.rules.ts';

/** Columns of rule files. */
export const ruleFileColumns = { sims: ['iccid'], imeis: ['iccid', 'imei'] } as const satisfies Record<
  RuleFileKind,
  readonly string[]
>;
export type RuleFileColumn = 'iccid' | 'imei';

export interface RuleFileFault {
  /** As in a spreadsheet: the heading is row 1. */
  row: number;
  column: RuleFileColumn;
  /** As in the file, shortened. */
  value: string;
  code: ErrorCode;
}

/** A valid row; `imei` is empty in a file of SIMs only. */
export interface RuleFileRow {
  row: number;
  iccid: string;
  imei: string;
}

/** Long enough for anything meant to be an IMEI. */
const maxShownLength = 40;

/** The distinct rows of a file: SIMs, or pairs of SIM and IMEI. */
export const readRuleRows = (
  table: readonly (readonly string[])[],
  { kind, places }: { kind: RuleFileKind; places: Readonly<Partial<Record<RuleFileColumn, number>>> },
): { rows: RuleFileRow[]; faults: RuleFileFault[] } => {
  const rows: RuleFileRow[] = [];
  const faults: RuleFileFault[] = [];
  const readIccid = createIccidReader();
  const seen = new Set<string>();
  for (const [index, cells] of table.entries()) {
    if (isBlankOrNote(cells)) continue;
    const row = rowNumber(index);
    const cell = (column: RuleFileColumn) => (cells[places[column] ?? -1] ?? '').trim();
    // A SIM may have several IMEIs, so in that case only repeated pairs of SIM and device are duplicates.
    const { iccid, fault } = (kind === 'sims' ? readIccid : createIccidReader())(cell('iccid'), row);
    if (fault) {
      faults.push({ row, column: 'iccid', value: fault.value, code: fault.code });
      continue;
    }
    const imei = kind === 'imeis' ? normaliseIdentifier(cell('imei')) : '';
    if (kind === 'imeis' && !imeiSchema.safeParse(imei).success) {
      faults.push({ row, column: 'imei', value: truncate(cell('imei'), maxShownLength), code: 'CB-05-0007' });
      continue;
    }
    const pair = `${iccid.toUpperCase()} ${deviceOf(imei)}`;
    if (kind === 'imeis' && seen.has(pair)) {
      faults.push({ row, column: 'iccid', value: iccid, code: 'CB-01-0020' });
      continue;
    }
    seen.add(pair);
    rows.push({ row, iccid, imei });
  }
  return { rows, faults };
};
