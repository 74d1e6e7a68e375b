/** Whether an address or network (CIDR) has no bits after its prefix: 192.0.2.5/28 could mean one address or sixteen. */
export const isWholeNetwork = (network: string): boolean => {
  const [address = '', prefix] = network.split('/');
  return prefix === undefined || !bitsOf(address).slice(Number(prefix)).includes('1');
};

/** The canonical form of a network: equal networks have equal keys, however they were written. */
export const networkKey = (network: string): string => {
  const [address = '', prefix] = network.split('/');
  const bits = bitsOf(address);
  return `${bits}/${prefix ?? bits.length}`;
};

const bitsOf = (address: string): string =>
  address.includes(':')
    ? groupsOf(address)
        .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
        .join('')
    : address
        .split('.')
        .map((octet) => Number(octet).toString(2).padStart(8, '0'))
        .join('');

/** The eight groups of an IPv6 address. `URL` normalises all of its forms, including a trailing IPv4 address. */
const groupsOf = (address: string): string[] => {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const [before, after] = [first ?? [], last ?? []];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
};
