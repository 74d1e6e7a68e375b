import { normaliseWidth } from '@simcube/contract';
import {
  type Connection,
  connections,
  type Lifecycle,
  lifecycleNumbers,
  lifecycles,
  lifecyclesWithData,
  radioTypes,
  type SimRow,
} from '@simcube/contract/sim';

const lifecyclesByNumber = new Map(lifecycles.map((lifecycle) => [lifecycleNumbers[lifecycle], lifecycle]));

/** @throws RangeError for an unknown number, which the table's check rules out */
export const lifecycleOf = (number: number): Lifecycle => {
  const lifecycle = lifecyclesByNumber.get(number as (typeof lifecycleNumbers)[Lifecycle]);
  if (!lifecycle) throw new RangeError(`No lifecycle has the number ${number}`);
  return lifecycle;
};

/**
 * Which lifecycle may follow which (specification, section 4). Active SIMs never return to pre-activated;
 * expired ones return by renewal, or are terminated after the grace period. Terminated is final.
 */
export const lifecycleTransitions: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  'pre-activated': ['active', 'terminated'],
  active: ['paused', 'expired', 'terminated'],
  paused: ['active', 'expired', 'terminated'],
  expired: ['active', 'terminated'],
  terminated: [],
};

export const canTransition = (from: Lifecycle, to: Lifecycle): boolean =>
  lifecycleTransitions[from].includes(to);

/** The lifecycles from which `to` can be reached in one step. */
export const lifecyclesBefore = (to: Lifecycle): Lifecycle[] =>
  lifecycles.filter((from) => canTransition(from, to));

/** As stored by AAA, which also updates it as time passes: every screen and filter uses the stored value. */
export const connectionNumbers: Readonly<Record<Connection, number>> = {
  unknown: 0,
  online: 1,
  connected: 2,
  offline: 3,
};

export const connectionOf = (number: number): Connection =>
  connections.find((connection) => connectionNumbers[connection] === number) ?? 'unknown';

export type Network = NonNullable<SimRow['network']>;

export interface NetworkColumns {
  /** mcc * 1000 + mnc; null if no session reported a network. */
  plmn: number | null;
  /** From the table of networks; null if the number is unknown. */
  mcc: string | null;
  mnc: string | null;
  operator: string | null;
  country: string | null;
  /** Position in `radioTypes`, from 1; 0 or null if unknown. */
  radio: number | null;
}

/** A network as shown; an unknown one is shown by its codes. */
export const networkOf = (row: NetworkColumns): Network | null => {
  if (!row.plmn) return null;
  return {
    country: row.country,
    mcc: row.mcc ?? String(Math.floor(row.plmn / 1000)).padStart(3, '0'),
    mnc: row.mnc ?? String(row.plmn % 1000).padStart(2, '0'),
    operator: row.operator,
    radio: radioTypes[(row.radio ?? 0) - 1] ?? null,
  };
};

/** Below this share of a cycle, the rate so far does not predict the cycle's end. */
const minShareForProjection = 0.05;

/**
 * Expected usage at the end of the cycle at the rate so far; null without a cycle, too early in it, and without
 * service.
 */
export const projectedBytes = (cycle: {
  lifecycle: Lifecycle;
  startedAt: Date | null;
  endsAt: Date | null;
  usedBytes: number;
  now: Date;
}): number | null => {
  const { lifecycle, startedAt, endsAt, usedBytes, now } = cycle;
  if (!startedAt || !endsAt || !lifecyclesWithData.includes(lifecycle)) return null;
  const share = (now.getTime() - startedAt.getTime()) / (endsAt.getTime() - startedAt.getTime());
  if (!(share >= minShareForProjection)) return null;
  return Math.round(usedBytes / Math.min(1, share));
};

/** Kind of SIMs as items of tasks; see `ordering/sim-items.ts`. */
export const simItemKind = 'sim';
/** Kind of SIMs that receive a text. */
export const messageItemKind = 'message';

/**
 * How people write numbers: with blanks and dashes, a plus for phone numbers, an apostrophe for texts in a
 * spreadsheet.
 */
const separators = /[\s-]|^[+']/g;

/** An identifier in its stored form: without separators and invisible characters that were copied along. */
export const normaliseIdentifier = (text: string): string =>
  normaliseWidth(text).trim().replaceAll(separators, '');

/** Contains several digits in a row, as every identifier does and no heading. */
const identifierPattern = /^[0-9A-Za-z]*\d{5}[0-9A-Za-z]*$/;

/** Whether a cell of a file has an identifier, not a heading. */
export const isIdentifier = (cell: string): boolean => identifierPattern.test(normaliseIdentifier(cell));

/** The international call prefix; what follows may be a number of ITU-T E.164. */
const internationalPrefix = /^00(?=[1-9]\d{4,14}$)/;

/** An ICCID with its letters in either case, as written first. */
export const caseVariants = (iccid: string): string[] =>
  /[a-z]/i.test(iccid) ? [...new Set([iccid, iccid.toUpperCase(), iccid.toLowerCase()])] : [iccid];

/** What belongs to an ICCID as stored, for one written in either case. */
export const inEitherCase = <T>(iccid: string, stored: ReadonlyMap<string, T>): T | undefined =>
  caseVariants(iccid).flatMap((spelling) => stored.get(spelling) ?? [])[0];

/** The forms in which a written identifier may be stored, the most likely first. */
export const spellingsOf = (identifier: string): string[] => {
  const normalised = normaliseIdentifier(identifier);
  return internationalPrefix.test(normalised)
    ? [normalised, normalised.replace(internationalPrefix, '')]
    : caseVariants(normalised);
};

/** The tags in a cell of a file. */
export const tagsOfCell = (cell: string): string[] =>
  cell
    .split(/[;|；]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
