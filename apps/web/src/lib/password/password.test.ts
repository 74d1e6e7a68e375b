import { limits } from '@simcube/contract';
import { passwordSchema } from '@simcube/contract/identity';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generatePassword, type RandomSource } from './index.ts';

/** The given 32-bit integers, then the browser's own, so that every draw ends. */
const streamOf = (drawn: readonly number[]): RandomSource => {
  let at = 0;
  return (values) => {
    if (at < drawn.length) values[0] = drawn[at++] ?? 0;
    else crypto.getRandomValues(values);
  };
};

describe('a generated password', () => {
  test('has 11 letters and digits plus one symbol, and satisfies the rule, for any random numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 60 }), (drawn) => {
        const password = generatePassword(streamOf(drawn));
        expect(password).toMatch(/^[A-Za-z2-9]{11}[^A-Za-z0-9\s]$/);
        expect(password).toHaveLength(limits.password.max);
        expect(passwordSchema.safeParse(password).success).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('is drawn again without a digit, or with a number beyond the last full range', () => {
    const onlyLetters = Array.from({ length: 11 }, () => 0);
    const password = generatePassword(streamOf([2 ** 32 - 1, ...onlyLetters]));
    expect(password).not.toMatch(/^A{11}/);
  });

  test('uses every character with about equal frequency', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 4000; n += 1) {
      for (const character of generatePassword().slice(0, 11)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(57);
    const mean = 44_000 / 57;
    // Digits occur slightly more often, since passwords without one are discarded; the bounds are five standard deviations around
    // both.
    for (const count of counts.values()) {
      expect(count).toBeGreaterThan(mean * 0.75);
      expect(count).toBeLessThan(mean * 1.45);
    }
  });
});
