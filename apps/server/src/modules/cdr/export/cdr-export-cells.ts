import { type Language, languages } from '@simcube/contract';
import {
  type CdrColumn,
  cdrColumns,
  cdrExportRows,
  cdrFilterSchema,
  cdrIdSchema,
  cdrSources,
} from '@simcube/contract/cdr';
import { fileFormatSchema } from '@simcube/contract/task';
import { phrase } from '@simcube/phrases';
import pg from 'pg';
import { z } from 'zod';
import { csvTextSql } from '../../../platform/csv/index.ts';
import { networkCode, radioNames } from '../../sim/index.ts';

/** The parameters of an export. */
export const cdrExportSchema = z.object({
  what: z.discriminatedUnion('rows', [
    z.object({ rows: z.literal('chosen'), records: z.array(cdrIdSchema) }),
    ...cdrExportRows.map((rows) => z.object({ rows: z.literal(rows), filter: cdrFilterSchema })),
  ]),
  columns: z.array(z.enum(cdrColumns)).optional(),
  format: fileFormatSchema,
  language: z.enum(languages),
  timeZone: z.string(),
});
export type CdrExport = z.output<typeof cdrExportSchema>;

/** The chosen columns in the order of the file; all of them if none was chosen. */
export const columnsOf = (chosen: readonly CdrColumn[] | undefined): readonly CdrColumn[] =>
  chosen?.length ? cdrColumns.filter((column) => chosen.includes(column)) : cdrColumns;

const isTime = (column: CdrColumn): boolean => column === 'started_at' || column === 'ended_at';

export const headingOf = (
  column: CdrColumn,
  { language, timeZone }: { language: Language; timeZone: string },
): string => {
  const word = phrase(language, `files.columns.${cdrWords[column]}`);
  return isTime(column) ? `${word} (${timeZone})` : word;
};

/** Phrases of the columns in files. */
const cdrWords = {
  started_at: 'started',
  ended_at: 'ended',
  iccid: 'iccid',
  imsi: 'imsi',
  msisdn: 'msisdn',
  device_name: 'device_name',
  country: 'country_code',
  operator: 'operator',
  plmn: 'plmn',
  radio: 'radio',
  cell: 'cell',
  apn: 'apn',
  bundle: 'bundle',
  session: 'session',
  source: 'source',
  up_bytes: 'up',
  down_bytes: 'down',
  total_bytes: 'total',
} as const satisfies Record<CdrColumn, string>;

const literal = pg.escapeLiteral;

/** Whether the column is a number that spreadsheets can compute with. */
export const isNumber = (column: CdrColumn): boolean => column.endsWith('_bytes');

export interface CdrForm {
  orgId: number;
  language: Language;
  /** A time zone known to the database. */
  timeZone: string;
  /** Whether text that a spreadsheet would evaluate is neutralised. */
  neutral: boolean;
}

/**
 * The columns of a record (`c`) with its SIM (`s`), network (`n`) and order (`o`), as SQL. Nothing entered by a
 * person is interpolated, only phrases and a known time zone.
 */
export const columnSql = ({ orgId, language, timeZone, neutral }: CdrForm): Record<CdrColumn, string> => {
  const text = (column: string): string => (neutral ? csvTextSql(column) : column);
  const time = (column: string): string =>
    `to_char(${column} at time zone ${literal(timeZone)}, 'YYYY-MM-DD HH24:MI:SS')`;
  const wordOf = (column: string, words: readonly string[]): string =>
    `case ${column} ${words.map((word, index) => `when ${index + 1} then ${literal(word)}`).join(' ')} end`;
  return {
    started_at: time('c.started_at'),
    ended_at: time('c.ended_at'),
    iccid: 's.iccid',
    imsi: 's.imsi',
    msisdn: 's.msisdn',
    device_name: text(`case when s.org_id = ${orgId} then s.device_name end`),
    country: 'n.country',
    operator: text('n.operator'),
    plmn: `case when c.plmn <> 0 then ${networkCode('c.plmn', 'n')} end`,
    radio: wordOf('c.radio', radioNames(language)),
    cell: text('c.cell'),
    apn: text('c.apn'),
    bundle: text('o.bundle_name'),
    session: `s.iccid || '-' || c.session_key`,
    source: wordOf(
      'c.source',
      cdrSources.map((source) => phrase(language, `files.cdrSource.${source}`)),
    ),
    up_bytes: 'c.up_bytes',
    down_bytes: 'c.down_bytes',
    total_bytes: 'c.up_bytes + c.down_bytes',
  };
};
