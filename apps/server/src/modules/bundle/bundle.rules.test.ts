import { describe, expect, it } from 'vitest';
import { isBasic, isCovered, isPlan, lastEnd, orderEnd } from './bundle.rules.ts';

const at = new Date('2026-11-21T12:00:00Z');

describe('bundle orders', () => {
  it('end a number of days after they start, or never', () => {
    expect(orderEnd(at, 30)).toEqual(new Date('2026-12-21T12:00:00Z'));
    expect(orderEnd(at, null)).toBeNull();
  });

  it('run one after another', () => {
    expect(lastEnd(at, [])).toEqual(at);
    expect(lastEnd(at, [1, 2])).toEqual(new Date('2026-11-24T12:00:00Z'));
    expect(lastEnd(at, [1, null, 2])).toBeNull();
    expect(lastEnd(null, [1])).toBeNull();
  });

  it('are basic unless supplementary', () => {
    expect(isBasic('postpaid flow')).toBe(true);
    expect(isBasic('prepaid supplementary')).toBe(false);
  });

  it('are plans if they are basic and for more than tests', () => {
    const types = ['postpaid flow', 'prepaid basic', 'test plan', 'prepaid supplementary'] as const;
    expect(types.map(isPlan)).toEqual([true, true, false, false]);
  });
});

describe('the coverage of a bundle', () => {
  it('has the countries that it names, all if it names none, and unknown ones', () => {
    expect(['DE', 'JP', null].map((country) => isCovered(['DE', 'FR'], country))).toEqual([
      true,
      false,
      true,
    ]);
    expect(isCovered([], 'JP')).toBe(true);
  });
});
