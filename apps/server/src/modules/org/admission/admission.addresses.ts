import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address of a caller in the one form in which it is compared with networks: an IPv4-mapped IPv6 address
 * (RFC 4291, 2.5.5.2: what a socket of both families shows) is the IPv4 one, and a zone (RFC 4007) is no part of it.
 * Null for what is no address: behind a proxy it is a text that others wrote.
 */
export const plainAddress = (text: string): string | null => {
  // What sockets show, without taking it apart: this is asked on every call.
  const plain = text.startsWith('::ffff:') ? text.slice(7) : text;
  if (isIPv4(plain)) return plain;
  const [bare = ''] = text.split('%', 1);
  if (!isIPv6(bare)) return null;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .map((group) => `${group >> 8}.${group & 255}`)
    .join('.');
};

/** The same for a network in CIDR notation; one of mapped addresses has 96 bits less as an IPv4 network. */
export const plainNetwork = (text: string): string | null => {
  const [address = '', bits = ''] = text.split('/', 2);
  const plain = plainAddress(address);
  if (plain === null || !/^\d{1,3}$/.test(bits)) return null;
  const wasMapped = isIPv4(plain) && !isIPv4(address);
  const length = Number(bits) - (wasMapped ? 96 : 0);
  return length >= 0 && length <= (isIPv4(plain) ? 32 : 128) ? `${plain}/${length}` : null;
};
