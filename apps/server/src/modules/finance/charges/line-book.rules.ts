import type { BillLineKind, BillType, BillUnit } from '@simcube/contract/finance';
import type { ChargeLine } from '@simcube/contract/price';
import { lineAmount, type Named, type TariffVersion } from '../../price/index.ts';

/** What distinguishes a line from the others of its bill, and the bill from the others of its customer. */
export interface LineFacts {
  type: BillType;
  /** The organisation of its section. */
  orgId: number;
  kind: BillLineKind;
  bundle: Named | null;
  zone: Named | null;
  pool: { id: number; name: string; cycleAt: Date } | null;
  unit: BillUnit;
  priceMicros: bigint;
  version: Pick<TariffVersion, 'id' | 'tariff' | 'startsOn' | 'currency'>;
  /** For a correction: the month that it corrects. */
  corrects: string | null;
}

export interface BookedLine extends LineFacts {
  line: number;
  quantity: bigint;
  bytes: bigint | null;
}

export interface BookedBill {
  type: BillType;
  currency: string;
  lines: BookedLine[];
}

/** The part of one SIM's cycle in a line. */
export interface Charge {
  bill: BookedBill;
  line: number;
  simId: number;
  cycleAt: Date;
  quantity: bigint;
  bytes: bigint | null;
}

/** A cycle and the usage for which it was charged. */
export interface CountedCycle {
  simId: number;
  cycleAt: Date;
  usedBytes: number;
  limitBytes: number | null;
}

/**
 * Collects charges into the lines of bills. A line adds up the quantities of all its charges and is rounded
 * once, so their order does not matter.
 */
export const createLineBook = () => {
  const bills = new Map<string, BookedBill>();
  const lines = new Map<string, BookedLine>();
  const billOf = (type: BillType, currency: string): BookedBill => {
    const key = `${type} ${currency}`;
    const existing = bills.get(key);
    if (existing) return existing;
    const bill: BookedBill = { type, currency, lines: [] };
    bills.set(key, bill);
    return bill;
  };
  return {
    bills: (): BookedBill[] => [...bills.values()],
    billOf,
    /** @returns the line to which it was added */
    add: (
      facts: LineFacts,
      { quantity, bytes }: { quantity: bigint; bytes: bigint | null },
    ): { bill: BookedBill; line: number } => {
      const bill = billOf(facts.type, facts.version.currency);
      const key = keyOf(facts);
      const existing = lines.get(key);
      if (existing) {
        existing.quantity += quantity;
        if (bytes !== null) existing.bytes = (existing.bytes ?? 0n) + bytes;
        return { bill, line: existing.line };
      }
      const line = { ...facts, line: bill.lines.length + 1, quantity, bytes };
      bill.lines.push(line);
      lines.set(key, line);
      return { bill, line: line.line };
    },
  };
};

export type LineBook = ReturnType<typeof createLineBook>;

/** The amounts of a charge in the form of a book. */
export const amountsOf = ({ quantity, bytes }: Pick<ChargeLine, 'quantity' | 'bytes'>) => ({
  quantity: BigInt(quantity),
  bytes: bytes === null ? null : BigInt(bytes),
});

const keyOf = ({ type, orgId, kind, bundle, zone, pool, unit, priceMicros, version, corrects }: LineFacts) =>
  [
    ...[type, orgId, kind, bundle?.code, zone?.code, pool?.id, pool?.cycleAt.getTime()],
    ...[unit, priceMicros, version.id, corrects],
  ].join('|');

/** A line's amount in minor units: its exact price, rounded once, half away from zero. */
export const amountOf = ({ quantity, priceMicros, version }: BookedLine): bigint =>
  lineAmount({ quantity, priceMicros, currency: version.currency });

/** The sum of the lines, each of which is rounded. */
export const totalOf = (lines: readonly BookedLine[]): bigint =>
  lines.reduce((sum, line) => sum + amountOf(line), 0n);
