import { moneyFormats } from '@simcube/contract/money';
import { isCurrency, minorDigits } from '@simcube/contract/price';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMicros, formatMicros, lineAmount, startedUnits } from './price.rules.ts';

const mb = 2n ** 20n;

describe('an amount', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    // Currencies for which ICU, and so browsers, differ from ISO 4217 in some versions.
    ['HUF', 2],
    ['IDR', 2],
    ['IQD', 3],
    ['UYW', 4],
  ])('of %s has %i digits', (currency, digits) => {
    expect(minorDigits(currency)).toBe(digits);
    const { money } = moneyFormats('en-US');
    expect(money({ currency, amount_minor: 12_345_678 }).replace(/[^\d.]/g, '')).toBe(
      (12_345_678 / 10 ** digits).toFixed(digits),
    );
  });

  it.each([
    ['EUR', 1n, 5_000n, 1n],
    ['EUR', 1n, 4_999n, 0n],
    ['EUR', -1n, 5_000n, -1n],
    ['EUR', 3n, 15_000n, 5n],
    ['JPY', 1n, 500_000n, 1n],
    ['JPY', 1n, 499_999n, 0n],
    ['KWD', 1n, 500n, 1n],
    ['KWD', 7n, 1_499n, 10n],
  ])('in %s of %i times %i millionths is %i', (currency, quantity, priceMicros, amount) =>
    expect(lineAmount({ quantity, priceMicros, currency })).toBe(amount),
  );

  it('is rounded half away from zero: never further than half a minor unit, and the same for a credit', () =>
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 9n }),
        fc.bigInt({ min: 0n, max: 10n ** 9n }),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (quantity, priceMicros, currency) => {
          const amount = lineAmount({ quantity, priceMicros, currency });
          const scale = 10n ** BigInt(6 - minorDigits(currency));
          const off = 2n * (amount * scale - quantity * priceMicros);
          expect(off <= scale && off > -scale).toBe(true);
          expect(lineAmount({ quantity: -quantity, priceMicros, currency })).toBe(-amount);
        },
      ),
    ));

  it('is written without trailing zeros', () =>
    expect([0, 1, 1_500_000, 50_000, 12_000_000].map(formatMicros)).toEqual([
      '0',
      '0.000001',
      '1.5',
      '0.05',
      '12',
    ]));

  it('in millionths depends on the digits of its currency', () =>
    expect(['JPY', 'EUR', 'KWD'].map((currency) => amountMicros({ currency, total_minor: 12_345 }))).toEqual([
      12_345_000_000, 123_450_000, 12_345_000,
    ]));

  it('is of a currency of ISO 4217', () =>
    expect(['EUR', 'KWD', 'XYZ', 'eur'].map(isCurrency)).toEqual([true, true, false, false]));
});

describe('started units', () => {
  it('are none without usage, and one for a single octet', () =>
    expect([-3n * mb, 0n, 1n, mb, mb + 1n].map((bytes) => startedUnits(bytes, mb))).toEqual([
      0n,
      0n,
      1n,
      1n,
      2n,
    ]));
});
