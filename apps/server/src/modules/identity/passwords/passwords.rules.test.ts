import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatePassword, normalisePassword } from './passwords.rules.ts';

describe('passwords', () => {
  it('have 6 to 12 characters with a letter, a digit and a symbol', () => {
    for (const good of ['abc12!', 'Пароль1!', 'a1!a1!a1!a1!', 'geheim 1€'])
      expect(normalisePassword(good), good).toBe(good);
    for (const bad of ['', 'ab12!', 'a1!a1!a1!a1!a', 'abcdef1', 'abcdef!', '123456!', 'abc 123', '!!!!!!']) {
      expect(normalisePassword(bad), bad).toBeUndefined();
    }
  });

  it('hold nothing that nobody sees, nor count it as the symbol', () => {
    for (const bad of [
      'abcdef1\u200b',
      'abc12!\u200b',
      '\ufeffabc12!',
      'abc\t12!',
      'abc12!\u2028',
      'abcde1\u0301',
    ]) {
      expect(normalisePassword(bad), JSON.stringify(bad)).toBeUndefined();
    }
  });

  it('are the same however a letter or a blank is written', () => {
    expect(normalisePassword('pe\u0301pe1!')).toBe('p\u00e9pe1!');
    expect(normalisePassword('ge\u00a0heim1!')).toBe('ge heim1!');
  });

  it('that are generated satisfy the rule: eleven characters and a symbol', () => {
    const seen = new Set(Array.from({ length: 500 }, () => generatePassword((below) => randomInt(below))));
    expect(seen.size).toBe(500);
    for (const password of seen) {
      expect(normalisePassword(password), password).toBe(password);
      expect(password).toMatch(/^[A-Za-z0-9]{11}[^A-Za-z0-9]$/);
    }
  });

  it('that are generated satisfy it for any random numbers', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (stream) => {
          const password = generatePassword((below) => Math.floor((stream.next().value ?? 0) * below));
          expect(normalisePassword(password), password).toBe(password);
        },
      ),
    );
  });
});
