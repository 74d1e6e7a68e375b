import type { BillMismatch } from '@simcube/contract/finance';
import type pg from 'pg';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { retainedSince } from '../../usage/index.ts';
import { billMonth, serialOf } from '../bill.rules.ts';
import { type Charge, createLineBook, type LineBook } from '../charges/line-book.rules.ts';
import { chargePools } from '../charges/pool-charges.service.ts';
import type { Section } from '../charges/section.rules.ts';
import { chargeSims, type SimCharges } from '../charges/section-charges.service.ts';
import { findCustomer, listBillSections } from '../customers.views.ts';
import {
  compareAmounts,
  compareSums,
  createQuantities,
  type Mismatch,
  mismatchText,
  toCheckItem,
} from './check.rules.ts';
import {
  type BillToCheck,
  countLateCycles,
  findBillToCheck,
  findFirstRecords,
  type LateCycle,
  listBilledAmounts,
  listBilledQuantities,
  listLateCycles,
  listLateQuantities,
  listPartyNames,
} from './check.views.ts';

export interface BillCheck {
  mismatches: BillMismatch[];
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
 * corrections, and its sums with their parts. Usage that arrived later is no mismatch: its cycles are counted.
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
    const quantities = createQuantities();
    for (const { quantity, ...item } of await listBilledQuantities(sql, bill))
      quantities.of(item).billed += quantity;
    const sums = [
      ...compareSums(bill),
      ...compareAmounts(bill.currency, await listBilledAmounts(sql, bill.id)),
    ];
    const lines = quantities.all().length;
    const late = await countLateCycles(sql, bill);
    if (!(await areRecordsRetained(sql, bill.id, now)))
      return { mismatches: await show(sql, bill.id, sums), late, lines, isRetained: false };
    const books = { records: createLineBook(), counters: createLineBook() };
    let simsDone = 0;
    const terms = bill.type === 'advance' ? customer.terms : bill.type;
    for (const billedSection of await listBillSections(sql, {
      customerId: customer.id,
      serial: bill.serial,
    })) {
      const month = billMonth(bill.month);
      const section: Section = {
        ...billedSection,
        customerId: customer.id,
        month,
        terms,
        tariffId: bill.tariff_id,
        currency: bill.currency,
        source: 'records',
      };
      // The lines already include what each SIM has.
      for await (const batch of chargeSims(sql, books.records, section, { corrects: null })) {
        await settleLateCycles(sql, { bill, orgId: section.orgId, batch, quantities });
        simsDone += batch.sims;
        await progress?.(simsDone);
      }
      await chargePools(sql, books.records, { section, corrects: null });
      await chargePools(sql, books.counters, { section: { ...section, source: 'counters' }, corrects: null });
    }
    for (const { quantity, ...item } of linesOf(books.records, bill))
      quantities.of(item).computed += quantity;
    const latePools = settleLatePools(quantities, linesOf(books.counters, bill));
    return {
      mismatches: await show(sql, bill.id, [...sums, ...quantities.mismatches()]),
      late: late + latePools,
      lines,
      isRetained: true,
    };
  });

type Quantities = ReturnType<typeof createQuantities>;

const linesOf = (book: LineBook, bill: BillToCheck) =>
  book.bills().find(({ type, currency }) => type === bill.type && currency === bill.currency)?.lines ?? [];

const usageKinds: readonly string[] = ['over-quota', 'out-of-coverage'];

const cycleKey = ({ simId, cycleAt }: Pick<Charge, 'simId' | 'cycleAt'>): string =>
  `${simId} ${cycleAt.getTime()}`;

/**
 * Counts the usage of late cycles as it was billed: the next bill has the difference. Only if counters and records
 * agree; otherwise the difference is not a late record.
 */
const settleLateCycles = async (
  sql: Sql,
  {
    bill,
    orgId,
    batch,
    quantities,
  }: { bill: BillToCheck; orgId: number; batch: SimCharges; quantities: Quantities },
): Promise<void> => {
  const found = await listLateCycles(sql, bill, batch.basis.simIds);
  if (found.length === 0) return;
  const recorded = new Map(
    batch.basis.rows.map((row) => [
      cycleKey({ simId: row.sim_id, cycleAt: row.cycle_started_at }),
      row.used_bytes,
    ]),
  );
  const late = found.filter((cycle: LateCycle) => recorded.get(cycleKey(cycle)) === cycle.usedBytes);
  const keys = new Set(late.map(cycleKey));
  for (const charge of batch.charges) {
    const { type, currency, lines } = charge.bill;
    const line = lines[charge.line - 1];
    if (type !== bill.type || currency !== bill.currency || !line) continue;
    if (!usageKinds.includes(line.kind) || !keys.has(cycleKey(charge))) continue;
    quantities.of(line).computed -= charge.quantity;
  }
  for (const { quantity, ...item } of await listLateQuantities(sql, bill, { orgId, cycles: late }))
    quantities.of(item).computed += quantity;
};

/**
 * Counts the usage of pools' cycles as it was billed if records and counters agree on more: the next bill has the
 * difference, because bills charge what the counters have beyond what was billed.
 * @returns how many cycles
 */
const settleLatePools = (quantities: Quantities, counted: ReturnType<typeof linesOf>): number => {
  let cycles = 0;
  for (const { quantity, ...item } of counted) {
    const one = quantities.of(item);
    if (item.kind !== 'over-pool-limit' || one.computed !== quantity || quantity <= one.billed) continue;
    one.computed = one.billed;
    cycles += 1;
  }
  return cycles;
};

const show = async (sql: Sql, billId: number, mismatches: readonly Mismatch[]): Promise<BillMismatch[]> => {
  if (mismatches.length === 0) return [];
  const ids = new Set(mismatches.flatMap(({ item }) => item?.orgId ?? []));
  const names = await listPartyNames(sql, billId, [...ids]);
  return mismatches.map(({ figure, item: facts, billed, computed }) => {
    const item = facts && toCheckItem(facts, names.get(facts.orgId) ?? { code: '', name: '' });
    return {
      figure,
      item,
      what: mismatchText({ figure, item }),
      billed: String(billed),
      computed: String(computed),
    };
  });
};
