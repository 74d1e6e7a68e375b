import { describe, expect, test } from 'vitest';
import { instants } from './instants.ts';

const at = '2026-11-21T14:32:05.000Z';

describe('instants', () => {
  test.each([
    ['en-US', '21 Nov 2026', '14:32'],
    ['zh-CN', '2026年11月21日', '14:32'],
    ['zh-TW', '2026年11月21日', '14:32'],
    ['es-ES', '21 nov 2026', '14:32'],
  ] as const)('in %s', (language, date, time) => {
    const { format } = instants(language, 'UTC');
    expect(format(at, 'date')).toBe(date);
    expect(format(at, 'time')).toBe(time);
  });

  test('with seconds and the zone where it must be exact', () => {
    expect(instants('en-US', 'UTC').format(at, 'exact')).toBe('21 Nov 2026, 14:32:05 UTC');
  });

  test('in local time, as the device has it', () => {
    const local = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    expect(instants('en-US', 'LOCAL').format(at, 'time')).toBe(local.format(new Date(at)));
  });

  test('midnight is 00, not 24', () => {
    expect(instants('en-US', 'UTC').format('2026-11-21T00:05:00Z', 'time')).toBe('00:05');
  });

  test('what is no instant is shown as it is', () => {
    expect(instants('en-US', 'UTC').format('soon', 'date')).toBe('soon');
    expect(instants('en-US', 'UTC').relative('soon', 0)).toBe('soon');
  });

  test.each([
    [31, '31 sec ago'],
    [90, '1 min ago'],
    [3 * 3600, '3 hr ago'],
    [86_400, 'yesterday'],
    [40 * 86_400, 'last mo'],
    [800 * 86_400, '2 yr ago'],
  ])('%d seconds ago', (seconds, text) => {
    const now = Date.parse(at) + seconds * 1000;
    expect(instants('en-US', 'UTC').relative(at, now)).toBe(text);
  });
});
