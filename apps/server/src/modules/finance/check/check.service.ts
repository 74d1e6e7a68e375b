import type pg from 'pg';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { lineAmount } from '../../price/index.ts';
import { retainedSince } from '../../usage/index.ts';
import { billMonth, serialOf } from '../bill.rules.ts';
import { type BookedLine, createLineBook } from '../charges/line-book.rules.ts';
import { chargePools } from '../charges/pool-charges.service.ts';
import { chargeSims } from '../charges/section-charges.service.ts';
import { findCustomer, listBillSections } from '../customers.views.ts';
import {
  type BilledAmount,
  type BilledQuantity,
  type BillToCheck,
  countLateCycles,
  findBillToCheck,
  findFirstRecords,
  listBilledAmounts,
  listBilledQuantities,
} from './check.views.ts';

/** A figure of a bill that is not what it should be. */
export interface Mismatch {
  what: string;
  billed: bigint;
  computed: bigint;
}

export interface BillCheck {
  mismatches: Mismatch[];
  /** Number of cycles with records that arrived later: the next bill charges the difference. */
  late: number;
  lines: number;
  /** Whether it was computed from the records; once they are no longer retained, only its sums are compared. */
  isRetained: boolean;
}

/** Whether all records that a bill was charged by are retained. */
export const areRecordsRetained = async (sql: Sql, billId: number, now: Date): Promise<boolean> => {
  const since = await findFirstRecords(sql, billId);
  return since === null || since >= retainedSince('cdrs', now);
};

/**
 * Computes a bill again from the records, while they are retained, and compares it line by line, including
 * corrections, and its sums with their parts.
 * @param billId the version that must be the newest
 * @returns undefined for an unknown number, and for a version that was replaced
 */
export const checkBill = async (
  pool: pg.Pool,
  number: string,
  { now, billId, progress }: { now: Date; billId?: number; progress?: (simsDone: number) => Promise<void> },
): Promise<BillCheck | undefined> =>
  inSnapshot(pool, async (sql) => {
    const serial = serialOf(number);
    const bill = serial === undefined ? undefined : await findBillToCheck(sql, serial);
    const customer = bill && (await findCustomer(sql, bill.org_id));
    if (!bill || !customer || bill.id !== (billId ?? bill.id)) return undefined;
    const billed = await listBilledQuantities(sql, bill);
    const sums = [...compareSums(bill), ...compareAmounts(bill, await listBilledAmounts(sql, bill.id))];
    const late = await countLateCycles(sql, bill);
    if (!(await areRecordsRetained(sql, bill.id, now)))
      return { mismatches: sums, late, lines: billed.length, isRetained: false };
    const book = createLineBook();
    let simsDone = 0;
    const terms = bill.type === 'advance' ? customer.terms : bill.type;
    for (const billedSection of await listBillSections(sql, {
      customerId: customer.id,
      serial: bill.serial,
    })) {
      const month = billMonth(bill.month);
      const section = {
        ...billedSection,
        customerId: customer.id,
        month,
        terms,
        tariffId: bill.tariff_id,
        currency: bill.currency,
        source: 'records',
      } as const;
      // The lines already include what each SIM has.
      for await (const { sims } of chargeSims(sql, book, section, { corrects: null })) {
        simsDone += sims;
        await progress?.(simsDone);
      }
      await chargePools(sql, book, { section, corrects: null });
    }
    const computed = book
      .bills()
      .find(({ type, currency }) => type === bill.type && currency === bill.currency);
    return {
      mismatches: [...sums, ...compareLines(billed, computed?.lines ?? [])],
      late,
      lines: billed.length,
      isRetained: true,
    };
  });

const compareSums = ({ total, summed, unlike, unlike_sims: unlikeSims }: BillToCheck): Mismatch[] => [
  ...(total === summed
    ? []
    : [{ what: 'the sum of the lines', billed: BigInt(total), computed: BigInt(summed) }]),
  ...(unlike === 0
    ? []
    : [{ what: 'lines that are not the sum of their SIMs', billed: 0n, computed: BigInt(unlike) }]),
  ...(unlikeSims === 0
    ? []
    : [{ what: 'SIMs that are not the sum of their cycles', billed: 0n, computed: BigInt(unlikeSims) }]),
];

/** The amount of a line must be its quantity at its price, rounded once. */
const compareAmounts = ({ currency }: BillToCheck, lines: readonly BilledAmount[]): Mismatch[] =>
  lines.flatMap(({ line, quantity, price_micros: price, amount_minor: amount }) => {
    const computed = lineAmount({ quantity: BigInt(quantity), priceMicros: BigInt(price), currency });
    const billed = BigInt(amount);
    return billed === computed ? [] : [{ what: `the amount of line ${line}`, billed, computed }];
  });

const compareLines = (billed: readonly BilledQuantity[], lines: readonly BookedLine[]): Mismatch[] => {
  const quantities = new Map<string, { billed: bigint; computed: bigint }>();
  const of = (parts: readonly unknown[]) => {
    const what = parts.filter((part) => part !== null).join(' ');
    const entry = quantities.get(what) ?? { billed: 0n, computed: 0n };
    quantities.set(what, entry);
    return entry;
  };
  for (const one of billed) {
    const { kind, code, unit, price_micros: price, pool_id: pool, tariff_version_id: version } = one;
    of([kind, code, pool, unit, price, version, one.org_id]).billed += BigInt(one.quantity);
  }
  for (const { kind, bundle, zone, pool, unit, priceMicros, version, orgId, quantity } of lines) {
    const code = bundle?.code ?? zone?.code ?? null;
    of([kind, code, pool?.id ?? null, unit, priceMicros, version.id, orgId]).computed += quantity;
  }
  return [...quantities]
    .filter(([, one]) => one.billed !== one.computed)
    .map(([what, one]) => ({ what, ...one }));
};
