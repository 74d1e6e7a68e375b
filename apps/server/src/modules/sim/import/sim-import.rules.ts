import { isBrokenText, uniqueTexts } from '@simcube/contract';
import { type SimImportRow, simImportRowSchema } from '@simcube/contract/sim';
import { issueSentences, phrase } from '@simcube/phrases';
import { isRounded } from '../../../platform/csv/rounded.rules.ts';

/** Columns of an import file, in any order: the names of the contract's import row. */
const importColumns = Object.keys(simImportRowSchema.shape) as (keyof SimImportRow)[];
const requiredColumns: readonly (keyof SimImportRow)[] = ['iccid', 'imsi', 'organisation_code'];

/** The problem of a file's header; undefined if it is valid. */
export const headerProblem = (names: readonly string[]): string | undefined => {
  const unknown = names.filter((name) => !importColumns.some((column) => column === name));
  if (unknown.length > 0) {
    const listed = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
    return `The file has unknown columns: ${listed.join(', ')}. Known columns: ${importColumns.join(', ')}`;
  }
  const missing = requiredColumns.filter((column) => !names.includes(column));
  if (missing.length > 0) return `The file lacks columns: ${missing.join(', ')}`;
  if (new Set(names).size < names.length) return 'The file has a column twice';
  return undefined;
};

export type ParsedRow = { row: SimImportRow } | { reason: string };

/** The row from the cells of a line: empty cells are absent, tags are separated by `;` or `|`. */
export const parseImportRow = (cells: Readonly<Record<string, string>>): ParsedRow => {
  const input: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(cells)) {
    if (isBrokenText(cell)) return { reason: `${name}: ${phrase('en-US', 'errors.issues.brokenText')}` };
    const value = cell.trim();
    if (isRounded(value))
      return {
        reason: `${name}: a spreadsheet has lost digits of ${value}; format the column as text there`,
      };
    if (value !== '') input[name] = name === 'tags' ? tagsOf(value) : value;
  }
  const parsed = simImportRowSchema.safeParse(input, { reportInput: true });
  if (parsed.success) return { row: parsed.data };
  const reasons = issueSentences('en-US', parsed.error.issues).slice(0, 3);
  return { reason: reasons.join('; ') };
};

const tagsOf = (cell: string): string[] =>
  uniqueTexts(
    cell
      .split(/[;|]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  );

export interface KnownSim {
  iccid: string;
  imsi: string;
  msisdn: string | null;
  orgId: number;
}

export type Verdict =
  | { kind: 'accepted'; orgId: number }
  | { kind: 'duplicate' }
  | { kind: 'refused'; reason: string };

/**
 * Checks rows one after the other against existing SIMs and rows accepted before them. A repeated SIM is a
 * duplicate and changes nothing, so that a file can be imported again; identifiers that another SIM has are
 * refused, never moved.
 */
export const createRowCheck = (
  known: readonly KnownSim[],
  organisations: ReadonlyMap<string, number>,
): ((row: SimImportRow) => Verdict) => {
  const byIccid = new Map(known.map((sim) => [sim.iccid, sim]));
  const imsis = new Set(known.map((sim) => sim.imsi));
  const msisdns = new Set(known.map((sim) => sim.msisdn));
  msisdns.delete(null);
  return (row) => {
    const orgId = organisations.get(row.organisation_code);
    if (orgId === undefined)
      return refused(`organisation_code: there is no organisation ${row.organisation_code}`);
    const existing = byIccid.get(row.iccid);
    if (existing) {
      if (existing.imsi !== row.imsi)
        return refused('iccid: there is a SIM with this ICCID and another IMSI');
      if (existing.orgId !== orgId) return refused('iccid: the SIM belongs to another organisation');
      return { kind: 'duplicate' };
    }
    if (imsis.has(row.imsi)) return refused('imsi: another SIM has this IMSI');
    const msisdn = row.msisdn ?? null;
    if (msisdns.has(msisdn)) return refused('msisdn: another SIM has this MSISDN');
    byIccid.set(row.iccid, { iccid: row.iccid, imsi: row.imsi, msisdn, orgId });
    imsis.add(row.imsi);
    if (msisdn !== null) msisdns.add(msisdn);
    return { kind: 'accepted', orgId };
  };
};

const refused = (reason: string): Verdict => ({ kind: 'refused', reason });
