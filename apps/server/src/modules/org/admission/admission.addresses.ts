import { isIPv4, isIPv6 } from 'node:net';

/**
 * A caller's address in the form used for comparison with networks: an IPv4-mapped IPv6 address (RFC 4291,
 * 2.5.5.2; shown by dual-stack sockets) becomes IPv4, and a zone (RFC 4007) is removed. Null for an invalid
 * address: behind a proxy it is text from outside.
 */
export const normaliseAddress = (text: string): string | null => {
  // Fast path for addresses as sockets show them: this runs on every call.
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

/** The same for a network in CIDR notation; a mapped one becomes an IPv4 network with a prefix 96 bits shorter. */
export const normaliseNetwork = (text: string): string | null => {
  const [address = '', bits = ''] = text.split('/', 2);
  const plain = normaliseAddress(address);
  if (plain === null || !/^\d{1,3}$/.test(bits)) return null;
  const wasMapped = isIPv4(plain) && !isIPv4(address);
  const length = Number(bits) - (wasMapped ? 96 : 0);
  return length >= 0 && length <= (isIPv4(plain) ? 32 : 128) ? `${plain}/${length}` : null;
};
