import { expect, test } from 'vitest';
import { instants } from '../../lib/time/index.ts';
import { calendar } from '../../ui/time/calendar.ts';
import { pointNames } from './point-names.ts';

test.each([
  ['05:00', '05'],
  ['05:45', '05:45'],
])('the axis labels an hour that begins at %s as %s', (time, name) => {
  const format = { time: () => time, dateTime: () => `Nov 29, ${time}` };
  const names = pointNames('24h', { format, calendar: calendar('en-US') });
  expect(names.short('2026-11-29T00:00:00.000Z')).toBe(name);
});

test('the axis labels an hour in UTC with its number', () => {
  const { format } = instants('en-US', 'UTC');
  const of = { time: (at: string) => format(at, 'time'), dateTime: (at: string) => format(at, 'dateTime') };
  const names = pointNames('24h', { format: of, calendar: calendar('en-US') });
  expect(names.short('2026-11-29T13:00:00.000Z')).toBe('13');
});
