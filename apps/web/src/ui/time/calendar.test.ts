import { expect, test } from 'vitest';
import { calendar } from './calendar.ts';

test('names dates in the language, whatever zone the reader is in', () => {
  expect(calendar('en-US').day('2026-11-01')).toBe('Nov 1, 2026');
  expect(calendar('es-ES').month('2026-01')).toBe('ene');
  expect(calendar('zh-CN').longMonth('2026-11')).toBe('2026年11月');
});

test('puts an instant into the business day of UTC+8', () => {
  expect(calendar('en-US').businessWeekday('2026-11-20T16:00:00Z')).toBe('Sat');
  expect(calendar('en-US').businessWeekday('2026-11-20T15:59:59Z')).toBe('Fri');
});

test('shows what is no date as it is', () => {
  expect(calendar('en-US').day('soon')).toBe('soon');
});
