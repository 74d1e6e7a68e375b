import { isBrokenText, uniqueTexts } from '@simcube/contract';
import { type SimImportRow, simImportRowSchema } from '@simcube/contract/sim';
import { issueSentences, phrase } from '@simcube/phrases';
import { isRounded } from '../../../platform/csv/rounded.rules.ts';
import { tagsOfCell } from '../sim.rules.ts';

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
    if (value !== '') input[name] = name === 'tags' ? uniqueTexts(tagsOfCell(value)) : value;
  }
  const parsed = simImportRowSchema.safeParse(input, { reportInput: true });
  if (parsed.success) return { row: parsed.data };
  const reasons = issueSentences('en-US', parsed.error.issues).slice(0, 3);
  return { reason: reasons.join('; ') };
};

/** What a delivery states about a card. Only an import writes it, so a row that differs is a mistake, not a change. */
const deliveredFields = [
  'msisdn',
  'delivery_note_number',
  'shipment_on',
  'chip_grade',
  'technology',
  'apn',
  'ip',
] as const satisfies readonly (keyof SimImportRow)[];

export type DeliveredField = (typeof deliveredFields)[number];

export interface KnownSim extends Record<DeliveredField, string | null> {
  iccid: string;
  imsi: string;
  orgId: number;
}

export type Verdict =
  | { kind: 'accepted'; orgId: number }
  | { kind: 'duplicate' }
  | { kind: 'refused'; reason: string };

/**
 * Checks rows one after the other against existing SIMs and rows accepted before them. A repeated SIM is a
 * duplicate and changes nothing, so that a file can be imported again, unless it states something else about the card;
 * identifiers that another SIM has are refused, never moved.
 */
export const createRowCheck = (
  known: readonly KnownSim[],
  organisations: ReadonlyMap<string, number>,
): ((row: SimImportRow) => Verdict) => {
  const byIccid = new Map(known.map((sim) => [keyOf(sim), sim]));
  const imsis = new Set(known.map((sim) => sim.imsi));
  const msisdns = new Set(known.map((sim) => sim.msisdn));
  msisdns.delete(null);
  return (row) => {
    const orgId = organisations.get(row.organisation_code);
    if (orgId === undefined)
      return refused(`organisation_code: there is no organisation ${row.organisation_code}`);
    const existing = byIccid.get(keyOf(row));
    const delivered = deliveredOf(row);
    if (existing) {
      if (existing.imsi !== row.imsi)
        return refused('iccid: there is a SIM with this ICCID and another IMSI');
      if (existing.orgId !== orgId) return refused('iccid: the SIM belongs to another organisation');
      const changed = deliveredFields.find(
        (field) => (delivered[field] ?? existing[field]) !== existing[field],
      );
      return changed
        ? refused(`${changed}: the SIM is stored with ${existing[changed] ?? 'none'}`)
        : { kind: 'duplicate' };
    }
    if (imsis.has(row.imsi)) return refused('imsi: another SIM has this IMSI');
    if (msisdns.has(delivered.msisdn)) return refused('msisdn: another SIM has this MSISDN');
    byIccid.set(keyOf(row), { iccid: row.iccid, imsi: row.imsi, orgId, ...delivered });
    imsis.add(row.imsi);
    if (delivered.msisdn !== null) msisdns.add(delivered.msisdn);
    return { kind: 'accepted', orgId };
  };
};

/** ICCIDs that differ only in letter case are of one SIM. */
const keyOf = ({ iccid }: Pick<SimImportRow, 'iccid'>): string => iccid.toUpperCase();

const deliveredOf = (row: SimImportRow): Record<DeliveredField, string | null> => ({
  msisdn: row.msisdn ?? null,
  delivery_note_number: row.delivery_note_number ?? null,
  shipment_on: row.shipment_on ?? null,
  chip_grade: row.chip_grade ?? null,
  technology: row.technology ?? null,
  apn: row.apn ?? null,
  ip: row.ip ?? null,
});

const refused = (reason: string): Verdict => ({ kind: 'refused', reason });
