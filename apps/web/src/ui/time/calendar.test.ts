import { expect, test } from 'vitest';
import { calendar } from './calendar.ts';

test('the calendar names dates in the language, in any time zone', () => {
  expect(calendar('en-US').day('2026-11-01')).toBe('Nov 1, 2026');
  expect(calendar('es-ES').month('2026-01')).toBe('ene');
  expect(calendar('zh-CN').longMonth('2026-11')).toBe('2026年11月');
});

test('the calendar assigns an instant to the business day of UTC+8', () => {
  expect(calendar('en-US').businessWeekday('2026-11-20T16:00:00Z')).toBe('Sat');
  expect(calendar('en-US').businessWeekday('2026-11-20T15:59:59Z')).toBe('Fri');
});

test('the calendar shows an invalid date unchanged', () => {
  expect(calendar('en-US').day('soon')).toBe('soon');
});
