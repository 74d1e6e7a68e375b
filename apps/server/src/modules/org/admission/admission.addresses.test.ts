import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTenantId } from '../tree/org.rules.ts';
import { normaliseAddress, normaliseNetwork } from './admission.addresses.ts';

it('a tenant id is a UUID and nothing else', () => {
  fc.assert(fc.property(fc.uuid(), (id) => isTenantId(id) && isTenantId(id.toUpperCase())));
  fc.assert(fc.property(fc.string(), (text) => !isTenantId(text)));
  expect(isTenantId('7b3c1f1e-0000-4000-8000-000000000000\n')).toBe(false);
});

it('an address has one form, whatever the socket', () => {
  expect(normaliseAddress('192.0.2.7')).toBe('192.0.2.7');
  expect(normaliseAddress('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(normaliseAddress('::FFFF:c000:207')).toBe('192.0.2.7');
  expect(normaliseAddress('0:0:0:0:0:ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(normaliseAddress('2001:DB8:0:0::7')).toBe('2001:db8::7');
  expect(normaliseAddress('fe80::1%eth0')).toBe('fe80::1');
  // An IPv4-compatible address (deprecated) does not count as IPv4.
  expect(normaliseAddress('::192.0.2.7')).toBe('::c000:207');
  for (const text of ['', 'unknown', '192.0.2.7:80', '[::1]', '192.0.2', "' or true", '::1/128']) {
    expect(normaliseAddress(text), text).toBeNull();
  }
});

it('every mapped IPv4 address equals the address itself', () => {
  fc.assert(fc.property(fc.ipV4(), (address) => normaliseAddress(`::ffff:${address}`) === address));
});

it('a network of mapped addresses is the IPv4 one', () => {
  expect(normaliseNetwork('192.0.2.0/24')).toBe('192.0.2.0/24');
  expect(normaliseNetwork('::ffff:192.0.2.0/120')).toBe('192.0.2.0/24');
  expect(normaliseNetwork('2001:DB8::/32')).toBe('2001:db8::/32');
  for (const text of ['192.0.2.0', '192.0.2.0/33', '::/129', '::ffff:192.0.2.0/80', '192.0.2.0/-1', 'x/8']) {
    expect(normaliseNetwork(text), text).toBeNull();
  }
});
