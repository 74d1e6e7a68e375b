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
  formatAmount,
  formatMicros,
  groupOf,
  groupsOf,
  isPublishable,
  isUnusual,
  monthOfEnd,
  parseAmount,
  serialOf,
  stateOf,
  versionNumber,
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
    expect(amountDueMinor({ ...facts, ...none, paid_minor: 0 })).toBe(500);
    expect(amountDueMinor({ ...facts, ...none, status: 'paid', paid_minor: 0 })).toBe(0);
    expect(amountDueMinor({ ...facts, ...none, type: 'credit', paid_minor: 150 })).toBe(350);
    expect(amountDueMinor({ ...facts, ...none, type: 'credit', status: 'obsolete', paid_minor: 150 })).toBe(
      0,
    );
  });

  it('that is a credit gives back its amount, whatever the deposit has', () => {
    const facts = { type: 'predeposit', status: 'published', total_minor: -500, paid_minor: 0 } as const;
    for (const deposit_minor of [null, -700, 0, 300])
      expect(amountDueMinor({ ...facts, deposit_minor })).toBe(-500);
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
    expect(stateOf({ status: 'published', dueOn: null }, '2026-12-01')).toBe('issued');
  });

  it('has a number from which its serial can be parsed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (serial) => {
        expect(serialOf(billNumber({ month: '2026-10', serial }))).toBe(serial);
      }),
    );
    expect(billNumber({ month: '2026-10', serial: 417 })).toBe('BILL-2026-10-00417');
    for (const text of ['BILL-2026-10-417', 'BILL-2026-10-00417-v2', 'A BILL-2026-10-00417'])
      expect(serialOf(text)).toBeUndefined();
  });

  it('is unusual above ten times the median of previous totals', () => {
    expect(isUnusual(1001n, [100n, 5000n, 1n])).toBe(true);
    expect(isUnusual(1000n, [100n, 5000n, 1n])).toBe(false);
    expect(isUnusual(1_000_000n, [])).toBe(false);
    expect(isUnusual(2001n, [100n, 5000n, 1n, 200n])).toBe(true);
    expect(isUnusual(2000n, [100n, 5000n, 1n, 200n])).toBe(false);
    expect([isUnusual(11n, [1n]), isUnusual(1n, [0n]), isUnusual(1n, [-1n])]).toEqual([true, false, false]);
  });

  it('has its version in its number from the second one on', () => {
    const number = 'BILL-2026-10-00417';
    expect([1, 2].map((version) => versionNumber({ number, version }))).toEqual([number, `${number}-v2`]);
  });

  it('adds up its lines by group, in the order of groups', () => {
    const line = { corrects: false, amount_minor: 10 };
    expect(
      groupsOf([
        { ...line, kind: 'sms-mo', amount_minor: 5 },
        { ...line, kind: 'sms-mt', amount_minor: -7 },
        { ...line, kind: 'cycle', corrects: true },
        { ...line, kind: 'cycle' },
        { ...line, kind: 'activation' },
        { ...line, kind: 'pool-cycle', amount_minor: 0 },
      ]),
    ).toEqual([
      { group: 'bundles', amount_minor: 20 },
      { group: 'pools', amount_minor: 0 },
      { group: 'sms', amount_minor: -2 },
      { group: 'corrections', amount_minor: 10 },
    ]);
    expect(groupOf({ kind: 'over-quota', corrects: null })).toBe('overage');
    expect(groupOf({ kind: 'over-quota', corrects: '2026-09' })).toBe('corrections');
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

  it('can be published from that day on, and whenever a later month is due', () => {
    const on = (day: string) => isPublishable('2026-10', new Date(`${day}T00:00:00+08:00`));
    const days = ['2026-10-31', '2026-11-02', '2026-11-03', '2026-12-01', '2027-01-03'];
    expect(days.map(on)).toEqual([false, false, true, true, true]);
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

  it('in files has all decimals of its currency, below one and below zero too', () => {
    const amounts = [5, -5, 12_345, 0];
    expect(amounts.map((minor) => formatAmount(minor, 'EUR'))).toEqual(['0.05', '-0.05', '123.45', '0.00']);
    expect(amounts.map((minor) => formatAmount(minor, 'JPY'))).toEqual(['5', '-5', '12345', '0']);
    expect([1, -2_500_000].map(formatMicros)).toEqual(['0.000001', '-2.500000']);
  });
});
