import type { BillCheckItem, CheckedFigure } from '@simcube/contract/finance';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { lineAmount } from '../../price/index.ts';
import { formatMicros } from '../bill.rules.ts';
import type { LineFacts } from '../charges/line-book.rules.ts';

/** What a line charges, whatever its number. */
export type ItemFacts = Omit<LineFacts, 'type' | 'corrects'>;

export interface BilledAmount extends ItemFacts {
  quantity: bigint;
  amount: bigint;
}

/** A bill's total and the sums of its parts. */
export interface BillSums {
  total: string;
  /** The sum of the lines. */
  summed: string;
  /** Number of lines that differ from the sum of their SIMs. */
  unlike: number;
  /** Number of SIMs that differ from the sum of their parts of the lines. */
  unlike_sims: number;
}

/** A figure of a bill that is not what it should be. */
export interface Mismatch {
  figure: CheckedFigure;
  /** Of a line; null for figures of the whole bill. */
  item: ItemFacts | null;
  billed: bigint;
  computed: bigint;
}

interface Quantity {
  item: ItemFacts;
  billed: bigint;
  computed: bigint;
}

const keyOf = ({ orgId, kind, bundle, zone, pool, unit, priceMicros, version }: ItemFacts): string =>
  [
    ...[orgId, kind, bundle?.code, zone?.code, pool?.id, pool?.cycleAt.getTime()],
    ...[unit, priceMicros, version.id],
  ].join('|');

/** Quantities as billed and as computed, by item. */
export const createQuantities = () => {
  const quantities = new Map<string, Quantity>();
  return {
    of: (item: ItemFacts): Quantity => {
      const key = keyOf(item);
      const known = quantities.get(key) ?? { item, billed: 0n, computed: 0n };
      quantities.set(key, known);
      return known;
    },
    all: (): Quantity[] => [...quantities.values()],
    mismatches: (): Mismatch[] =>
      [...quantities.values()]
        .filter(({ billed, computed }) => billed !== computed)
        .map((one) => ({ figure: 'quantity', ...one })),
  };
};

export const compareSums = ({ total, summed, unlike, unlike_sims: unlikeSims }: BillSums): Mismatch[] =>
  (
    [
      ['total', BigInt(total), BigInt(summed)],
      ['lines', 0n, BigInt(unlike)],
      ['sims', 0n, BigInt(unlikeSims)],
    ] as const
  ).flatMap(([figure, billed, computed]) =>
    billed === computed ? [] : [{ figure, item: null, billed, computed }],
  );

/** The amount of a line must be its quantity at its price, rounded once. */
export const compareAmounts = (currency: string, lines: readonly BilledAmount[]): Mismatch[] =>
  lines.flatMap(({ quantity, amount: billed, ...item }) => {
    const computed = lineAmount({ quantity, priceMicros: item.priceMicros, currency });
    return billed === computed ? [] : [{ figure: 'amount', item, billed, computed }];
  });

/** An item as responses have it. */
export const toCheckItem = (
  { kind, bundle, zone, pool, unit, priceMicros, version }: ItemFacts,
  organisation: BillCheckItem['organisation'],
): BillCheckItem => ({
  organisation,
  kind,
  bundle,
  zone,
  unit,
  pool: pool && { id: String(pool.id), name: pool.name, cycle_started_at: pool.cycleAt.toISOString() },
  tariff: { code: version.tariff.code, name: version.tariff.name, starts_on: version.startsOn },
  price_micros: Number(priceMicros),
});

/** A mismatch in English, for the operator's command line. */
export const mismatchText = ({
  figure,
  item,
}: {
  figure: CheckedFigure;
  item: BillCheckItem | null;
}): string => {
  if (figure === 'total') return 'the sum of the lines';
  if (figure === 'lines') return 'lines that are not the sum of their SIMs';
  if (figure === 'sims') return 'SIMs that are not the sum of their cycles';
  if (!item) return figure;
  const { kind, bundle, zone, pool, organisation, tariff, unit, price_micros: price } = item;
  const subject = bundle?.code ?? zone?.code ?? pool?.name;
  const cycle = pool && `cycle of ${dashboardDays.dayOf(new Date(pool.cycle_started_at))}`;
  const facts = [
    [kind, subject].filter((part) => part !== undefined).join(' '),
    ...(cycle ? [cycle] : []),
    `organisation ${organisation.code}`,
    `tariff ${tariff.code} of ${tariff.starts_on}`,
    `${formatMicros(price)} per ${unit}`,
  ];
  return `${figure === 'amount' ? 'the amount of ' : ''}${facts.join(', ')}`;
};
