import { expect, it } from 'vitest';
import { isWholeNetwork, networkKey } from './network.rules.ts';

it.each([
  '192.0.2.5',
  '192.0.2.0/28',
  '192.0.2.16/28',
  '0.0.0.0/0',
  '192.0.2.5/32',
  '2001:db8::1',
  '2001:db8::/32',
  '::/0',
  '::ffff:192.0.2.0/120',
  '1:2:3:4:5:6:7:8/128',
])('%s is a whole network', (network) => expect(isWholeNetwork(network)).toBe(true));

it.each([
  '192.0.2.5/28',
  '10.0.0.1/8',
  '192.0.2.1/0',
  '2001:db8::1/32',
  '::1/127',
  '::ffff:192.0.2.1/120',
  '1:2:3:4:5:6:7:8/64',
])('%s has bits behind its prefix', (network) => expect(isWholeNetwork(network)).toBe(false));

it('a network has the same key in all its notations', () => {
  expect(networkKey('192.0.2.5')).toBe(networkKey('192.0.2.5/32'));
  expect(networkKey('2001:DB8::1/128')).toBe(networkKey('2001:db8:0:0::1'));
  expect(networkKey('::ffff:192.0.2.5')).toBe(networkKey('::ffff:c000:205/128'));
  expect(networkKey('192.0.2.0/28')).not.toBe(networkKey('192.0.2.0/29'));
});
