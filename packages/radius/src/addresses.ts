import { isIPv4, isIPv6 } from 'node:net';

/** Dotted text of the four octets at `start`. */
export const readIpv4 = (raw: Uint8Array, start: number): string =>
  `${raw[start]}.${raw[start + 1]}.${raw[start + 2]}.${raw[start + 3]}`;

/** The four octets of an address, or undefined if the text is not an address. */
export function parseIpv4(text: string): Uint8Array | undefined {
  return isIPv4(text) ? Uint8Array.from(text.split('.'), Number) : undefined;
}

/** RFC 5952 text of the sixteen octets at `start`: lower case, the longest run of two or more zero groups shortened. */
export function readIpv6(raw: Uint8Array, start: number): string {
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(((raw[start + i] ?? 0) << 8) | (raw[start + i + 1] ?? 0));
  const { from, length } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, from).join(':')}::${hex.slice(from + length).join(':')}`;
}

function longestZeroRun(groups: readonly number[]): { from: number; length: number } {
  let best = { from: 0, length: 0 };
  let from = 0;
  groups.forEach((group, index) => {
    if (group !== 0) from = index + 1;
    else if (index + 1 - from > best.length) best = { from, length: index + 1 - from };
  });
  return best;
}

/** The sixteen octets of an address, or undefined if the text is not an address (zone ids are refused). */
export function parseIpv6(text: string): Uint8Array | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  const octets = new Uint8Array(16);
  [...before, ...zeros, ...after].forEach((group, index) => {
    octets[2 * index] = group >> 8;
    octets[2 * index + 1] = group & 0xff;
  });
  return octets;
}

/** Sixteen-bit groups on one side of `::`; a dotted tail (::ffff:10.0.0.1) is two groups. */
function groupsOf(side: string): number[] {
  if (side === '') return [];
  return side.split(':').flatMap((part) => {
    const dotted = parseIpv4(part);
    if (dotted === undefined) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = dotted;
    return [(a << 8) | b, (c << 8) | d];
  });
}

/**
 * Framed-IPv6-Prefix and similar (RFC 3162 §2.3): a reserved octet, the length in bits, then as many octets of the prefix
 * as the sender included. Undefined if the length is over 128 or requires more octets than there are.
 */
export function readIpv6Prefix(raw: Uint8Array, start: number, end: number): string | undefined {
  const bits = raw[start + 1] ?? 0;
  const given = end - start - 2;
  if (given < 0 || given > 16 || bits > 128 || given < Math.ceil(bits / 8)) return undefined;
  const octets = new Uint8Array(16);
  octets.set(raw.subarray(start + 2, end));
  return `${readIpv6(octets, 0)}/${bits}`;
}

/**
 * The address formed from a prefix of at most 64 bits and an interface identifier (RFC 4291, 2.5.1); the first address of
 * the prefix if the identifier is unknown or does not fit.
 */
export function addressInPrefix(prefix: string, interfaceId: Uint8Array | undefined): string {
  const [start = '', bits = ''] = prefix.split('/');
  const octets = interfaceId?.length === 8 && Number(bits) <= 64 ? parseIpv6(start) : undefined;
  if (!octets || !interfaceId) return start;
  octets.set(interfaceId, 8);
  return readIpv6(octets, 0);
}

/**
 * Framed-IPv6-Prefix and Framed-Interface-Id that stand for an address: its /64 and the other 64 bits. No identifier if
 * they are zero: the prefix alone is meant (RFC 4291, 2.6.1). Undefined if the text is not an address.
 */
export function prefixOfAddress(
  address: string,
): { prefix: string; interfaceId: Uint8Array | undefined } | undefined {
  const octets = parseIpv6(address);
  if (octets === undefined) return undefined;
  const interfaceId = octets.slice(8);
  octets.fill(0, 8);
  return {
    prefix: `${readIpv6(octets, 0)}/64`,
    interfaceId: interfaceId.some((octet) => octet !== 0) ? interfaceId : undefined,
  };
}

/** The octets of a prefix attribute, truncated to what its length needs, or undefined if the text is not a prefix. */
export function parseIpv6Prefix(text: string): Uint8Array | undefined {
  const [address = '', bitsText = ''] = text.split('/');
  const octets = parseIpv6(address);
  const bits = Number(bitsText);
  if (octets === undefined || !/^\d{1,3}$/.test(bitsText) || bits > 128) return undefined;
  return Uint8Array.of(0, bits, ...octets.subarray(0, Math.ceil(bits / 8)));
}
