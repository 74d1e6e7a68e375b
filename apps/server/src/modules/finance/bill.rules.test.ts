import { dueDay, issueDay } from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysFrom } from '../../platform/clock/business-day.ts';
import {
  amountDueMinor,
  billingWork,
  billMonth,
  billNumber,
  isUnusual,
  monthOfEnd,
  parseAmount,
  serialOf,
  stateOf,
} from './bill.rules.ts';

describe('a bill', () => {
  it.each([
    ['2026-11-03', '2026-11-13'],
    ['2026-11-18', '2026-11-28'],
    ['2026-11-21', '2026-11-30'],
    ['2026-11-30', '2026-11-30'],
    ['2028-02-20', '2028-02-29'],
    ['2027-02-20', '2027-02-28'],
    ['2026-12-31', '2026-12-31'],
  ])('issued on %s is due on %s', (day, due) => {
    expect(dueDay(day)).toBe(due);
  });

  it.each([
    ['2026-11', '2026-12-03'],
    ['2026-12', '2027-01-03'],
    ['2028-01', '2028-02-03'],
  ])('of %s is issued on the day from which it is published: %s', (month, day) => {
    expect(issueDay(month)).toBe(day);
    const works = daysFrom(`${day.slice(0, 7)}-01`, day).map((one) =>
      billingWork(new Date(`${one}T00:00:00+08:00`)),
    );
    expect(works.map(({ shouldPublish }) => shouldPublish)).toEqual([false, false, true]);
    expect(new Set(works.map((one) => one.month))).toEqual(new Set([month]));
  });

  it('is due within its month and ten days, on whichever day it is issued', () => {
    for (const day of daysFrom('2027-01-01', '2028-12-31')) {
      const due = dueDay(day);
      expect([due >= day, due.slice(0, 7) === day.slice(0, 7)]).toEqual([true, true]);
      expect(daysFrom(day, due).length).toBeLessThanOrEqual(11);
    }
  });

  it('leaves to pay the amount that neither payments nor the deposit cover', () => {
    const facts = { type: 'predeposit', status: 'published', total_minor: 500 } as const;
    const leaves = (deposit_minor: number) => amountDueMinor({ ...facts, paid_minor: 0, deposit_minor });
    expect([leaves(300), leaves(450), leaves(-100), leaves(700)]).toEqual([200, 50, 500, 0]);
    const none = { deposit_minor: null };
    expect(amountDueMinor({ ...facts, ...none, status: 'paid', paid_minor: 0 })).toBe(0);
    expect(amountDueMinor({ ...facts, ...none, type: 'credit', paid_minor: 150 })).toBe(350);
    expect(amountDueMinor({ ...facts, ...none, type: 'credit', status: 'obsolete', paid_minor: 150 })).toBe(
      0,
    );
  });

  it('is issued until the end of its due date, then expired; a replaced one has no state', () => {
    const published = { status: 'published', dueOn: '2026-11-13' } as const;
    expect([stateOf(published, '2026-11-13'), stateOf(published, '2026-11-14')]).toEqual([
      'issued',
      'expired',
    ]);
    expect(stateOf({ ...published, status: 'paid' }, '2026-12-01')).toBe('paid');
    expect(stateOf({ ...published, status: 'obsolete' }, '2026-12-01')).toBeNull();
    expect(stateOf({ status: 'draft', dueOn: null }, '2026-12-01')).toBe('draft');
  });

  it('has a number from which its serial can be parsed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (serial) => {
        expect(serialOf(billNumber({ month: '2026-10', serial }))).toBe(serial);
      }),
    );
    expect(billNumber({ month: '2026-10', serial: 417 })).toBe('BILL-2026-10-00417');
    expect(serialOf('BILL-2026-10-417')).toBeUndefined();
  });

  it('is unusual above ten times the median of previous totals', () => {
    expect(isUnusual(1001n, [100n, 5000n, 1n])).toBe(true);
    expect(isUnusual(1000n, [100n, 5000n, 1n])).toBe(false);
    expect(isUnusual(1_000_000n, [])).toBe(false);
  });
});

describe('the month of bills', () => {
  it('is drafted from the 1st and published from the 3rd on, by the clock of UTC+8', () => {
    const at = (text: string) => billingWork(new Date(text));
    expect(at('2026-10-31T15:59:59Z')).toEqual({ month: '2026-09', shouldPublish: true });
    expect(at('2026-10-31T16:00:00Z')).toEqual({ month: '2026-10', shouldPublish: false });
    expect(at('2026-11-02T15:59:59Z')).toEqual({ month: '2026-10', shouldPublish: false });
    expect(at('2026-11-02T16:00:00Z')).toEqual({ month: '2026-10', shouldPublish: true });
    expect(at('2027-01-02T16:00:00Z').month).toBe('2026-12');
  });

  it('contains cycles that end within it, including its last instant', () => {
    const { from, until } = billMonth('2028-02');
    expect([from, until]).toEqual([new Date('2028-01-31T16:00:00Z'), new Date('2028-02-29T16:00:00Z')]);
    expect([monthOfEnd(from), monthOfEnd(until)]).toEqual(['2028-01', '2028-02']);
  });
});

describe('an amount as it is written', () => {
  it('has no more decimals than its currency', () => {
    expect([parseAmount('12.5', 2), parseAmount('12', 0), parseAmount('-0.125', 3)]).toEqual([
      1250n,
      12n,
      -125n,
    ]);
    expect(parseAmount('1.2345', minorDigits('CLF'))).toBe(12_345n);
    expect([
      parseAmount('12.5', 0),
      parseAmount('1.234', 2),
      parseAmount('1,20', 2),
      parseAmount('', 2),
      parseAmount('.5', 2),
    ]).toEqual(Array.from({ length: 5 }));
  });
});
