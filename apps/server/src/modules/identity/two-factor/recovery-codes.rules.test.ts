import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normaliseRecoveryCode, recoveryCodeOf } from './recovery-codes.rules.ts';

const make = () => recoveryCodeOf((below) => randomInt(below));

it('recovery codes are three groups of five, each its own', () => {
  const codes = Array.from({ length: 500 }, make);
  expect(new Set(codes).size).toBe(500);
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{5}-[a-z2-7]{5}-[a-z2-7]{5}$/);
});

it('recovery codes are accepted in capitals, with spaces or without hyphens', () => {
  const code = make();
  const plain = normaliseRecoveryCode(code);
  expect(plain).toBe(code.replaceAll('-', ''));
  for (const typed of [
    code.toUpperCase(),
    code.replaceAll('-', ' '),
    code.replaceAll('-', ''),
    ` ${code} `,
  ]) {
    expect(normaliseRecoveryCode(typed)).toBe(plain);
  }
});

it('other text is not a recovery code, least of all six digits', () => {
  for (const other of ['', '123456', 'a', `${make()}a`, 'abcde-fghij-klmn1', 'ääääääääääääääa']) {
    expect(normaliseRecoveryCode(other), other).toBeUndefined();
  }
  fc.assert(fc.property(fc.string({ maxLength: 14 }), (text) => normaliseRecoveryCode(text) === undefined));
});
