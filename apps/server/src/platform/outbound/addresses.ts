import { BlockList, isIP, isIPv6 } from 'node:net';

/** Networks without internet addresses: this machine, private, link-local and multicast networks. */
const internalNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Obsolete IPv6 forms that contain an IPv4 address: compatible (with :: and ::1), translated, Teredo, 6to4.
  '::/96',
  '::ffff:0:0:0/96',
  '2001::/32',
  '2002::/16',
  '64:ff9b:1::/48',
  '100::/64',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
];

/** IPv6 prefixes whose last 32 bits are an IPv4 address: mapped (RFC 4291, 2.5.5.2) and translated (RFC 6052, 2.1). */
const embeddedIpv4Pattern = /^(?:::ffff:|64:ff9b::)(?:([\da-f]{1,4}):)?([\da-f]{1,4})$/;
const blocked = blockListOf(internalNetworks);

/** Whether requests may go to an address, given the private networks that the operator allows. */
export const addressRule = (allowedNetworks: readonly string[]) => {
  const allowed = blockListOf(allowedNetworks);
  return (address: string): 'public' | 'allowed' | 'blocked' => {
    const effectiveAddress = embeddedIpv4Of(address) ?? address;
    if (contains(allowed, effectiveAddress)) return 'allowed';
    return contains(blocked, effectiveAddress) ? 'blocked' : 'public';
  };
};

/** This machine, also without DNS (RFC 6761, 6.3). */
const localhostPattern = /(?:^|\.)localhost\.?$/;
const loopbackAddresses = ['127.0.0.1', '::1'];

/** The addresses that a URL itself names. */
const addressesOf = (url: URL): readonly string[] => {
  const host = hostOf(url);
  return localhostPattern.test(host) ? loopbackAddresses : isIP(host) ? [host] : [];
};

/** Whether no request to a URL is ever sent: its host is a blocked address. What names resolve to is known only then. */
export const isBlockedUrl = (url: string, allowedNetworks: readonly string[] = []): boolean => {
  const addresses = addressesOf(new URL(url));
  const ruleFor = addressRule(allowedNetworks);
  return addresses.length > 0 && addresses.every((address) => ruleFor(address) === 'blocked');
};

/** Allowed ports on the internet. */
export const publicPorts = [80, 443, 8080, 8443] as const;
export const isPublicPort = (port: number): boolean => publicPorts.some((one) => one === port);

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

/**
 * Whether no request to a URL is ever sent because of its port: it is not one of the internet, and the host is in no
 * allowed network. A name may be in one.
 */
export const isPortBlocked = (url: string, allowedNetworks: readonly string[] = []): boolean => {
  const parsed = new URL(url);
  if (isPublicPort(portOf(parsed))) return false;
  const addresses = addressesOf(parsed);
  const ruleFor = addressRule(allowedNetworks);
  return addresses.length === 0
    ? allowedNetworks.length === 0
    : !addresses.some((address) => ruleFor(address) === 'allowed');
};

/** The host of a URL, an IPv6 address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** The IPv4 address contained in an IPv6 address. */
function embeddedIpv4Of(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const [plain = ''] = address.split('%');
  const [, high = '0', low] =
    embeddedIpv4Pattern.exec(new URL(`http://[${plain}]`).hostname.slice(1, -1)) ?? [];
  if (low === undefined) return undefined;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join('.');
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(length ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}
