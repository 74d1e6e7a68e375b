import { limits } from '@simcube/contract';
import type { SmsQuota } from '@simcube/contract/org';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveCap, exceeds } from './sms-quota.rules.ts';

const quota: fc.Arbitrary<SmsQuota> = fc.oneof(
  fc.constantFrom<SmsQuota>({ kind: 'inherit' }, { kind: 'unlimited' }, { kind: 'none' }),
  fc.record({
    kind: fc.constant('custom' as const),
    messages: fc.integer({ min: 1, max: limits.smsQuota.max }),
  }),
);
const line = fc.array(quota, { maxLength: limits.organisationLevels });
const orLess = (a: number | null, b: number | null): boolean => b === null || (a !== null && a <= b);

describe('the SMS quota of an organisation', () => {
  it('is its setting below a parent without a limit', () => {
    const of = (own: SmsQuota) => effectiveCap([{ kind: 'unlimited' }, own]);
    expect(of({ kind: 'inherit' })).toBeNull();
    expect(of({ kind: 'unlimited' })).toBeNull();
    expect(of({ kind: 'none' })).toBe(0);
    expect(of({ kind: 'custom', messages: 7 })).toBe(7);
    expect(effectiveCap([])).toBeNull();
  });

  it('decreases with the quota of a parent, and increases again up to its own', () => {
    const below = (parent: number) =>
      effectiveCap([
        { kind: 'custom', messages: parent },
        { kind: 'inherit' },
        { kind: 'custom', messages: 50 },
      ]);
    expect([below(100), below(50), below(20), below(80)]).toEqual([50, 50, 20, 50]);
  });

  it('never exceeds that of any organisation above', () => {
    fc.assert(
      fc.property(line, quota, (above, own) => orLess(effectiveCap([...above, own]), effectiveCap(above))),
    );
  });

  it('is the parent’s when inherited, also when that is none', () => {
    fc.assert(
      fc.property(line, (above) => {
        expect(effectiveCap([...above, { kind: 'inherit' }])).toBe(effectiveCap(above));
        expect(effectiveCap([...above, { kind: 'none' }])).toBe(0);
      }),
    );
  });

  it('is the set value, as long as it is allowed and nothing above changes', () => {
    fc.assert(
      fc.property(line, quota, (above, own) => {
        const cap = effectiveCap(above);
        fc.pre(!exceeds(own, cap));
        if (own.kind === 'custom') expect(effectiveCap([...above, own])).toBe(own.messages);
        if (own.kind === 'unlimited') expect(effectiveCap([...above, own])).toBeNull();
      }),
    );
  });

  it('does not depend on the order of the limits above', () => {
    fc.assert(
      fc.property(line, (above) => {
        expect(effectiveCap([...above].reverse())).toBe(effectiveCap(above));
      }),
    );
  });
});

it('a quota above the parent’s can’t be set', () => {
  expect(exceeds({ kind: 'custom', messages: 100 }, 100)).toBe(false);
  expect(exceeds({ kind: 'custom', messages: 101 }, 100)).toBe(true);
  expect(exceeds({ kind: 'custom', messages: 1 }, 0)).toBe(true);
  expect(exceeds({ kind: 'unlimited' }, 100)).toBe(true);
  expect(exceeds({ kind: 'unlimited' }, null)).toBe(false);
  expect(exceeds({ kind: 'inherit' }, 0)).toBe(false);
  expect(exceeds({ kind: 'none' }, 0)).toBe(false);
});
