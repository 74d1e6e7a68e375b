import { limits } from '@simcube/contract';
import {
  type Bill,
  type BillGroup,
  type BillLineKind,
  type BillState,
  type BillStatus,
  billGroups,
} from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import { addMonths, dashboardDays } from '../../platform/clock/business-day.ts';

/** A month of bills, in business days. */
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

/**
 * The month in which a cycle's usage is billed: the one in which it ends. A cycle that ends exactly with a
 * month belongs to that month.
 */
export const monthOfEnd = (endsAt: Date): string => dashboardDays.monthOf(new Date(endsAt.getTime() - 1));

/**
 * The work due on the business day, and for which month: drafts from the 1st on, bills on the 3rd or whenever
 * work resumes after that, up to `awaitedMonths` later.
 */
export const billingWork = (now: Date): { month: string; shouldPublish: boolean } => {
  const day = Number(dashboardDays.dayOf(now).slice(8));
  return {
    month: addMonths(dashboardDays.monthOf(now), -1),
    shouldPublish: day >= limits.bills.publishDay,
  };
};

/** Number of months before the due one that are still billed: a tariff arrived late, or no worker ran. */
export const awaitedMonths = 3;

/** Whether the day has come on which the bills of a month are published. */
export const isPublishable = (month: string, now: Date): boolean => {
  const work = billingWork(now);
  return month < work.month || (month === work.month && work.shouldPublish);
};

/** The status as people see it on a day; null for a version that was replaced. */
export const stateOf = (
  { status, dueOn: due }: { status: BillStatus; dueOn: string | null },
  today: string,
): BillState | null => {
  if (status === 'obsolete') return null;
  if (status !== 'published') return status;
  return due !== null && due < today ? 'expired' : 'issued';
};

export interface PayableBill extends Pick<Bill, 'type' | 'status' | 'total_minor' | 'paid_minor'> {
  /**
   * What its deposit has available for it, plus payments for the bill itself; null if the bill is not taken off
   * a deposit.
   */
  deposit_minor: number | null;
}

/**
 * The amount still to be paid: the deposit covers as much of the bill as it can, and all of it once the bill is
 * paid. Zero for a replaced version.
 */
export const amountDueMinor = (bill: PayableBill): number => {
  if (bill.status === 'obsolete') return 0;
  if (bill.type !== 'predeposit') return bill.total_minor - bill.paid_minor;
  if (bill.status === 'paid') return 0;
  return Math.max(Math.min(0, bill.total_minor), bill.total_minor - Math.max(0, bill.deposit_minor ?? 0));
};

/** `BILL-2026-10-00417`. */
export const billNumber = ({ month, serial }: { month: string; serial: number }): string =>
  `BILL-${month}-${String(serial).padStart(5, '0')}`;

/** Distinguishes the versions of a bill where only a name is available: in files and invoices. */
export const versionNumber = ({ number, version }: { number: string; version: number }): string =>
  version > 1 ? `${number}-v${version}` : number;

/** The serial in a bill's number; undefined for an invalid number. */
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

/** A background computation without progress for this long has died. */
export const staleMinutes = 10;

/** Why a computation holds a draft; any other text is the operator's reason. */
export const computedHolds = ['no-tariff', 'unusual-amount'] as const;
export type Hold = (typeof computedHolds)[number];

const unusualFactor = 10n;

/**
 * Whether a total is more than ten times the usual one, the median of the previous months' totals. Never
 * without previous totals.
 */
export const isUnusual = (total: bigint, previous: readonly bigint[]): boolean => {
  const ordered = previous.toSorted((one, other) => (one < other ? -1 : 1));
  const usual = ordered[Math.floor(ordered.length / 2)];
  return usual !== undefined && usual > 0n && total > unusualFactor * usual;
};

const amountPattern = /^(-?)(\d{1,12})(?:\.(\d{1,4}))?$/;

/** A written amount such as 12.50 in minor units; undefined if it has more digits than the currency. */
export const parseAmount = (text: string, digits: number): bigint | undefined => {
  const [, sign = '', whole = '', part = ''] = amountPattern.exec(text) ?? [];
  if (whole === '' || part.length > digits) return undefined;
  const size = BigInt(whole + part.padEnd(digits, '0'));
  return sign === '-' ? -size : size;
};

/** Totals of lines by group, in the order of groups; groups without lines are left out. */
export const groupsOf = (
  kinds: readonly { kind: BillLineKind; corrects: boolean; amount_minor: number; lines?: number }[],
): { group: BillGroup; amount_minor: number }[] =>
  billGroups.flatMap((group) => {
    const inGroup = kinds.filter(
      ({ kind, corrects }) => (corrects ? 'corrections' : groupOfKind[kind]) === group,
    );
    return inGroup.length === 0
      ? []
      : [{ group, amount_minor: inGroup.reduce((sum, { amount_minor }) => sum + amount_minor, 0) }];
  });

const decimal = (value: number, digits: number): string => {
  const size = String(Math.abs(value)).padStart(digits + 1, '0');
  const digitsText = digits === 0 ? size : `${size.slice(0, -digits)}.${size.slice(-digits)}`;
  return value < 0 ? `-${digitsText}` : digitsText;
};

/** An amount in minor units, as files have it. */
export const formatAmount = (minor: number, currency: string): string =>
  decimal(minor, minorDigits(currency));

/** An exact amount in millionths, as files have it. */
export const formatMicros = (micros: number): string => decimal(micros, 6);
