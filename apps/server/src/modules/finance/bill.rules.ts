import {
  type Bill,
  type BillGroup,
  type BillLineKind,
  type BillState,
  type BillStatus,
  billGroups,
} from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import { addDays, addMonths, dashboardDays } from '../../platform/clock/business-day.ts';

/** A month of bills, whose days are business days. */
export interface BillMonth {
  /** `YYYY-MM`. */
  month: string;
  from: Date;
  /** Exclusive. */
  until: Date;
}

export const billMonth = (month: string): BillMonth => ({
  month,
  from: dashboardDays.startOfMonth(month),
  until: dashboardDays.startOfMonth(addMonths(month, 1)),
});

/** The month that a cycle's usage is billed in: the one in which it ends. One that ends with a month is that month's. */
export const monthOfEnd = (endsAt: Date): string => dashboardDays.monthOf(new Date(endsAt.getTime() - 1));

const daysToPay = 10;

/** The earlier of ten days after the issue and the end of that month, by business days (specification, section 9). */
export const dueOn = (issuedAt: Date): string => {
  const issued = dashboardDays.dayOf(issuedAt);
  const inTime = addDays(issued, daysToPay);
  const monthEnd = addDays(`${addMonths(issued.slice(0, 7), 1)}-01`, -1);
  return inTime < monthEnd ? inTime : monthEnd;
};

const publishDay = 3;

/** What the business day has to be done for which month: drafts from the 1st on, bills on the 3rd or when somebody comes to it. */
export const workOf = (now: Date): { month: string; publishes: boolean } => {
  const day = Number(dashboardDays.dayOf(now).slice(8));
  return {
    month: addMonths(dashboardDays.monthOf(now), -1),
    publishes: day >= publishDay,
  };
};

/** Whether the day has come on which the bills of a month are published. */
export const isPublishable = (month: string, now: Date): boolean => {
  const work = workOf(now);
  return month < work.month || (month === work.month && work.publishes);
};

/** The second reading of a status on a day; null of a version that was replaced. */
export const stateOf = (
  { status, dueOn: due }: { status: BillStatus; dueOn: string | null },
  today: string,
): BillState | null => {
  if (status === 'obsolete') return null;
  if (status !== 'published') return status;
  return due !== null && due < today ? 'expired' : 'issued';
};

export interface PayableBill extends Pick<Bill, 'type' | 'status' | 'total_minor' | 'paid_minor'> {
  /** What its deposit has for it, with what was paid for the bill itself; null where it is taken off none. */
  deposit_minor: number | null;
}

/** What is to be paid of a bill: its deposit covers what it can of it, and all of it once the bill is paid. Of a replaced version nothing is. */
export const toPayMinor = (bill: PayableBill): number => {
  if (bill.status === 'obsolete') return 0;
  if (bill.type !== 'predeposit') return bill.total_minor - bill.paid_minor;
  if (bill.status === 'paid') return 0;
  return Math.max(Math.min(0, bill.total_minor), bill.total_minor - Math.max(0, bill.deposit_minor ?? 0));
};

/** `BILL-2026-10-00417`. */
export const billNumber = ({ month, serial }: { month: string; serial: number }): string =>
  `BILL-${month}-${String(serial).padStart(5, '0')}`;

/** What tells the versions of a bill apart where there is no more than a name: of files, of invoices. */
export const numberOfVersion = ({ number, version }: { number: string; version: number }): string =>
  version > 1 ? `${number}-v${version}` : number;

/** The serial of a bill's number; undefined for what is none. */
export const serialOf = (number: string): number | undefined => {
  const digits = /^BILL-\d{4}-\d{2}-(\d{5,12})$/.exec(number)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const groupOfKind: Record<BillLineKind, BillGroup> = {
  activation: 'bundles',
  cycle: 'bundles',
  'over-quota': 'overage',
  'out-of-coverage': 'overage',
  'pool-cycle': 'pools',
  'over-pool-limit': 'pools',
  'sms-mt': 'sms',
  'sms-mo': 'sms',
};

export const groupOf = (line: { kind: BillLineKind; corrects: string | null }): BillGroup =>
  line.corrects === null ? groupOfKind[line.kind] : 'corrections';

/** A computation in the background that was not heard of for so long has died. */
export const silentMinutes = 10;

/** Why a computation holds a draft; the operator's reasons are any other text. */
export const computedHolds = ['no-tariff', 'unusual-amount'] as const;
export type Hold = (typeof computedHolds)[number];

const unusualTimes = 10n;

/** Whether a total is more than ten times the usual one: the middle of those of the months before. Without any, none is. */
export const isUnusual = (total: bigint, before: readonly bigint[]): boolean => {
  const ordered = before.toSorted((one, other) => (one < other ? -1 : 1));
  const usual = ordered[Math.floor(ordered.length / 2)];
  return usual !== undefined && usual > 0n && total > unusualTimes * usual;
};

const amountPattern = /^(-?)(\d{1,12})(?:\.(\d{1,3}))?$/;

/** An amount as it is written, such as 12.50, in minor units; undefined where it has more digits than the currency. */
export const minorOf = (text: string, digits: number): bigint | undefined => {
  const [, sign = '', whole = '', part = ''] = amountPattern.exec(text) ?? [];
  if (whole === '' || part.length > digits) return undefined;
  const size = BigInt(whole + part.padEnd(digits, '0'));
  return sign === '-' ? -size : size;
};

/** What lines come to by group, in the order of groups; those without lines are left out. */
export const groupsOf = (
  kinds: readonly { kind: BillLineKind; corrects: boolean; amount_minor: number; lines?: number }[],
): { group: BillGroup; amount_minor: number }[] =>
  billGroups.flatMap((group) => {
    const found = kinds.filter(
      ({ kind, corrects }) => (corrects ? 'corrections' : groupOfKind[kind]) === group,
    );
    return found.length === 0
      ? []
      : [{ group, amount_minor: found.reduce((sum, { amount_minor }) => sum + amount_minor, 0) }];
  });

const decimal = (value: number, digits: number): string => {
  const size = String(Math.abs(value)).padStart(digits + 1, '0');
  const written = digits === 0 ? size : `${size.slice(0, -digits)}.${size.slice(-digits)}`;
  return value < 0 ? `-${written}` : written;
};

/** An amount in minor units as files have it. */
export const amountWritten = (minor: number, currency: string): string =>
  decimal(minor, minorDigits(currency));

/** An exact amount in millionths as files have it. */
export const microsWritten = (micros: number): string => decimal(micros, 6);
