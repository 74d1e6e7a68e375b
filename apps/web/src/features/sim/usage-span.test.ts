import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysBetween, granularitiesFor, maxRangeDays, usageSpanOf, utcDay } from './usage-span.ts';

const now = Date.parse('2026-11-21T00:30:00Z');

describe('the usage tab', () => {
  test.each([
    [{}, { range: '30d', from: '2026-10-23', to: '2026-11-21', granularity: 'day' }],
    [{ range: 'today' }, { range: 'today', from: '2026-11-21', to: '2026-11-21', granularity: 'hour' }],
    [
      { range: '7d', per: 'hour' },
      { range: '7d', from: '2026-11-15', to: '2026-11-21', granularity: 'hour' },
    ],
    [{ range: '6m' }, { range: '6m', from: '2026-06-01', to: '2026-11-21', granularity: 'month' }],
    [
      { range: 'custom', from: '2026-02-01', to: '2026-02-28' },
      { range: 'custom', from: '2026-02-01', to: '2026-02-28', granularity: 'day' },
    ],
    [
      { range: 'custom', from: '2026-02-01', to: '2026-02-01', per: 'day' },
      { range: 'custom', from: '2026-02-01', to: '2026-02-01', granularity: 'day' },
    ],
    // Hours are retained for 13 months before the current one, days for longer.
    [
      { range: 'custom', from: '2025-10-01', to: '2025-10-01' },
      { range: 'custom', from: '2025-10-01', to: '2025-10-01', granularity: 'hour' },
    ],
    [
      { range: 'custom', from: '2025-09-30', to: '2025-09-30', per: 'hour' },
      { range: 'custom', from: '2025-09-30', to: '2025-09-30', granularity: 'day' },
    ],
    [
      { range: 'custom', from: '2025-09-30', to: '2025-10-06', per: 'hour' },
      { range: 'custom', from: '2025-09-30', to: '2025-10-06', granularity: 'day' },
    ],
  ] as const)('shows %j as %j', (search, span) => {
    expect(usageSpanOf(search, now)).toEqual(span);
  });

  test('falls back when the range is reversed, too long or incomplete', () => {
    for (const custom of [
      { from: '2026-02-28', to: '2026-02-01' },
      { from: '2020-01-01', to: '2026-01-01' },
      { from: '2026-02-01' },
    ]) {
      expect(usageSpanOf({ range: 'custom', ...custom }, now).range).toBe('30d');
    }
  });

  test('shows a month in days when hours are requested', () => {
    expect(usageSpanOf({ range: '30d', per: 'hour' }, now).granularity).toBe('day');
  });

  test('always has a granularity', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maxRangeDays }), (days) => {
        const from = utcDay(now - (days - 1) * dayMs);
        expect(granularitiesFor({ from, to: utcDay(now) }, now).length).toBeGreaterThan(0);
      }),
    );
  });

  test('counts both ends', () => {
    expect(daysBetween('2026-02-01', '2026-02-28')).toBe(28);
    expect(daysBetween('2026-02-01', '2026-02-01')).toBe(1);
  });
});
