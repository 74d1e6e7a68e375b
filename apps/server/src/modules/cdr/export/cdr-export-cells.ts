import { type Language, languages } from '@simcube/contract';
import {
  type Cdr,
  type CdrColumn,
  cdrColumns,
  cdrExportRows,
  cdrFilterSchema,
  cdrIdSchema,
} from '@simcube/contract/cdr';
import { fileFormatSchema } from '@simcube/contract/task';
import { phrase } from '@simcube/phrases';
import { z } from 'zod';
import { type Cell, localTimes } from '../../../platform/files/index.ts';

/** What a file was ordered to hold. */
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

/** Chosen columns in the order of the file; all of them when none was chosen. */
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

/** Phrases of the columns, among those of files. */
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

/** A record as cells of a file, in the columns given. */
export const cellsOf = (
  columns: readonly CdrColumn[],
  { timeZone, language }: { timeZone: string; language: Language },
) => {
  const local = localTimes(timeZone);
  const cells: Record<CdrColumn, (cdr: Cdr) => Cell> = {
    started_at: (cdr) => local(cdr.started_at),
    ended_at: (cdr) => local(cdr.ended_at),
    iccid: (cdr) => cdr.iccid,
    imsi: (cdr) => cdr.imsi,
    msisdn: (cdr) => cdr.msisdn,
    device_name: (cdr) => cdr.device_name,
    country: (cdr) => cdr.network?.country ?? null,
    operator: (cdr) => cdr.network?.operator ?? null,
    plmn: (cdr) => cdr.network && `${cdr.network.mcc}-${cdr.network.mnc}`,
    radio: (cdr) => cdr.radio,
    cell: (cdr) => cdr.cell,
    apn: (cdr) => cdr.apn,
    bundle: (cdr) => cdr.bundle,
    session: (cdr) => cdr.session,
    source: (cdr) => phrase(language, `files.cdrSource.${cdr.source}`),
    up_bytes: (cdr) => cdr.up_bytes,
    down_bytes: (cdr) => cdr.down_bytes,
    total_bytes: (cdr) => cdr.total_bytes,
  };
  return (cdr: Cdr): Cell[] => columns.map((column) => cells[column](cdr));
};
