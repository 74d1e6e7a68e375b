import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressInPrefix,
  parseIpv4,
  parseIpv6,
  parseIpv6Prefix,
  prefixOfAddress,
  readIpv4,
  readIpv6,
  readIpv6Prefix,
} from './addresses.ts';

describe('an address from prefix and interface identifier', () => {
  const id = Uint8Array.from([0x02, 0, 0, 0, 0, 0, 0, 0x2a]);
  it.each([
    ['2001:db8:0:7::/64', id, '2001:db8:0:7:200::2a'],
    ['2001:db8::/32', id, '2001:db8::200:0:0:2a'],
    ['2001:db8:0:7::/64', undefined, '2001:db8:0:7::'],
    ['2001:db8:0:7::/64', id.subarray(1), '2001:db8:0:7::'],
    ['2001:db8:0:7::1/128', id, '2001:db8:0:7::1'],
  ])('in %s is composed if both are valid', (prefix, interfaceId, wanted) => {
    expect(addressInPrefix(prefix, interfaceId)).toBe(wanted);
  });
});

describe('the prefix and interface identifier of an address', () => {
  it('compose that address', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (octets) => {
        const address = readIpv6(octets, 0);
        const { prefix = '', interfaceId } = prefixOfAddress(address) ?? {};
        expect(prefix.endsWith('/64')).toBe(true);
        expect(addressInPrefix(prefix, interfaceId)).toBe(address);
      }),
    );
  });

  it('lack the identifier if the address is its prefix, and both if it is no IPv6 address', () => {
    expect(prefixOfAddress('2001:db8:0:7::')).toEqual({
      prefix: '2001:db8:0:7::/64',
      interfaceId: undefined,
    });
    expect(prefixOfAddress('10.1.2.3')).toBeUndefined();
  });
});

describe('addresses', () => {
  it('round-trip through octets', () => {
    const octets = fc.uint8Array({ minLength: 16, maxLength: 16 });
    const sparse = octets.map((list) => list.map((octet, index) => (octet % 3 === index % 3 ? octet : 0)));
    fc.assert(
      fc.property(fc.oneof(octets, sparse), (address) => {
        const text = readIpv6(address, 0);
        expect(isIPv6(text)).toBe(true);
        expect(parseIpv6(text)).toEqual(address);
        expect(parseIpv4(readIpv4(address, 4))).toEqual(address.slice(4, 8));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
  ])('write %s according to RFC 5952', (long, short) => {
    expect(readIpv6(parseIpv6(long) ?? new Uint8Array(16), 0)).toBe(short);
  });

  it('read a prefix of any length, and reject invalid ones', () => {
    const short = parseIpv6Prefix('2001:db8::/32') ?? new Uint8Array();
    expect(short).toHaveLength(6);
    expect(readIpv6Prefix(short, 0, 6)).toBe('2001:db8::/32');
    expect(readIpv6Prefix(Uint8Array.of(...short, 0, 0, 0, 0), 0, 10)).toBe('2001:db8::/32');
    expect(readIpv6Prefix(short, 0, 5)).toBeUndefined();
    expect(readIpv6Prefix(Uint8Array.of(0, 129), 0, 2)).toBeUndefined();
  });

  it('reject invalid text', () => {
    expect([parseIpv4('1.2.3'), parseIpv6('fe80::1%eth0'), parseIpv6Prefix('2001:db8::/129')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([parseIpv6Prefix('2001:db8::'), parseIpv6Prefix('x/64')]).toEqual([undefined, undefined]);
  });
});
