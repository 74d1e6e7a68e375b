import { widthless } from '@simcube/contract';
import { type DataState, dataStates } from '@simcube/contract/bundle';
import {
  type Connection,
  connections,
  type Lifecycle,
  lifecycleNumbers,
  lifecycles,
  radioTypes,
  type SimRow,
} from '@simcube/contract/sim';

const lifecyclesByNumber = new Map(lifecycles.map((lifecycle) => [lifecycleNumbers[lifecycle], lifecycle]));

/** @throws RangeError for a number that no lifecycle has; the table's check keeps such out. */
export const lifecycleOf = (number: number): Lifecycle => {
  const lifecycle = lifecyclesByNumber.get(number as (typeof lifecycleNumbers)[Lifecycle]);
  if (!lifecycle) throw new RangeError(`No lifecycle has the number ${number}`);
  return lifecycle;
};

/**
 * Which lifecycle may follow which (specification, section 4). Active SIMs never go back to pre-activated,
 * expired ones come back by renewal. Everything can be terminated, and terminated is final.
 */
export const lifecycleTransitions: Readonly<Record<Lifecycle, readonly Lifecycle[]>> = {
  'pre-activated': ['active', 'terminated'],
  active: ['paused', 'expired', 'terminated'],
  paused: ['active', 'expired', 'terminated'],
  expired: ['active', 'terminated'],
  terminated: [],
};

export const mayChange = (from: Lifecycle, to: Lifecycle): boolean => lifecycleTransitions[from].includes(to);

/** The lifecycles from which `to` can be reached in one step. */
export const lifecyclesBefore = (to: Lifecycle): Lifecycle[] =>
  lifecycles.filter((from) => mayChange(from, to));

/** As stored by AAA, which changes it as time passes, too: every screen and filter shows this and decides nothing itself. */
export const connectionNumbers: Readonly<Record<Connection, number>> = {
  unknown: 0,
  online: 1,
  connected: 2,
  offline: 3,
};

export const connectionOf = (number: number): Connection =>
  connections.find((connection) => connectionNumbers[connection] === number) ?? 'unknown';

/** As stored in `sim_live.data_state`. */
export const dataState = { open: 0, slowed: 1, stopped: 2 } as const satisfies Record<DataState, number>;
export type DataStateNumber = (typeof dataState)[DataState];

export const dataStateOf = (number: number): DataState =>
  dataStates.find((state) => dataState[state] === number) ?? 'open';

export type Network = NonNullable<SimRow['network']>;

export interface NetworkColumns {
  /** mcc * 1000 + mnc; null when no session reported a network. */
  plmn: number | null;
  /** From the table of networks; null when it does not know the number. */
  mcc: string | null;
  mnc: string | null;
  operator: string | null;
  country: string | null;
  /** Position in `radioTypes`, from 1; 0 or null when not known. */
  radio: number | null;
}

/** A network as shown; one that the table does not know still shows its codes. */
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

/** Below this share of a cycle the pace so far says nothing about its end. */
const leastShareForPace = 0.05;

/** Lifecycles in which a SIM may use data: of the others nothing more is to be expected. */
const usingLifecycles: readonly Lifecycle[] = ['pre-activated', 'active'];

/** Usage at the end of the cycle at the pace so far; null without a cycle, before there is a pace, and without service. */
export const projectedBytes = (cycle: {
  lifecycle: Lifecycle;
  startedAt: Date | null;
  endsAt: Date | null;
  usedBytes: number;
  now: Date;
}): number | null => {
  const { lifecycle, startedAt, endsAt, usedBytes, now } = cycle;
  if (!startedAt || !endsAt || !usingLifecycles.includes(lifecycle)) return null;
  const share = (now.getTime() - startedAt.getTime()) / (endsAt.getTime() - startedAt.getTime());
  if (!(share >= leastShareForPace)) return null;
  return Math.round(usedBytes / Math.min(1, share));
};

/** SIMs as items of tasks are called so; see `ordering/sim-items.ts`. */
export const simItemKind = 'sim';
/** Of SIMs that a text is sent to. */
export const textedItemKind = 'message';

/** How people write numbers: with blanks, dashes, phone numbers with a plus, and texts of a sheet with an apostrophe. */
const decoration = /[\s-]|^[+']/g;

/** An identifier as it is stored: without what people put into it, and what is copied along with it unseen. */
export const plainIdentifier = (text: string): string => widthless(text).trim().replaceAll(decoration, '');

/** The prefix of calls abroad; what follows it may be a number of ITU-T E.164. */
const calledAbroad = /^00(?=[1-9]\d{4,14}$)/;

/** An ICCID's letters in either case, as written first. */
export const eitherCase = (iccid: string): string[] =>
  /[a-z]/i.test(iccid) ? [...new Set([iccid, iccid.toUpperCase(), iccid.toLowerCase()])] : [iccid];

/** What the identifier that somebody wrote may be stored as, the likeliest first. */
export const spellingsOf = (written: string): string[] => {
  const plain = plainIdentifier(written);
  return calledAbroad.test(plain) ? [plain, plain.replace(calledAbroad, '')] : eitherCase(plain);
};
