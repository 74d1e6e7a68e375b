import { describe, expect, it } from 'vitest';
import { spanBefore } from './sums.rules.ts';

const before = (from: string, to: string, step: 'hour' | 'day' = 'day'): string[] => {
  const span = spanBefore({ from: new Date(from), to: new Date(to) }, step);
  return [span.from.toISOString(), span.to.toISOString()];
};

describe('the previous period', () => {
  it('of days has as many whole days, including the last one', () => {
    expect(before('2026-10-23T00:00:00Z', '2026-11-22T14:32:10Z')).toEqual([
      '2026-09-22T00:00:00.000Z',
      '2026-10-23T00:00:00.000Z',
    ]);
    expect(before('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z')).toEqual([
      '2026-11-19T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
    ]);
  });

  it('of hours has as many whole hours of the days before', () => {
    expect(before('2028-03-01T00:00:00Z', '2028-03-01T14:32:10Z', 'hour')).toEqual([
      '2028-02-29T00:00:00.000Z',
      '2028-02-29T15:00:00.000Z',
    ]);
  });

  it('of a span that begins within a day has the same length', () => {
    expect(before('2026-11-21T14:32:10Z', '2026-11-22T14:32:10Z', 'hour')).toEqual([
      '2026-11-20T14:32:10.000Z',
      '2026-11-21T14:32:10.000Z',
    ]);
  });
});
