import { lifecycles } from '@simcube/contract/sim';
import { describe, expect, it } from 'vitest';
import { waitsForImei, waitsForStatus } from './facts.rules.ts';

describe('a rule on the status', () => {
  it('fires only for the configured changes', () => {
    const pairs = lifecycles.flatMap((from) => lifecycles.map((to) => ({ from, to })));
    const found = (from: 'any' | 'active') =>
      pairs
        .filter((change) =>
          waitsForStatus({ kind: 'status-change', from, to: ['paused', 'expired'] }, change),
        )
        .map((change) => `${change.from} ${change.to}`);
    expect(found('active')).toEqual(['active paused', 'active expired']);
    expect(found('any')).toHaveLength(2 * lifecycles.length);
  });
});

describe('a rule on the IMEI', () => {
  const change = { from: '490154203237518', to: '490154203299999' };
  const allowed = new Map([['3', ['490154203299991']]]);

  it.each([
    ['any', change, true],
    ['model', change, false],
    ['model', { ...change, to: '356938035643809' }, true],
  ] as const)('to %s waits for %j: %s', (to, imeis, waits) => {
    expect(waitsForImei({ kind: 'imei-change', to }, { ...imeis, allowed: undefined })).toBe(waits);
  });

  it('to one that is not in its list compares devices, ignoring check digits', () => {
    const rule = (list_id: string) => ({ kind: 'imei-change' as const, to: 'unlisted' as const, list_id });
    expect(waitsForImei(rule('3'), { ...change, allowed })).toBe(false);
    expect(waitsForImei(rule('3'), { ...change, to: '356938035643809', allowed })).toBe(true);
    expect(waitsForImei(rule('4'), { ...change, allowed })).toBe(true);
    expect(waitsForImei(rule('3'), { ...change, allowed: undefined })).toBe(true);
  });
});
