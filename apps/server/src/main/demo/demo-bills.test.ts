import { dayMs } from '@simcube/contract/time';
import { expect, it } from 'vitest';
import { historyDays, monthsUntil } from './demo-bills.ts';

it('the demonstration has six months of bills, or five until the last month’s are published', () => {
  const first = Date.parse('2027-01-01T12:00:00Z');
  const counts = Array.from({ length: 730 }, (_, day) => {
    const at = new Date(first + day * dayMs);
    return { months: monthsUntil(at, historyDays).length, isEarly: at.getUTCDate() < 3 };
  });
  expect(new Set(counts.filter(({ isEarly }) => !isEarly).map(({ months }) => months))).toEqual(new Set([6]));
  expect(new Set(counts.filter(({ isEarly }) => isEarly).map(({ months }) => months))).toEqual(new Set([5]));
});
