import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inUnit, numbers, unitOf } from './numbers.ts';

const { bytes, bytesOfLimit, count, exactBytes, percent, signedCount, signedPercent } = numbers('en-US');
const gb = 1024 ** 3;

describe('bytes', () => {
  test.each([
    [0, '0\u00a0B'],
    [1, '1\u00a0B'],
    [1023, '1,023\u00a0B'],
    [1024, '1\u00a0KB'],
    [1024 ** 2, '1\u00a0MB'],
    [gb - 1, '1,024\u00a0MB'],
    [gb, '1\u00a0GB'],
    [8.42 * 1024 ** 4, '8.42\u00a0TB'],
    [18.4 * gb, '18.4\u00a0GB'],
    [268 * 1024 ** 2, '268\u00a0MB'],
    [2000 * 1024 ** 5, '2,000\u00a0PB'],
  ])('%d is %s', (amount, text) => {
    expect(bytes(Math.round(amount)).text).toBe(text);
  });

  test('of usage and limit share the unit of the limit', () => {
    expect(bytesOfLimit(4.1 * gb, 5 * gb)).toBe('4.1 / 5\u00a0GB');
    expect(bytesOfLimit(0, 30 * 1024 ** 2)).toBe('0 / 30\u00a0MB');
  });

  test('are at least 1 and below 1,024 in their unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (amount) => {
        const shown = inUnit(amount, unitOf(amount));
        expect(shown).toBeGreaterThanOrEqual(1);
        expect(shown).toBeLessThan(unitOf(amount) === 'PB' ? Number.POSITIVE_INFINITY : 1024);
      }),
    );
  });

  test('follow the language', () => {
    expect(numbers('es-ES').bytes(1.5 * gb).text).toBe('1,5\u00a0GB');
    expect(numbers('zh-CN').bytes(1.5 * gb).text).toBe('1.5\u00a0GB');
  });
});

test('counts, percentages and differences are formatted', () => {
  expect(count(48_210)).toBe('48,210');
  expect(exactBytes(5_368_709_120)).toBe('5,368,709,120');
  expect(percent(0.824)).toBe('82%');
  expect(signedPercent(0.018)).toBe('+1.8%');
  expect(signedCount(-14)).toBe('−14');
  expect(signedPercent(-0.018)).toBe('−1.8%');
  expect(signedCount(0)).toBe('0');
  expect(numbers('es-ES').count(48_210)).toBe('48.210');
});

test('a share between none and all is never shown as 0 % or 100 %', () => {
  expect(percent(0)).toBe('0%');
  expect(percent(0.004)).toBe('<1%');
  expect(percent(0.0004, 1)).toBe('<0.1%');
  expect(percent(0.0006, 1)).toBe('0.1%');
  expect(percent(0.9975)).toBe('99%');
  expect(percent(0.9999, 1)).toBe('99.9%');
  expect(percent(1)).toBe('100%');
  expect(percent(1.006)).toBe('101%');
});

test('money has the decimals of its currency, and prices all of their own', () => {
  const { money, price, signedMoney } = numbers('en-US');
  expect(money({ currency: 'EUR', amount_minor: 499 })).toBe('€4.99');
  expect(money({ currency: 'JPY', amount_minor: 121 })).toBe('¥121');
  expect(money({ currency: 'KWD', amount_minor: -1005 }).replace(/\s/u, ' ')).toBe('−KWD 1.005');
  expect(signedMoney({ currency: 'EUR', amount_minor: -4782 })).toBe('−€47.82');
  expect(signedMoney({ currency: 'EUR', amount_minor: 4782 })).toBe('+€47.82');
  expect(signedMoney({ currency: 'EUR', amount_minor: 0 })).toBe('€0.00');
  expect(money({ currency: 'EUR', amount_minor: 9_007_199_254_740_991 })).toBe('€90,071,992,547,409.91');
  expect(price(15_000, 'EUR')).toBe('€0.015');
  expect(price(2_000_000, 'EUR')).toBe('€2.00');
  expect(price(2_874_000, 'EUR', 4)).toBe('€2.8740');
  expect(price(2_874_000, 'EUR')).toBe('€2.874');
  expect(numbers('es-ES').money({ currency: 'EUR', amount_minor: 123_456 }).replace(/\s/u, ' ')).toBe(
    '1.234,56 €',
  );
});
