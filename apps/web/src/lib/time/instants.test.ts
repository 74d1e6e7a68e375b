import { describe, expect, test } from 'vitest';
import { instants } from './instants.ts';

const at = '2026-11-21T14:32:05.000Z';

describe('an instant', () => {
  test.each([
    ['en-US', 'Sep 2, 2026', 'Sep 2', 'Sep 2, 2026, 14:32', 'Sep 2, 2026, 14:32:05 UTC'],
    ['zh-CN', '2026年9月2日', '9月2日', '2026年9月2日 14:32', '2026年9月2日 14:32:05 UTC'],
    ['zh-TW', '2026年9月2日', '9月2日', '2026年9月2日 14:32', '2026年9月2日 14:32:05 UTC'],
    ['es-ES', '2 sept 2026', '2 sept', '2 sept 2026, 14:32', '2 sept 2026, 14:32:05 UTC'],
  ] as const)(
    'is formatted in %s, exactly with seconds and zone',
    (language, date, shortDate, dateTime, exact) => {
      const { format } = instants(language, 'UTC');
      const early = '2026-09-02T14:32:05.000Z';
      expect(format(early, 'date')).toBe(date);
      expect(format(early, 'shortDate')).toBe(shortDate);
      expect(format(early, 'dateTime')).toBe(dateTime);
      expect(format(early, 'exact')).toBe(exact);
      expect(format(early, 'time')).toBe('14:32');
      expect(`${format(early, 'dateSeconds')} UTC`).toBe(exact);
    },
  );

  test('is shown in the device’s local time', () => {
    const local = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    expect(instants('en-US', 'LOCAL').format(at, 'time')).toBe(local.format(new Date(at)));
  });

  test('at midnight has the hour 00, not 24', () => {
    expect(instants('en-US', 'UTC').format('2026-11-21T00:05:00Z', 'time')).toBe('00:05');
  });

  test('that is invalid is shown unchanged', () => {
    expect(instants('en-US', 'UTC').format('soon', 'date')).toBe('soon');
    expect(instants('en-US', 'UTC').relative('soon', 0)).toBe('soon');
  });

  test.each([
    [31, '31s ago'],
    [90, '1m ago'],
    [3 * 3600, '3h ago'],
    [86_400, 'yesterday'],
    [40 * 86_400, 'last mo.'],
    [800 * 86_400, '2y ago'],
  ])('of %d seconds ago is %s', (seconds, text) => {
    const now = Date.parse(at) + seconds * 1000;
    expect(instants('en-US', 'UTC').relative(at, now)).toBe(text);
  });
});
