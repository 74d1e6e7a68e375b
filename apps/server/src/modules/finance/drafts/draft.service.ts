import type { BillType } from '@simcube/contract/finance';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import { addMonths } from '../../../platform/clock/business-day.ts';
import { inSnapshot, inTransaction, type Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { retainedSince } from '../../usage/index.ts';
import { type BillMonth, billMonth, type Hold, isUnusual } from '../bill.rules.ts';
import { type BookedBill, createLineBook, totalOf } from '../charges/line-book.rules.ts';
import { chargePools } from '../charges/pool-charges.service.ts';
import { chargeSims } from '../charges/section-charges.service.ts';
import { type Customer, creditLimitOf, listSections } from '../customers.views.ts';
import {
  clearDrafts,
  deleteDraft,
  insertBill,
  isLaterPublished,
  lockMonth,
  recordDraft,
  sumSims,
  updateComputed,
  writeCharges,
  writeCycles,
  writeLines,
  writeParties,
} from './drafts.queries.ts';
import { type Deposit, listDeposits, listPreviousTotals, sumOpenAmounts } from './history.views.ts';

export interface DraftWork {
  customer: Customer;
  /** `YYYY-MM`, in business days. */
  month: string;
  now: Date;
  /** Who orders it; undefined for scheduled work. */
  actor?: Actor;
  /** A draft since then suffices: another worker has made it. */
  since?: Date;
}

/**
 * Makes the drafts of a customer's month, or computes them again, in one transaction, so that a draft is never
 * partial.
 * @returns the number of drafts; undefined if the month is published, or was drafted since `since`
 */
export const draftMonth = (pool: pg.Pool, work: DraftWork): Promise<number | undefined> =>
  inTransaction(pool, async (tx) => {
    const { isPublished, draftedAt } = await lockMonth(tx, keyOf(work));
    if (isPublished || (work.since && draftedAt && draftedAt >= work.since)) return undefined;
    const { drafts } = await computeDrafts(pool, tx, work);
    await recordOrder(tx, work, 'bill.drafted');
    return drafts.length;
  });

/** Records work that a person ordered in the audit trail. */
export const recordOrder = async (
  tx: Sql,
  { customer: { id, code, name }, month, now, actor }: DraftWork,
  action: 'bill.drafted' | 'bill.published',
): Promise<void> => {
  if (!actor) return;
  const subject = { kind: 'organisation', id: code, name } as const;
  await recordAudit(tx, { orgId: id, actor, at: now, action, subject, after: { month } });
};

const keyOf = ({ customer, month }: DraftWork) => ({ customerId: customer.id, month });

export interface Draft {
  id: number;
  type: BillType;
  total: bigint;
  held: Hold | null;
}

/**
 * Computes a locked month. Charges are read in one snapshot; rows for its thousands of SIMs are written as they
 * are computed.
 * @returns the number of cycles without a tariff
 */
export const computeDrafts = async (
  pool: pg.Pool,
  tx: Sql,
  work: DraftWork,
): Promise<{ drafts: Draft[]; withoutTariff: number }> => {
  const { customer, now } = work;
  const month = billMonth(work.month);
  const corrects = (await isLaterPublished(tx, keyOf(work)))
    ? null
    : { hoursSince: retainedSince('usage_hourly', now) };
  const ids = await clearDrafts(tx, keyOf(work));
  const book = createLineBook();
  const idOf = ({ type, currency }: Pick<BookedBill, 'type' | 'currency'>): number => {
    const id = ids.get(`${type} ${currency}`);
    if (id === undefined) throw new Error('A charge without its bill');
    return id;
  };
  const storeBills = async () => {
    for (const { type, currency } of book.bills()) {
      const key = `${type} ${currency}`;
      if (!ids.has(key)) ids.set(key, await insertBill(tx, { ...keyOf(work), type, currency, at: now }));
    }
  };
  const withoutTariff = await inSnapshot(pool, async (snapshot) => {
    let count = 0;
    for (const orgId of await listSections(snapshot, customer.id)) {
      const section = {
        orgId,
        customerId: customer.id,
        month,
        terms: customer.terms,
        tariffId: null,
        source: 'counters',
      } as const;
      for await (const batch of chargeSims(snapshot, book, section, { corrects })) {
        count += batch.withoutTariff;
        await storeBills();
        await writeCharges(tx, batch.charges, ({ bill }) => idOf(bill));
        await writeCycles(tx, keyOf(work), { orgId, cycles: batch.cycles });
      }
      count += await chargePools(snapshot, book, { section, corrects });
    }
    return count;
  });
  const deposits = customer.terms === 'predeposit' ? await depositsOf(tx, work, month) : [];
  for (const { currency } of deposits) book.billOf('predeposit', currency);
  await storeBills();
  const drafts: Draft[] = [];
  for (const bill of book.bills()) {
    const siblings = book.bills().filter((one) => one !== bill && one.currency === bill.currency);
    drafts.push(await finish(tx, work, { bill, siblings, id: idOf(bill), withoutTariff, deposits }));
  }
  const drafted = new Set(drafts.map(({ id }) => id));
  for (const id of ids.values()) if (!drafted.has(id)) await deleteDraft(tx, id);
  await recordDraft(tx, keyOf(work), { at: now, awaitsTariff: withoutTariff > 0 });
  return { drafts, withoutTariff };
};

const depositsOf = (tx: Sql, work: DraftWork, { month }: BillMonth): Promise<Deposit[]> =>
  listDeposits(tx, { ...keyOf(work), until: `${addMonths(month, 1)}-01` });

const finish = async (
  tx: Sql,
  work: DraftWork,
  {
    bill,
    siblings,
    id,
    withoutTariff,
    deposits,
  }: {
    bill: BookedBill;
    /** Published with it, and sharing its credit limit. */
    siblings: readonly BookedBill[];
    id: number;
    withoutTariff: number;
    deposits: Deposit[];
  },
): Promise<Draft> => {
  const { type, currency, lines } = bill;
  const total = totalOf(lines);
  const before = await listPreviousTotals(tx, { ...keyOf(work), type, currency });
  const held = withoutTariff > 0 ? 'no-tariff' : isUnusual(total, before) ? 'unusual-amount' : null;
  const limit = type === 'credit' ? creditLimitOf(work.customer, currency) : null;
  const open = limit === null ? 0n : await sumOpenAmounts(tx, { customerId: work.customer.id, currency });
  const deposit = type === 'predeposit' ? deposits.find((one) => one.currency === currency) : undefined;
  await writeLines(tx, id, lines);
  await writeParties(tx, id);
  await sumSims(tx, id);
  await updateComputed(tx, id, {
    total,
    held,
    at: work.now,
    creditLimit: limit,
    creditLeft:
      limit === null ? null : BigInt(limit) - open - total - totalOf(siblings.flatMap((one) => one.lines)),
    opening: type === 'predeposit' ? (deposit?.opening ?? 0) : null,
    topUp: type === 'predeposit' ? (deposit?.top_up ?? 0) : null,
  });
  return { id, type, total, held };
};
