import { issueDay, type SettlementTerms } from '@simcube/contract/finance';
import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import { operatorActor } from '../../modules/audit/index.ts';
import {
  type Customer,
  draftMonth,
  listCustomers,
  listMonthBills,
  payBill,
  publishMonth,
  reissueBill,
  setPayee,
  setTerms,
  topUpDeposit,
} from '../../modules/finance/index.ts';
import { turnDueCycles } from '../../modules/usage/index.ts';
import { addDays, addMonths, dashboardDays } from '../../platform/clock/business-day.ts';

/** Months with bills: those that the history covers completely. */
const billedMonths = 6;
/** Enough days for those months and the running one, whatever day it is. */
export const historyDays = 216;

/** Payment terms; other customers pay after the month. */
const terms: Readonly<
  Record<string, { terms: SettlementTerms; creditLimit: number | null; creditCurrency?: string }>
> = {
  ACME: { terms: 'credit', creditLimit: 2_500_000, creditCurrency: 'EUR' },
  BLUECART: { terms: 'predeposit', creditLimit: null },
};
/** Monthly top-up of customers with a deposit, in minor units. */
const topUp = 300_000n;
const payee = {
  name: 'SimCube Operator',
  address: 'Calle de Alcalá 45, 28014 Madrid',
  country: 'ES',
  registration: 'A12345674',
  iban: 'ES9121000418450200051332',
  bic: 'EJEMESMMXXX',
  bank: 'Banco de Ejemplo',
};
/** The bill that is replaced: its customer, the tariff, and the reason. */
const replacement = {
  code: 'ACME',
  tariff: 'WHOLESALE',
  reason: 'Version 1 used the retail tariff by mistake',
  day: '18',
} as const;

interface BillingOptions {
  pool: pg.Pool;
  /** The end of the history. */
  at: Date;
  /** Length of the history; without one there are no bills. */
  days: number;
}

/**
 * The bills of past months, published on their days and paid, except some of the last one, and drafts of the month that
 * has just ended. Made by the same functions as the operator's commands; existing ones are left unchanged.
 */
export const makeBills = async ({ pool, at, days }: BillingOptions): Promise<void> => {
  // A month is published only once the cycles that ended by its end are closed.
  await turnDueCycles({ pool, now: at });
  const actor = operatorActor();
  const months = monthsUntil(at, days);
  const ended = addMonths(dashboardDays.monthOf(at), -1);
  const since = morningOf(`${months[0] ?? '2025-01'}-01`);
  await setPayee(pool, payee, { actor, at: since });
  for (const { code } of await listCustomers(pool)) {
    const customerTerms = terms[code];
    if (customerTerms) await setTerms(pool, code, { ...customerTerms, actor, at: since });
  }
  for (const customer of await listCustomers(pool)) {
    for (const month of months) {
      if (customer.terms === 'predeposit') await makeDeposit(pool, customer, month);
      const now = morningOf(issueDay(month));
      await publishMonth(pool, { customer, month, now });
      await settleMonth(pool, { customer, month, at, isLast: month === months.at(-1) });
    }
    if (months.length === 0 || months.includes(ended)) continue;
    if (customer.terms === 'predeposit') await makeDeposit(pool, customer, ended);
    await draftMonth(pool, { customer, month: ended, now: at });
  }
};

/** The last months whose bills have been issued by a time. */
export const monthsUntil = (at: Date, days: number): string[] => {
  const first = dashboardDays.monthOf(new Date(at.getTime() - days * 24 * hourMs));
  const last = Array.from({ length: billedMonths }, (_, before) =>
    addMonths(dashboardDays.monthOf(at), before - billedMonths),
  );
  return last.filter((month) => month > first && morningOf(issueDay(month)) <= at);
};

const morningOf = (day: string): Date => new Date(dashboardDays.startOf(day).getTime() + 10 * hourMs);

const makeDeposit = async (pool: pg.Pool, customer: Customer, month: string): Promise<void> => {
  const day = `${month}-02`;
  const by = { actor: operatorActor(), at: morningOf(day) };
  const reference = `${customer.code} ${month}`;
  await topUpDeposit(pool, customer, { currency: 'EUR', amount: topUp, paidOn: day, reference, ...by });
};

interface Month {
  customer: Customer;
  month: string;
  at: Date;
  isLast: boolean;
}

/** Paid five days after issue; for the last month only prepaid bills are. */
const settleMonth = async (pool: pg.Pool, { customer, month, at, isLast }: Month): Promise<void> => {
  const issuedOn = issueDay(month);
  const bills = await listMonthBills(pool, { customerId: customer.id, month });
  const paidOn = addDays(issuedOn, 5);
  const by = { actor: operatorActor(), at: morningOf(paidOn) };
  for (const { number, status, type, totalMinor } of bills) {
    if (status !== 'published' || (isLast && type !== 'advance') || by.at > at) continue;
    const reference = `Transfer ${number}`;
    await payBill(pool, number, { amount: BigInt(totalMinor), paidOn, reference, ...by });
  }
  const candidate = bills.find(({ type }) => type !== 'advance');
  const replacedAt = morningOf(`${addMonths(month, 1)}-${replacement.day}`);
  if (!candidate || !isLast || customer.code !== replacement.code || candidate.version > 1 || replacedAt > at)
    return;
  const { reason, tariff } = replacement;
  await reissueBill(pool, candidate.number, { reason, tariff, actor: operatorActor(), at: replacedAt });
};
