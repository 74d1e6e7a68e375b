import { dueDay } from '@simcube/contract/finance';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { emit } from '../../../platform/outbox/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { billMonth, billNumber, isPublishable, serialOf } from '../bill.rules.ts';
import { listSections } from '../customers.views.ts';
import { computeDrafts, type DraftWork, recordOrder } from '../drafts/draft.service.ts';
import { type LockedMonth, lockMonth, recordPublication, writeParties } from '../drafts/drafts.queries.ts';
import { billPublished } from '../finance.events.ts';
import {
  findMonth,
  findPayment,
  findStatus,
  insertPayment,
  lockBill,
  lockDepositBills,
  lockDrafts,
  lockPayments,
  markPaid,
  markPublished,
  markUnpaid,
  type NewPayment,
  type StoredBill,
  setHold,
} from './publication.queries.ts';
import { countUnprocessedOf } from './unprocessed.views.ts';

/** A bill can't be changed this way; the message says why. */
export class BillRefused extends Error {}

/** A month can't be published yet: fees of cycles and orders that began in it may be missing. */
export class MonthUnprocessed extends BillRefused {
  readonly sims: number;

  constructor(customer: string, month: string, sims: number) {
    super(
      `${customer} ${month}: cycles, orders or pre-activation periods of ${sims} SIMs ended by the end of the month and have not been processed. The role worker does it within minutes, unless its jobs fail: simcube doctor`,
    );
    this.sims = sims;
  }
}

export interface ChangedBy {
  actor: Actor;
  at: Date;
}

/**
 * Publishes the bills of a customer's month after a last computation; held ones wait for the operator. A month
 * with cycles without a tariff stays open, to be computed again, until they have one or the operator releases a
 * bill of it.
 * @returns how many were published; undefined if the month is already published, or was computed since `since`
 * @throws MonthUnprocessed
 */
export const publishMonth = (
  pool: pg.Pool,
  work: DraftWork,
): Promise<{ published: number; held: number } | undefined> =>
  inTransaction(pool, async (tx) => {
    const key = { customerId: work.customer.id, month: work.month };
    const { isPublished, awaitsTariff, draftedAt } = await lockMonth(tx, key);
    const isComputed = awaitsTariff && work.since && draftedAt && draftedAt >= work.since;
    if (isPublished || isComputed) return undefined;
    await requireProcessed(tx, { ...key, customer: work.customer.code });
    // The bill opens with the deposit's balance, which a reissue of an earlier one must not change meanwhile.
    if (work.customer.terms === 'predeposit') await lockPayments(tx, work.customer.id);
    const { withoutTariff } = await computeDrafts(pool, tx, work);
    const drafts = await lockDrafts(tx, key);
    const releasable = drafts.filter(({ held_reason }) => held_reason === null);
    const isWaiting = withoutTariff > 0 && releasable.length === 0;
    if (!isWaiting) await publishAll(tx, { ...key, drafts: releasable, at: work.now });
    await recordOrder(tx, work, isWaiting ? 'bill.drafted' : 'bill.published');
    return { published: releasable.length, held: drafts.length - releasable.length };
  });

/** Before the month is computed: what a job processes in the meantime is in the snapshot that is read then. */
const requireProcessed = async (
  tx: Sql,
  { customerId, month, customer }: { customerId: number; month: string; customer: string },
): Promise<void> => {
  const orgIds = await listSections(tx, customerId);
  const sims = await countUnprocessedOf(tx, { orgIds, ...billMonth(month) });
  if (sims > 0) throw new MonthUnprocessed(customer, month, sims);
};

const publishAll = async (
  tx: Sql,
  { drafts, at, ...key }: { customerId: number; month: string; drafts: readonly StoredBill[]; at: Date },
): Promise<void> => {
  await lockPayments(tx, key.customerId);
  for (const draft of drafts) await publish(tx, draft, at);
  await recordPublication(tx, key, at);
};

/** Publishes a bill; a bill with nothing to pay is paid immediately. */
export const publish = async (tx: Sql, bill: StoredBill, at: Date): Promise<void> => {
  const due = dueDay(dashboardDays.dayOf(at));
  await markPublished(tx, bill.id, { at, dueOn: due });
  await writeParties(tx, bill.id);
  await settle(tx, bill, dashboardDays.dayOf(at));
  await emit(tx, billPublished, {
    orgId: bill.org_id,
    payload: {
      orgId: bill.org_id,
      number: billNumber(bill),
      version: bill.version,
      month: bill.month,
      type: bill.type,
      currency: bill.currency,
      totalMinor: bill.total_minor,
      dueOn: due,
    },
  });
};

/**
 * Marks bills as paid once payments cover them, and as unpaid if those were taken back. A deposit covers the
 * oldest bills first, whichever bill a payment was recorded for.
 */
const settle = async (
  tx: Sql,
  bill: Pick<StoredBill, 'id' | 'type' | 'org_id' | 'currency'>,
  day: string,
): Promise<void> => {
  if (bill.type === 'predeposit')
    return settleDeposit(tx, { customerId: bill.org_id, currency: bill.currency }, day);
  await markUnpaid(tx, bill.id);
  await markPaid(tx, bill.id, day);
};

const settleDeposit = async (
  tx: Sql,
  deposit: { customerId: number; currency: string },
  day: string,
): Promise<void> => {
  const ids = await lockDepositBills(tx, deposit);
  for (const id of ids.toReversed()) await markUnpaid(tx, id);
  for (const id of ids) await markPaid(tx, id, day);
};

/**
 * The newest version of the bill with a number, locked after its month and its customer's payments; drafts are
 * published in the same order.
 */
export const lockByNumber = async (
  tx: Sql,
  number: string,
): Promise<{ bill: StoredBill; locked: LockedMonth | undefined }> => {
  const serial = serialOf(number);
  const month = serial === undefined ? undefined : await findMonth(tx, serial);
  const locked = month && (await lockMonth(tx, month));
  if (month) await lockPayments(tx, month.customerId);
  const bill = serial === undefined ? undefined : await lockBill(tx, serial);
  if (!bill || billNumber(bill) !== number) throw new BillRefused(`There is no bill ${number}`);
  return { bill, locked };
};

/** @throws BillRefused for an unknown number */
export const currencyOf = (pool: pg.Pool, number: string): Promise<string> =>
  inTransaction(pool, async (tx) => (await lockByNumber(tx, number)).bill.currency);

/**
 * Releases a held bill: it is published with its month, which awaits no tariff from then on.
 * @throws BillRefused for an unknown number, and a bill that is published; MonthUnprocessed
 */
export const publishBill = (pool: pg.Pool, number: string, by: ChangedBy): Promise<StoredBill['status']> =>
  inTransaction(pool, async (tx) => {
    const { bill, locked } = await lockByNumber(tx, number);
    if (bill.status !== 'draft') throw new BillRefused(`${number} is ${bill.status}`);
    await setHold(tx, bill.id, null);
    const isWaiting =
      locked?.isPublished === false && locked.awaitsTariff && isPublishable(bill.month, by.at);
    if (isWaiting) {
      const key = { customerId: bill.org_id, month: bill.month };
      await requireProcessed(tx, { ...key, customer: number });
      const releasable = (await lockDrafts(tx, key)).filter(({ held_reason }) => held_reason === null);
      await publishAll(tx, { ...key, drafts: releasable, at: by.at });
    } else if (locked?.isPublished) {
      await publish(tx, bill, by.at);
    }
    await recordHold(tx, bill, { ...by, action: 'bill.released', before: bill.held_reason, after: null });
    return isWaiting || locked?.isPublished ? 'published' : 'draft';
  });

/** Holds a draft until the operator releases it. */
export const holdBill = (pool: pg.Pool, number: string, by: ChangedBy & { reason: string }): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { bill } = await lockByNumber(tx, number);
    if (bill.status !== 'draft')
      throw new BillRefused(`${number} is ${bill.status}: only drafts can be held`);
    await setHold(tx, bill.id, by.reason);
    await recordHold(tx, bill, { ...by, action: 'bill.held', before: bill.held_reason, after: by.reason });
  });

const recordHold = (
  tx: Sql,
  bill: StoredBill,
  {
    actor,
    at,
    action,
    before,
    after,
  }: ChangedBy & {
    action: 'bill.held' | 'bill.released';
    before: string | null;
    after: string | null;
  },
): Promise<void> =>
  recordAudit(tx, {
    orgId: bill.org_id,
    actor,
    at,
    action,
    subject: { kind: 'bill', id: billNumber(bill), name: billNumber(bill) },
    before: { held: before },
    after: { held: after },
  });

export interface Payment {
  amount: bigint;
  /** A business day; today if omitted. */
  paidOn?: string | undefined;
  reference: string;
}

/**
 * Records a payment for a bill; recording the same reference again changes nothing.
 * @returns the bill's new status, and whether the payment was already recorded
 * @throws BillRefused for a draft, for a future day, and for a reference that another payment or day has
 */
export const payBill = (
  pool: pg.Pool,
  number: string,
  { amount, paidOn, reference, actor, at }: Payment & ChangedBy,
): Promise<{ status: StoredBill['status']; isNew: boolean }> =>
  inTransaction(pool, async (tx) => {
    const { bill } = await lockByNumber(tx, number);
    if (bill.status === 'draft')
      throw new BillRefused(`${number} is a draft: it can be paid once it is published`);
    const { serial, currency } = bill;
    const payment = { customerId: bill.org_id, serial, currency, amount, paidOn, reference, at };
    const { isNew, day } = await recordPayment(tx, payment);
    await settle(tx, bill, day);
    if (isNew) {
      await recordAudit(tx, {
        orgId: bill.org_id,
        actor,
        at,
        action: 'bill.paid',
        subject: { kind: 'bill', id: number, name: number },
        before: null,
        after: { amount_minor: Number(amount), currency, paid_on: day, reference },
      });
    }
    return { status: (await findStatus(tx, bill.id)) ?? bill.status, isNew };
  });

/**
 * Records a customer's payment into the deposit, which may pay bills that the deposit did not cover; recording
 * the same reference again changes nothing.
 */
export const topUpDeposit = (
  pool: pg.Pool,
  customer: { id: number; code: string },
  { currency, amount, paidOn, reference, actor, at }: Payment & ChangedBy & { currency: string },
): Promise<boolean> =>
  inTransaction(pool, async (tx) => {
    await lockPayments(tx, customer.id);
    const payment = { customerId: customer.id, serial: null, currency, amount, paidOn, reference, at };
    const { isNew, day } = await recordPayment(tx, payment);
    await settleDeposit(tx, payment, day);
    if (isNew) {
      await recordAudit(tx, {
        orgId: customer.id,
        actor,
        at,
        action: 'bill.topped-up',
        subject: { kind: 'organisation', id: customer.code, name: customer.code },
        before: null,
        after: { amount_minor: Number(amount), currency, paid_on: day, reference },
      });
    }
    return isNew;
  });

const recordPayment = async (
  tx: Sql,
  { paidOn, ...payment }: Omit<NewPayment, 'paidOn'> & Pick<Payment, 'paidOn'>,
): Promise<{ isNew: boolean; day: string }> => {
  const today = dashboardDays.dayOf(payment.at);
  const day = paidOn ?? today;
  if (day > today) throw new BillRefused(`${day} is in the future (${dashboardDays.zone})`);
  if (await insertPayment(tx, { ...payment, paidOn: day })) return { isNew: true, day };
  const existing = await findPayment(tx, payment);
  const isSame =
    existing?.serial === payment.serial &&
    existing.currency === payment.currency &&
    BigInt(existing.amount) === payment.amount;
  if (!isSame) throw new BillRefused(`Reference ${payment.reference} belongs to another payment`);
  if (paidOn !== undefined && paidOn !== existing.paidOn)
    throw new BillRefused(
      `The payment with reference ${payment.reference} is already recorded for ${existing.paidOn}`,
    );
  return { isNew: false, day: existing.paidOn };
};
