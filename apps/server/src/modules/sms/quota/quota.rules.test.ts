import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affordable, remainingOf } from './quota.rules.ts';

const quota = fc.record({
  cap: fc.option(fc.nat(10_000), { nil: null }),
  spent: fc.nat(10_000),
});

describe('what quotas allow', () => {
  it('never exceeds any quota or the requested number, and is the maximum', () => {
    fc.assert(
      fc.property(
        fc.array(quota, { maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(5000),
        (quotas, parts, requested) => {
          const allowed = affordable(quotas, { parts, requested });
          const fits = (messages: number) =>
            quotas.every(
              ({ cap, spent }) => cap === null || messages === 0 || spent + messages * parts <= cap,
            );
          expect(allowed).toBeLessThanOrEqual(requested);
          expect(fits(allowed)).toBe(true);
          if (allowed < requested) expect(fits(allowed + 1)).toBe(false);
        },
      ),
    );
  });

  it('is zero if a quota was lowered below the spent parts, and unlimited without a limit', () => {
    expect(remainingOf([{ cap: 5, spent: 9 }])).toBe(0);
    expect(remainingOf([{ cap: null, spent: 9 }])).toBeNull();
    expect(affordable([], { parts: 3, requested: 7 })).toBe(7);
  });
});
