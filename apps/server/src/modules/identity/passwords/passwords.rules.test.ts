import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatePassword, isPassword } from './passwords.rules.ts';

describe('passwords', () => {
  it('have 6 to 12 characters with a letter, a digit and a symbol', () => {
    for (const good of ['abc12!', 'Пароль1!', 'a1!a1!a1!a1!', 'geheim 1€'])
      expect(isPassword(good), good).toBe(true);
    for (const bad of ['', 'ab12!', 'a1!a1!a1!a1!a', 'abcdef1', 'abcdef!', '123456!', 'abc 123', '!!!!!!']) {
      expect(isPassword(bad), bad).toBe(false);
    }
  });

  it('that are generated satisfy the rule: eleven characters and a symbol', () => {
    const seen = new Set(Array.from({ length: 500 }, () => generatePassword((below) => randomInt(below))));
    expect(seen.size).toBe(500);
    for (const password of seen) {
      expect(isPassword(password), password).toBe(true);
      expect(password).toMatch(/^[A-Za-z0-9]{11}[^A-Za-z0-9]$/);
    }
  });

  it('that are generated satisfy it for any random numbers', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (stream) => {
          const password = generatePassword((below) => Math.floor((stream.next().value ?? 0) * below));
          expect(isPassword(password), password).toBe(true);
        },
      ),
    );
  });
});
