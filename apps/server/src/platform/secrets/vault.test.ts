import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedVault, keyCheckOf, keyRingOf, UnsealError, vaultOf } from './vault.ts';

const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('a vault', () => {
  it('decrypts what it encrypted, for any text, and encrypts the same text differently each time', () => {
    const vault = vaultOf(randomBytes(32));
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [one, two] = [vault.seal(text), vault.seal(text)];
        expect(vault.open(one)).toBe(Buffer.from(text).toString());
        expect(one.equals(two)).toBe(false);
      }),
    );
  });

  it('rejects what was encrypted with another key, changed, truncated or never encrypted', () => {
    const vault = vaultOf(Buffer.alloc(32, 1));
    const sealed = vault.seal('a secret');
    expect(() => vaultOf(Buffer.alloc(32, 2)).open(sealed)).toThrow(UnsealError);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const broken = Buffer.from(sealed);
        broken[place] = (broken[place] ?? 0) ^ change;
        expect(() => vault.open(broken)).toThrow(UnsealError);
        expect(() => vault.open(sealed.subarray(0, place))).toThrow(UnsealError);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (noise) => {
        expect(() => vault.open(Buffer.from(noise))).toThrow(UnsealError);
      }),
    );
  });
});

describe('a key ring', () => {
  it('encrypts with the newest key and decrypts with the former ones', () => {
    const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const ring = keyRingOf(one);
    const before = ring.seal('before');
    ring.switchTo(two);
    const after = ring.seal('after');
    expect([ring.open(before), ring.open(after)]).toEqual(['before', 'after']);
    expect([ring.isCurrent(before), ring.isCurrent(after)]).toEqual([false, true]);
    expect(vaultOf(two).open(after)).toBe('after');
    expect(ring.check).toBe(keyCheckOf(two));
  });

  it('has a check value that differs by key and does not disclose it', () => {
    fc.assert(
      fc.property(octets(32), octets(32), (a, b) => {
        const [one, two] = [Buffer.from(a), Buffer.from(b)];
        expect(keyCheckOf(one) === keyCheckOf(two)).toBe(one.equals(two));
        expect(keyCheckOf(one)).not.toBe(one.toString('hex'));
      }),
    );
  });

  it('without a key fails with the reason', () => {
    const reason = new Error('no key');
    const ring = closedVault(reason);
    expect(() => ring.seal('x')).toThrow(reason);
    expect(() => ring.open(Buffer.alloc(40))).toThrow(reason);
    expect(() => ring.check).toThrow(reason);
  });
});
