import { prefixOfAddress } from '@simcube/radius';

/**
 * First octets of private (RFC 1918) and link-local (RFC 3927) addresses; and of the space shared by a
 * carrier's customers (RFC 6598).
 */
const privateIpv4 = /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./;
const sharedIpv4 = /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
/** Unique local (RFC 4193) and link-local (RFC 4291). */
const privateIpv6 = /^(f[cd]|fe[89ab])/;

/** From where a device with this address can be reached. The address is in the database's form. */
export const addressKind = (ip: string): 'private' | 'shared' | 'public' => {
  if (ip.includes(':')) return privateIpv6.test(ip) ? 'private' : 'public';
  if (privateIpv4.test(ip)) return 'private';
  return sharedIpv4.test(ip) ? 'shared' : 'public';
};

/**
 * Whether a device has the address assigned to it. Of an IPv6 address, the network assigns the /64: a device may choose the
 * rest itself (3GPP TS 23.060, 9.2.1.1). Both are in the database's form.
 */
export const isAssignedAddress = (ip: string, assigned: string): boolean => {
  const prefix = prefixOfAddress(ip)?.prefix;
  return ip === assigned || (prefix !== undefined && prefix === prefixOfAddress(assigned)?.prefix);
};
