import { ipNetworkSchema } from '@simcube/contract/org';

export const isNetwork = (text: string): boolean => ipNetworkSchema.safeParse(text).success;

/** The network that contains only this address. */
export const hostNetwork = (address: string): string => `${address}/${address.includes(':') ? 128 : 32}`;

/** Bits of an address, 32 for IPv4, 128 for IPv6 (RFC 4291, section 2.2); undefined if it is invalid. */
const toBits = (address: string): string | undefined => {
  if (!address.includes(':')) {
    const octets = address.split('.');
    return octets.length === 4 ? octets.map((octet) => toBinary(Number(octet), 8)).join('') : undefined;
  }
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => text.split(':').filter(Boolean);
  const [before, after] = [groups(head), groups(tail ?? '')];
  const missing = 8 - before.length - after.length;
  if (missing < 0 || (tail === undefined && missing > 0)) return undefined;
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after]
    .map((group) => toBinary(Number.parseInt(group, 16), 16))
    .join('');
};

const toBinary = (value: number, width: number): string => value.toString(2).padStart(width, '0');

/** Whether an address is in one of the networks; true if there are none. Only a hint: the server decides. */
export const isAllowedFrom = (address: string, networks: readonly string[]): boolean =>
  networks.length === 0 ||
  networks.some((network) => {
    const [base = '', length = ''] = network.split('/');
    const [addressBits, networkBits] = [toBits(address), toBits(base)];
    if (addressBits === undefined || networkBits === undefined || addressBits.length !== networkBits.length)
      return false;
    return addressBits.slice(0, Number(length)) === networkBits.slice(0, Number(length));
  });
