import { describe, expect, it } from 'vitest';
import { isBasic, lastEnd, orderEnd } from './bundle.rules.ts';

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
});
