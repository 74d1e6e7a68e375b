import { type AccountingRecord, attribute, type RadiusPacket, readAttributes } from '@simcube/radius';

/**
 * How a packet names its SIM: `imsi:…`, or candidates in order, separated by spaces, of which the first that finds a SIM
 * counts: `any:…` (IMSI or MSISDN) for User-Name and Calling-Station-Id, `imsi:…` for our own Class. As one text it is also
 * the key of caches.
 */
export const identityOf = (
  { imsi, userName, callingStationId }: Pick<AccountingRecord, 'imsi' | 'userName' | 'callingStationId'>,
  packet: RadiusPacket,
): string | undefined => {
  if (imsi) return `imsi:${imsi}`;
  const candidates = new Set<string>();
  for (const name of [userName, callingStationId]) {
    const digits = digitsOf(name);
    if (digits !== undefined) candidates.add(`any:${digits}`);
  }
  const ownClass = ownClassOf(packet);
  if (ownClass !== undefined) candidates.add(ownClass);
  return candidates.size === 0 ? undefined : [...candidates].join(' ');
};

/** The digits of a name, without realm (`…@nai.epc.mnc001.mcc262.3gppnetwork.org`, `realm\\…`) and leading +. */
const digitsOf = (name: string | undefined): string | undefined => {
  if (!name) return undefined;
  const digits = /^(?:[^\\/]*[\\/])?\+?(\d{5,16})(?:@.*)?$/.exec(name)?.[1];
  // TS 23.003, 19.3.2: the permanent identity in EAP is the IMSI preceded by one digit.
  return digits?.length === 16 ? digits.slice(1) : digits;
};

/** The Class of an Accept. Gateways return it with all accounting of the session (RFC 2865, 5.25). */
export const classOf = (imsi: string): Buffer => Buffer.from(`imsi:${imsi}`);

/** The identity in the Class that an Accept gave; proxies may have added others. */
const ownClassOf = (packet: RadiusPacket): string | undefined =>
  readAttributes(packet, attribute.class)
    .map((value) => Buffer.from(value).toString('latin1'))
    .find((text) => /^imsi:\d{6,15}$/.test(text));

/** Everything by which these identities may be found. */
export const candidatesOf = (identities: Iterable<string>): string[] => [
  ...new Set([...identities].flatMap((identity) => identity.split(' '))),
];

/** What the first of an identity's candidates finds. */
export const firstFound = <T>(identity: string, found: ReadonlyMap<string, T>): T | undefined => {
  for (const candidate of identity.split(' ')) {
    const one = found.get(candidate);
    if (one !== undefined) return one;
  }
  return undefined;
};
