import { radioTypes } from '@simcube/contract/sim';
import { cellsOf } from '../../../platform/csv/cells.rules.ts';
import type { Volume } from '../usage.rules.ts';
import { hash53, hashNumbers53, reportKey, sessionKeyOf } from '../usage-hash.rules.ts';
import { type CdrLayout, invisible } from './cdr-columns.rules.ts';

export const refusalReasons = [
  'line-too-long',
  'quotes-unbalanced',
  'column-count',
  'not-utf8',
  'invisible-character',
  'identifier-missing',
  'identifier-invalid',
  'unknown-sim',
  'time-invalid',
  'time-out-of-range',
  'end-before-start',
  'bytes-invalid',
  'network-invalid',
  'radio-unknown',
  'text-too-long',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A parsed and checked line of a CDR file; its SIM is not known yet. Times are milliseconds. */
export interface CdrLine {
  /** ICCID, IMSI or MSISDN, according to the kind; `identifier` may be any of them. */
  kind: IdentifierKind;
  identifier: string;
  /** Identifies the record: a 53-bit hash of its id, else of session, start and volume. */
  key: number;
  /** The key of its session; -1 if it names none. */
  session: number;
  startedAt: number;
  endedAt: number;
  up: number;
  down: number;
  /** Cumulative volume of the session at the end of the record, if the line names session, gateway and volume. */
  total: Volume | null;
  plmn: number;
  radio: number;
  apn: string | null;
  cell: string | null;
}

/** If several of these columns have a value, the first one identifies the SIM. */
export const identifierKinds = ['iccid', 'imsi', 'msisdn', 'identifier'] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

const maxIdentifierLength = 26;
export const maxTextLength = 128;
export const maxRecordIdLength = 256;

/** Parses one line. Never throws. Quotes as in RFC 4180, but a line break always ends the record. */
export const parseCdrLine = (line: string, layout: CdrLayout): CdrLine | RefusalReason => {
  const fields = cellsOf(line);
  if (!fields) return 'quotes-unbalanced';
  if (fields.length !== layout.width) return 'column-count';
  const kind = identifierKinds.find((name) => at(fields, layout[name]) !== '');
  if (!kind) return 'identifier-missing';
  const textFault = textFaultOf(line, fields, layout);
  if (textFault) return textFault;
  const identifier = at(fields, layout[kind]);
  if (identifier.length > maxIdentifierLength) return 'identifier-invalid';
  const endedAt = parseTime(fields[layout.ended_at] ?? '');
  const startText = at(fields, layout.started_at);
  const startedAt = startText === '' ? endedAt : parseTime(startText);
  if (Number.isNaN(endedAt) || Number.isNaN(startedAt)) return 'time-invalid';
  if (startedAt > endedAt) return 'end-before-start';
  const up = parseBytes(fields[layout.up_bytes] ?? '');
  const down = parseBytes(fields[layout.down_bytes] ?? '');
  if (up < 0 || down < 0) return 'bytes-invalid';
  const plmn = parsePlmn(at(fields, layout.mcc), at(fields, layout.mnc));
  if (plmn < 0) return 'network-invalid';
  const radio = parseRadio(at(fields, layout.rat));
  if (radio < 0) return 'radio-unknown';
  const [apn, cell] = [at(fields, layout.apn), at(fields, layout.cell)];
  const recordId = at(fields, layout.record_id);
  const session = at(fields, layout.session_id);
  const gateway = at(fields, layout.gateway);
  const isTooLong = [apn, cell, gateway].some(({ length }) => length > maxTextLength);
  if (isTooLong || recordId.length + session.length > maxRecordIdLength) return 'text-too-long';
  const sessionKey = session === '' ? -1 : sessionKeyOf(session, gateway);
  const total = gateway === '' || session === '' ? undefined : totalOf(fields, layout);
  if (total === 'bytes-invalid') return total;
  const plainKey = () =>
    recordId === '' ? recordKey(hash53(session), { startedAt, up, down }) : hash53(recordId);
  return {
    kind,
    identifier,
    key: total ? reportKey(sessionKey, total) : plainKey(),
    session: sessionKey,
    startedAt,
    endedAt,
    up,
    down,
    // Less than the record itself can't be the session's.
    total: total && total.up >= up && total.down >= down ? total : null,
    plmn,
    radio,
    apn: apn === '' ? null : apnOf(apn),
    cell: cell === '' ? null : cell,
  };
};

/** APNs are case-insensitive (TS 23.003, clause 9.1). */
export const apnOf = (text: string): string => text.toLowerCase();

const textColumns = [...identifierKinds, 'record_id', 'session_id', 'gateway', 'apn', 'cell'] as const;
const printableAscii = /^[ -~]*$/;
/** Replaces octets that are not UTF-8; two ids that differed only in those would become equal. */
const replacementCharacter = '\ufffd';

/**
 * Why texts that are stored, compared or part of the record's key are damaged: they would never be found, or would be
 * mistaken for another record. Ignored columns may contain anything.
 */
const textFaultOf = (
  line: string,
  fields: readonly string[],
  layout: CdrLayout,
): RefusalReason | undefined => {
  if (printableAscii.test(line)) return undefined;
  const texts = textColumns.map((name) => at(fields, layout[name]));
  if (texts.some((text) => text.includes(replacementCharacter))) return 'not-utf8';
  return texts.some((text) => invisible.test(text)) ? 'invisible-character' : undefined;
};

/** The session's cumulative volume at the end of the record, if the file contains all of it. */
const totalOf = (fields: readonly string[], layout: CdrLayout): Volume | 'bytes-invalid' | undefined => {
  const [upText, downText] = [at(fields, layout.session_up_bytes), at(fields, layout.session_down_bytes)];
  if (upText === '' || downText === '') return undefined;
  const total = { up: parseBytes(upText), down: parseBytes(downText) };
  return total.up < 0 || total.down < 0 ? 'bytes-invalid' : total;
};

/** The key of a record without an id. */
export const recordKey = (
  session: number,
  { startedAt, up, down }: { startedAt: number; up: number; down: number },
): number => hashNumbers53(hashNumbers53(session, startedAt, up), down, 1);

const at = (fields: readonly string[], index: number): string =>
  index < 0 ? '' : (fields[index] ?? '').trim();

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2200, 0, 1);

/** Parses ISO 8601 with a zone, or seconds (or milliseconds) since 1970; NaN for anything else. */
export const parseTime = (text: string): number => {
  const value = /^\d{9,13}$/.test(text) ? unixTime(text) : isoTime(text);
  return value >= earliest && value < latest ? value : Number.NaN;
};

const unixTime = (text: string): number => Number(text) * (text.length > 10 ? 1 : 1000);

const iso = /^\d{4}-\d{2}-\d{2}[T ](?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

const isoTime = (text: string): number => {
  // `Date.parse` alone would turn the 31st of a shorter month into a day of the next month.
  if (!iso.test(text) || Number.isNaN(startOfDay(text))) return Number.NaN;
  return Date.parse(text.replace(' ', 'T'));
};

/** Start of the day (UTC) that an ISO text begins with; NaN for a date that does not exist. */
const startOfDay = (text: string): number => {
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const value = Date.UTC(digits(text, 0, 4), month - 1, day);
  return month >= 1 && month <= 12 && new Date(value).getUTCDate() === day ? value : Number.NaN;
};

/** The number that these characters, all of them digits, are. */
const digits = (text: string, from: number, to: number): number => {
  let value = 0;
  for (let index = from; index < to; index += 1) {
    value = value * 10 + text.charCodeAt(index) - 0x30;
  }
  return value;
};

/** A larger value must be an error: 4 TiB is a day at 400 Mbit/s. A whole chunk of such values still fits a bigint. */
export const maxOctets = 2 ** 42;

/** Parses octets; -1 for anything else. */
const parseBytes = (text: string): number => {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
  return value <= maxOctets ? value : -1;
};

/** mcc * 1000 + mnc; 0 if neither is given, -1 if they are not a network. */
const parsePlmn = (mcc: string, mnc: string): number => {
  if (mcc === '' && mnc === '') return 0;
  if (!/^\d{3}$/.test(mcc) || !/^\d{2,3}$/.test(mnc)) return -1;
  return Number(mcc) * 1000 + Number(mnc);
};

const radioNames = new Map<string, number>([
  ['', 0],
  ...radioTypes.map((name, index): [string, number] => [name.toUpperCase(), index + 1]),
  ...(
    [
      ['GSM', '2G'],
      ['GERAN', '2G'],
      ['UMTS', '3G'],
      ['UTRAN', '3G'],
      ['LTE', '4G'],
      ['EUTRAN', '4G'],
      ['NR', '5G'],
      ['NBIOT', 'NB-IoT'],
      ['LTEM', 'LTE-M'],
      ['WIFI', 'WLAN'],
    ] as const
  ).map(([alias, name]): [string, number] => [alias, radioTypes.indexOf(name) + 1]),
]);

export const parseRadio = (text: string): number =>
  radioNames.get(text) ?? radioNames.get(text.toUpperCase()) ?? -1;
