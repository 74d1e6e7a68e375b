import { textSchema } from '@simcube/contract';
import { issueSentences } from '@simcube/phrases';
import { z } from 'zod';

/** The coordinates of a cell. */
export interface CellRow {
  /** As in accounting: type and numbers (3GPP-User-Location-Info). */
  cell: string;
  latitude: number;
  longitude: number;
  name: string | null;
}

/** A network code's digits by its number (mcc × 1000 + mnc): files from elsewhere have only the number. */
export type NetworkCodes = ReadonlyMap<number, { mcc: string; mnc: string }>;

const names: Readonly<Record<string, string>> = { lat: 'latitude', lon: 'longitude', lng: 'longitude' };
const numberedColumns = ['radio', 'mcc', 'net', 'area'];

/** Columns of the file, in any order; unknown columns are ignored. */
export const cellColumns = ['cell', 'latitude', 'longitude', 'name'] as const;

/** The columns in a heading, under our names. @throws Error if required ones are missing */
export const columnsOf = (heading: readonly string[]): string[] => {
  const columns = heading.map((name) => name.trim().toLowerCase()).map((name) => names[name] ?? name);
  const missing = cellColumns.filter((name) => name !== 'name' && !columns.includes(name));
  if (missing.length > 0) throw new Error(`The file lacks the columns ${missing.join(', ')}`);
  return columns;
};

const degrees = (limit: number) =>
  z
    .string()
    .trim()
    .regex(/^[+-]?\d{1,3}(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(-limit).max(limit));

const placeFields = {
  latitude: degrees(90),
  longitude: degrees(180),
  name: textSchema({ min: 0, max: 100 })
    .optional()
    .transform((name) => name || null),
};
/** Maximum length of a cell in usage records. */
const maxCellLength = 128;
const plainLine = z.object({ ...placeFields, cell: textSchema({ max: maxCellLength }) });

const number = (limit: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .pipe(z.number().max(limit));
/** The format of exports from OpenCelliD and Mozilla's location service. */
const numberedLine = z.object({
  ...placeFields,
  radio: z
    .string()
    .trim()
    .toUpperCase()
    .pipe(z.enum(['GSM', 'UMTS', 'LTE', 'NR', 'NBIOT', 'CDMA'])),
  mcc: number(999),
  net: number(999),
  area: number(0xff_ff_ff),
  cell: number(2 ** 36 - 1),
});

/** A parsed line of the file, or its error. */
export const parseCell = (line: Record<string, string>, codes: NetworkCodes): CellRow | string => {
  const isNumbered = numberedColumns.every((column) => column in line);
  if (!isNumbered) {
    const read = plainLine.safeParse(line, { reportInput: true });
    return read.success ? read.data : errorText(read.error);
  }
  const read = numberedLine.safeParse(line, { reportInput: true });
  if (!read.success) return errorText(read.error);
  const { radio, mcc, net, area, cell, ...rest } = read.data;
  if (radio === 'CDMA') return 'radio: CDMA cells are not 3GPP cells';
  const network = codes.get(mcc * 1000 + net) ?? networkCodeOf(mcc, net, codes);
  const head = `${network.mcc}-${network.mnc}`;
  // Accounting reports 16 bits of a GSM or UMTS cell; in the file the radio controller's number precedes them.
  const key = radio === 'GSM' || radio === 'UMTS' ? `${head}-${area}-${cell % 0x1_00_00}` : `${head}-${cell}`;
  return { ...rest, cell: key };
};

const errorText = ({ issues }: z.ZodError): string => issueSentences('en-US', issues).slice(0, 3).join('; ');

/** An unknown network gets as many digits as the others in its country. */
const networkCodeOf = (mcc: number, net: number, codes: NetworkCodes): { mcc: string; mnc: string } => {
  let long = 0;
  let short = 0;
  for (let other = mcc * 1000; other < (mcc + 1) * 1000; other += 1) {
    const digits = codes.get(other)?.mnc.length;
    if (digits === 3) long += 1;
    if (digits === 2) short += 1;
  }
  return { mcc: String(mcc).padStart(3, '0'), mnc: String(net).padStart(long > short ? 3 : 2, '0') };
};
