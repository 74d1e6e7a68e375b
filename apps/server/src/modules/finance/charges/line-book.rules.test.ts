import { billLineKinds, billTypes } from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf, amountsOf, createLineBook, type LineFacts, totalOf } from './line-book.rules.ts';

const currencies = ['JPY', 'EUR', 'KWD'];
const charges = fc.array(
  fc.record({
    quantity: fc.bigInt({ min: -1_000_000n, max: 1_000_000_000n }),
    facts: fc
      .record({
        type: fc.constantFrom(...billTypes),
        orgId: fc.integer({ min: 1, max: 3 }),
        kind: fc.constantFrom(...billLineKinds),
        priceMicros: fc.constantFrom(1n, 4000n, 15_000n, 333_333n, 500_000n, 4_990_000n),
        currency: fc.constantFrom(...currencies),
        corrects: fc.constantFrom(null, '2028-02', '2026-12'),
      })
      .map(
        ({ currency, ...facts }): LineFacts => ({
          bundle: null,
          zone: null,
          pool: null,
          unit: 'MB',
          ...facts,
          version: {
            id: currencies.indexOf(currency),
            currency,
            startsOn: '2026-01-01',
            tariff: { code: currency, name: currency },
          },
        }),
      ),
  }),
  { maxLength: 60 },
);
type Charges = typeof charges extends fc.Arbitrary<infer T> ? T : never;

const billsOf = (all: Charges) => {
  const book = createLineBook();
  for (const { facts, quantity } of all) book.add(facts, { quantity, bytes: null });
  return book.bills();
};
const totals = (all: Charges) =>
  new Map(billsOf(all).map(({ type, currency, lines }) => [`${type} ${currency}`, totalOf(lines)]));

describe('the lines of bills', () => {
  it('are the exact sum of their charges, rounded once', () => {
    fc.assert(
      fc.property(charges, (all) => {
        for (const { currency, lines } of billsOf(all)) {
          const step = 10n ** BigInt(6 - minorDigits(currency));
          for (const line of lines) {
            const exact = line.quantity * line.priceMicros;
            const away = amountOf(line) * step - exact;
            expect(2n * (away < 0n ? -away : away) <= step).toBe(true);
          }
          expect(totalOf(lines)).toBe(lines.map(amountOf).reduce((sum, amount) => sum + amount, 0n));
        }
        const exact = (items: readonly { quantity: bigint; priceMicros: bigint }[]) =>
          items.reduce((sum, { quantity, priceMicros }) => sum + quantity * priceMicros, 0n);
        expect(exact(billsOf(all).flatMap(({ lines }) => lines))).toBe(
          exact(all.map(({ quantity, facts }) => ({ quantity, priceMicros: facts.priceMicros }))),
        );
      }),
    );
  });

  it('do not depend on the order or number of charges', () => {
    fc.assert(
      fc.property(charges, (all) => {
        const halves = all.flatMap(({ facts, quantity }) => [
          { facts, quantity: quantity / 3n },
          { facts, quantity: quantity - quantity / 3n },
        ]);
        expect(totals(halves.toReversed())).toEqual(totals(all));
      }),
    );
  });

  it('are in a bill of their type and currency', () => {
    fc.assert(
      fc.property(charges, (all) => {
        for (const { type, currency, lines } of billsOf(all)) {
          expect(lines.every((line) => line.type === type && line.version.currency === currency)).toBe(true);
          expect(lines.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
        }
      }),
    );
  });

  it('add up the octets of the charges that have any', () => {
    const book = createLineBook();
    const version = { id: 1, currency: 'EUR', startsOn: '2026-01-01', tariff: { code: 'S', name: 'S' } };
    const usage: LineFacts = {
      type: 'credit',
      orgId: 1,
      kind: 'over-quota',
      bundle: null,
      zone: null,
      pool: null,
      unit: 'MB',
      priceMicros: 15_000n,
      version,
      corrects: null,
    };
    const fee: LineFacts = { ...usage, kind: 'cycle', unit: 'each' };
    const added = [
      book.add(usage, amountsOf({ quantity: 1, bytes: null })),
      book.add(usage, amountsOf({ quantity: 2, bytes: 5 })),
      book.add(fee, amountsOf({ quantity: 1, bytes: null })),
      book.add(usage, amountsOf({ quantity: 4, bytes: 7 })),
      book.add(fee, amountsOf({ quantity: 1, bytes: null })),
    ];
    expect(added.map(({ line }) => line)).toEqual([1, 1, 2, 1, 2]);
    expect(new Set(added.map(({ bill }) => bill))).toEqual(new Set(book.bills()));
    expect(book.bills()[0]?.lines).toMatchObject([
      { kind: 'over-quota', quantity: 7n, bytes: 12n },
      { kind: 'cycle', quantity: 2n, bytes: null },
    ]);
  });
});
