import { describe, expect, it } from 'vitest';
import { requiredComponentsFor, sha256Of, validateClaims } from './signatures.rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const seconds = now.getTime() / 1000;
const keyid = '00000000-0000-4000-8000-000000000001';
const parameters = { alg: 'rsa-v1_5-sha256', keyid, nonce: 'n'.repeat(16), created: seconds };
const required = ['@method', '@target-uri'];

const validate = (change: object = {}, components = required) =>
  validateClaims(
    { components: new Set(components), parameters: { ...parameters, ...change } },
    { required, now },
  );
const refusal = (change: object, components?: string[]) => {
  const verdict = validate(change, components);
  return 'refusal' in verdict ? [verdict.refusal.code, verdict.refusal.name] : 'sound';
};

describe('the parameters of a signature', () => {
  it('are valid from ten minutes ago to one minute ahead', () => {
    expect(validate()).toEqual({
      keyId: keyid,
      nonce: parameters.nonce,
      validUntil: new Date((seconds + 600) * 1000),
    });
    expect([599, 600, -60, -61].map((ago) => refusal({ created: seconds - ago }))).toEqual([
      'sound',
      ['CB-08-0008', undefined],
      'sound',
      ['CB-08-0008', undefined],
    ]);
    expect(refusal({ expires: seconds + 1 })).toBe('sound');
    expect(refusal({ expires: seconds })).toEqual(['CB-08-0008', undefined]);
    expect(refusal({ created: Number.NaN })).toEqual(['CB-08-0008', undefined]);
  });

  it.each(['alg', 'keyid', 'nonce', 'created'])('needs %s', (name) => {
    expect(refusal({ [name]: undefined })).toEqual(['CB-08-0006', name]);
  });

  it.each([
    ['short', 'n'.repeat(15)],
    ['long', 'n'.repeat(129)],
    ['with a blank', `${'n'.repeat(16)} `],
    ['beyond ASCII', 'ñ'.repeat(16)],
  ])('has no nonce that is %s', (_, nonce) => {
    expect(refusal({ nonce })).toEqual(['CB-08-0006', 'nonce']);
  });

  it('names an unsupported algorithm, an invalid key id and an uncovered component', () => {
    expect(refusal({ alg: 'rsa-pss-sha512' })).toEqual(['CB-08-0005', undefined]);
    expect(refusal({ keyid: "' or 1=1" })).toEqual(['CB-08-0009', undefined]);
    expect(refusal({}, ['@method', '@path'])).toEqual(['CB-08-0007', '@target-uri']);
  });

  it('covers the body with its type, and the headers of an organisation that are sent', () => {
    expect(requiredComponentsFor({ hasBody: false, tenantId: false, partnerCode: false })).toEqual(required);
    expect(requiredComponentsFor({ hasBody: true, tenantId: true, partnerCode: true })).toEqual([
      ...required,
      'content-digest',
      'content-type',
      'tenant-id',
      'partner-code',
    ]);
  });
});

/** Of RFC 9421, B.2. */
const sha256 = 'X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=';

describe('a Content-Digest', () => {
  it.each([
    `sha-256=:${sha256}:`,
    ` sha-256=:${sha256}: `,
    `sha-512=:AAAA:, sha-256=:${sha256}:`,
    `sha-256=:${sha256}:,unixsum=:Cw==:`,
  ])('has one SHA-256: %s', (field) => {
    expect(sha256Of(field)?.toString('base64')).toBe(sha256);
  });

  it.each([
    '',
    'sha-256',
    'sha-512=:AAAA:',
    'sha-256=:AAAA:',
    `sha-256=${sha256}`,
    `sha-256=:${sha256}:;a`,
    `sha-256=:${sha256}:, sha-256=:${sha256}:`,
    `sha-256=:${sha256}:, sha-256=?0`,
  ])('is refused: %s', (field) => {
    expect(sha256Of(field)).toBeUndefined();
  });
});
