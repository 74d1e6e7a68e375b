import { expect, test } from 'vitest';
import { hostNetwork, isAllowedFrom, isNetwork } from './networks.ts';

test.each([
  ['203.0.113.9', ['203.0.113.0/24'], true],
  ['203.0.114.9', ['203.0.113.0/24'], false],
  ['203.0.113.9', [], true],
  ['203.0.113.9', ['0.0.0.0/0'], true],
  ['203.0.113.9', ['203.0.113.9/32'], true],
  ['203.0.113.9', ['203.0.113.8/31', '10.0.0.0/8'], true],
  ['203.0.113.9', ['2001:db8::/32'], false],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
  ['::1', ['::1/128'], true],
  ['2001:db8:0:0:0:0:0:1', ['2001:db8::1/128'], true],
])('%s in %j: %s', (address, networks, allowed) => {
  expect(isAllowedFrom(address, networks)).toBe(allowed);
});

test('a single address is a host network', () => {
  expect([hostNetwork('203.0.113.9'), hostNetwork('2001:db8::1')]).toEqual([
    '203.0.113.9/32',
    '2001:db8::1/128',
  ]);
  expect(
    ['203.0.113.9/32', '2001:db8::1/128', '203.0.113.9', 'x/8', '203.0.113.9/33'].map(isNetwork),
  ).toEqual([true, true, false, false, false]);
});
