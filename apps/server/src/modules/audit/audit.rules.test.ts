import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, noHash } from './audit.chain.ts';
import {
  canonicalEntry,
  changedFields,
  recordableName,
  recordableValues,
  type StoredEntry,
} from './audit.rules.ts';

const entry: StoredEntry = {
  org_id: 7,
  number: 1,
  at: '2026-11-21T12:00:00.000000Z',
  action: 'account.updated',
  actor_kind: 'person',
  actor_id: 'a1',
  actor_name: 'Ana',
  subject_kind: 'account',
  subject_id: 's1',
  subject_name: 'Bea',
  before: { role: 'user', aa: 1, b: [3, { z: 1, y: 2 }] },
  after: null,
  address: '192.0.2.1',
  trace_id: 't1',
};

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
};

describe('the text under the hash', () => {
  it('is canonical JSON, written out here so that others can compute it', () => {
    expect(canonicalEntry(entry)).toBe(
      '{"action":"account.updated","actor":{"id":"a1","kind":"person","name":"Ana"},"address":"192.0.2.1",' +
        '"after":null,"at":"2026-11-21T12:00:00.000000Z","before":{"aa":1,"b":[3,{"y":2,"z":1}],"role":"user"},' +
        '"number":1,"org":7,"subject":{"id":"s1","kind":"account","name":"Bea"},"trace_id":"t1"}',
    );
  });

  it('does not depend on the order of keys, but on everything else', () => {
    const values = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>;
    fc.assert(
      fc.property(values, values, (before, other) => {
        const text = canonicalEntry({ ...entry, before });
        expect(canonicalEntry({ ...entry, before: shuffled(before) as Record<string, unknown> })).toBe(text);
        expect(JSON.parse(text).before).toEqual(JSON.parse(JSON.stringify(before)));
        const equal = isDeepStrictEqual(
          JSON.parse(JSON.stringify(other)),
          JSON.parse(JSON.stringify(before)),
        );
        expect(canonicalEntry({ ...entry, before: other }) === text).toBe(equal);
      }),
    );
  });

  it('is hashed together with the previous hash', () => {
    const first = hashOf(noHash, entry);
    expect(first).toHaveLength(32);
    expect(hashOf(first, entry)).not.toEqual(first);
    expect(hashOf(noHash, { ...entry, org_id: 8 })).not.toEqual(first);
  });
});

describe('what is recorded', () => {
  it('contains no secrets, at any depth', () => {
    const values = {
      email: 'a@example.test',
      password: 'Cube-2026!',
      password_hash: 'x',
      nested: [{ resetToken: 'abc', Authorization: 'Bearer x', totp_secret: { v: 1 } }],
      two_factor: true,
      recovery_codes: ['one', 'two'],
      password_set: true,
    };
    expect(recordableValues(values)).toEqual({
      email: 'a@example.test',
      password: '[masked]',
      password_hash: '[masked]',
      nested: [{ resetToken: '[masked]', Authorization: '[masked]', totp_secret: '[masked]' }],
      two_factor: true,
      recovery_codes: '[masked]',
      password_set: true,
    });
  });

  it('is limited in size and has no characters that the database rejects', () => {
    expect(recordableValues({ text: 'x'.repeat(5000) })).toEqual({ text: 'x'.repeat(2000) });
    expect(recordableValues({ many: Array.from({ length: 100 }, () => 'y'.repeat(2000)) })).toEqual({
      omitted_octets: expect.any(Number),
    });
    expect(recordableName('a\0b\ud800c')).toBe('a\ufffdb\ufffdc');
    expect(recordableValues({ name: '\ud83d\ude00\udc00' })).toEqual({ name: '\ud83d\ude00\ufffd' });
    expect(recordableValues(undefined)).toBeNull();
  });
});

it('a change has only the fields that differ, and is undefined if none does', () => {
  const before: Record<string, unknown> = { name: 'a', quota: { kind: 'none' }, networks: ['x'] };
  expect(changedFields(before, { ...before, quota: { kind: 'none' } })).toBeUndefined();
  expect(changedFields(before, { ...before, name: 'b', networks: [] })).toEqual({
    before: { name: 'a', networks: ['x'] },
    after: { name: 'b', networks: [] },
  });
});
