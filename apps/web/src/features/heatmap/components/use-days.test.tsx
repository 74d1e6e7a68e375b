import type { Heatmap } from '@simcube/contract/heatmap';
import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useDays } from './use-days.ts';

const daysIn = (now: string) => {
  vi.setSystemTime(now);
  return renderHook(useDays).result.current;
};
const period = { from: '2026-12-01', to: '2026-12-02' };
const comparison = (figures: Pick<Heatmap, 'compared' | 'before'>) =>
  daysIn('2026-12-02T12:00:00Z').comparison({ period, ...figures } as Heatmap);

test('days of another year than the current one have their year', () => {
  expect(daysIn('2026-12-02T12:00:00Z').period(period)).toBe('Dec 1 – Dec 2');
  expect(daysIn('2027-01-02T12:00:00Z').period(period)).toBe('Dec 1, 2026 – Dec 2, 2026');
});

test('a period of one day is named as the day', () => {
  expect(daysIn('2026-12-02T12:00:00Z').period({ from: '2026-12-01', to: '2026-12-01' })).toBe('Dec 1');
});

test('a comparison names its days if they are not the whole period', () => {
  const before = { from: '2026-11-01', to: '2026-11-02' };
  expect(comparison({ compared: period, before })).toBe('vs Nov 1 – Nov 2');
  const first = { from: '2026-12-01', to: '2026-12-01' };
  expect(comparison({ compared: first, before: { from: '2026-11-01', to: '2026-11-01' } })).toBe(
    'Dec 1 vs Nov 1',
  );
  expect(comparison({ compared: null, before })).toBe('');
});
