import { describe, expect, it } from 'vitest';
import { isCorrectable } from './section.rules.ts';

type Cycle = Parameters<typeof isCorrectable>[0];

describe('a cycle', () => {
  const since = new Date('2026-09-01T00:00:00Z');
  const billed: Cycle['bundle'] = { out_of_coverage_policy: 'billing', coverage_countries: ['DE'] };
  const free: Cycle['bundle'] = { out_of_coverage_policy: 'not applicable', coverage_countries: [] };
  const isAt = (time: number, own: Partial<Cycle>) =>
    isCorrectable({ bundle: billed, from: new Date(time), ...own }, { hoursSince: since });

  it('can be charged again as long as its hours are retained', () => {
    expect(isAt(since.getTime(), {})).toBe(true);
    expect(isAt(since.getTime() - 1, {})).toBe(false);
  });

  it('can always be charged again if neither zones nor a pool divide its usage', () => {
    const [bundle, before] = [free, since.getTime() - 1];
    expect(isAt(before, { bundle })).toBe(true);
    expect(isAt(before, { bundle, pooled: true })).toBe(false);
    expect(isAt(since.getTime(), { bundle, pooled: true })).toBe(true);
  });
});
