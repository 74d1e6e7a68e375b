import { describe, expect, it } from 'vitest';
import {
  emailSchema,
  passwordSchema,
  signInBodySchema,
  twoFactorConfirmSchema,
  twoFactorProofSchema,
} from './schemas.ts';

describe('sign-in input', () => {
  it.each([
    ['ana@example.com\u200b', 'ana@example.com'],
    ['\ufeffana@example.com', 'ana@example.com'],
    ['ａｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ana@example.com'],
    [' Ana@Example.com\u00a0', 'ana@example.com'],
  ])('accepts %j as %s', (typed, email) => {
    expect(emailSchema.parse(typed)).toBe(email);
    expect(signInBodySchema.parse({ email: typed }).email.toLowerCase()).toBe(email);
  });

  it.each(['123 456', '１２３４５６', '\u200b123456', '123\u00a0456'])('accepts the code %j', (code) => {
    expect(twoFactorConfirmSchema.parse({ code })).toEqual({ code: '123456' });
    const proof = twoFactorProofSchema.parse({ password: 'x', code });
    expect(proof.code.replaceAll(' ', '')).toBe('123456');
  });

  it('allows the passwords that a field of twelve characters can hold', () => {
    expect(passwordSchema.safeParse('abcdefgh1!😀').success).toBe(true);
    expect(passwordSchema.safeParse('abcdefghi1!😀').success).toBe(false);
  });

  it('has one Unicode form of a password', () => {
    const [one, other] = ['pe\u0301pe1!', 'p\u00e9pe1!'].map((password) =>
      signInBodySchema.parse({ password }),
    );
    expect(one).toEqual(other);
  });
});
