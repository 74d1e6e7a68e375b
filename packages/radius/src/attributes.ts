/** How the octets of a value are read; `time` is unsigned seconds since 1970 (RFC 2865 §5). */
export interface AttributeValues {
  text: string;
  /** An Acct-Session-Id (session-ids.ts). */
  sessionId: string;
  octets: Uint8Array;
  integer: number;
  byte: number;
  time: number;
  ipv4: string;
  ipv6: string;
  ipv6Prefix: string;
}

export type AttributeKind = keyof AttributeValues;

export interface AttributeDefinition<K extends AttributeKind = AttributeKind> {
  readonly name: string;
  readonly type: number;
  readonly kind: K;
  /** IANA enterprise number; 0 for the standard attribute space. */
  readonly vendor: number;
  /** Length of the value if it is fixed although that of its kind is not. */
  readonly size?: number;
}

export const vendor = { threeGpp: 10415, wispr: 14122, mikrotik: 14988 } as const;

/** Vendors whose attribute 26 is a list of type-length-value (RFC 2865 §5.26), checked strictly when decoding. */
export const isKnownVendor = (id: number): boolean =>
  id === vendor.threeGpp || id === vendor.wispr || id === vendor.mikrotik;

const standard =
  <K extends AttributeKind>(kind: K) =>
  (type: number, name: string, size?: number): AttributeDefinition<K> => ({
    name,
    type,
    kind,
    vendor: 0,
    ...(size === undefined ? {} : { size }),
  });

const ofVendor = <K extends AttributeKind>(from: { vendor: number; kind: K }, type: number, name: string) =>
  ({ name, type, ...from }) satisfies AttributeDefinition<K>;

const threeGpp = <K extends AttributeKind>(kind: K, type: number, name: string): AttributeDefinition<K> =>
  ofVendor({ vendor: vendor.threeGpp, kind }, type, name);

const text = standard('text');
const sessionId = standard('sessionId');
const octets = standard('octets');
const integer = standard('integer');
const ipv4 = standard('ipv4');
const ipv6 = standard('ipv6');
const ipv6Prefix = standard('ipv6Prefix');
const time = standard('time');

/** The dictionary: attributes that gateways of an APN send and accept. All others are opaque octets, never an error. */
export const attribute = {
  userName: text(1, 'User-Name'),
  userPassword: octets(2, 'User-Password'),
  chapPassword: octets(3, 'CHAP-Password', 17),
  nasIpAddress: ipv4(4, 'NAS-IP-Address'),
  nasPort: integer(5, 'NAS-Port'),
  serviceType: integer(6, 'Service-Type'),
  framedProtocol: integer(7, 'Framed-Protocol'),
  framedIpAddress: ipv4(8, 'Framed-IP-Address'),
  framedIpNetmask: ipv4(9, 'Framed-IP-Netmask'),
  filterId: text(11, 'Filter-Id'),
  framedMtu: integer(12, 'Framed-MTU'),
  replyMessage: text(18, 'Reply-Message'),
  state: octets(24, 'State'),
  class: octets(25, 'Class'),
  sessionTimeout: integer(27, 'Session-Timeout'),
  idleTimeout: integer(28, 'Idle-Timeout'),
  terminationAction: integer(29, 'Termination-Action'),
  calledStationId: text(30, 'Called-Station-Id'),
  callingStationId: text(31, 'Calling-Station-Id'),
  nasIdentifier: text(32, 'NAS-Identifier'),
  proxyState: octets(33, 'Proxy-State'),
  acctStatusType: integer(40, 'Acct-Status-Type'),
  acctDelayTime: integer(41, 'Acct-Delay-Time'),
  acctInputOctets: integer(42, 'Acct-Input-Octets'),
  acctOutputOctets: integer(43, 'Acct-Output-Octets'),
  acctSessionId: sessionId(44, 'Acct-Session-Id'),
  acctAuthentic: integer(45, 'Acct-Authentic'),
  acctSessionTime: integer(46, 'Acct-Session-Time'),
  acctInputPackets: integer(47, 'Acct-Input-Packets'),
  acctOutputPackets: integer(48, 'Acct-Output-Packets'),
  acctTerminateCause: integer(49, 'Acct-Terminate-Cause'),
  acctMultiSessionId: text(50, 'Acct-Multi-Session-Id'),
  acctLinkCount: integer(51, 'Acct-Link-Count'),
  acctInputGigawords: integer(52, 'Acct-Input-Gigawords'),
  acctOutputGigawords: integer(53, 'Acct-Output-Gigawords'),
  eventTimestamp: time(55, 'Event-Timestamp'),
  chapChallenge: octets(60, 'CHAP-Challenge'),
  nasPortType: integer(61, 'NAS-Port-Type'),
  connectInfo: text(77, 'Connect-Info'),
  messageAuthenticator: octets(80, 'Message-Authenticator', 16),
  acctInterimInterval: integer(85, 'Acct-Interim-Interval'),
  nasPortId: text(87, 'NAS-Port-Id'),
  chargeableUserIdentity: octets(89, 'Chargeable-User-Identity'),
  nasIpv6Address: ipv6(95, 'NAS-IPv6-Address'),
  framedInterfaceId: octets(96, 'Framed-Interface-Id', 8),
  framedIpv6Prefix: ipv6Prefix(97, 'Framed-IPv6-Prefix'),
  errorCause: integer(101, 'Error-Cause'),
  delegatedIpv6Prefix: ipv6Prefix(123, 'Delegated-IPv6-Prefix'),
  framedIpv6Address: ipv6(168, 'Framed-IPv6-Address'),

  // 3GPP TS 29.061 §16.4.7.
  imsi: threeGpp('text', 1, '3GPP-IMSI'),
  chargingId: threeGpp('integer', 2, '3GPP-Charging-ID'),
  pdpType: threeGpp('integer', 3, '3GPP-PDP-Type'),
  chargingGatewayAddress: threeGpp('ipv4', 4, '3GPP-Charging-Gateway-Address'),
  negotiatedQos: threeGpp('text', 5, '3GPP-GPRS-Negotiated-QoS-profile'),
  sgsnAddress: threeGpp('ipv4', 6, '3GPP-SGSN-Address'),
  ggsnAddress: threeGpp('ipv4', 7, '3GPP-GGSN-Address'),
  imsiMccMnc: threeGpp('text', 8, '3GPP-IMSI-MCC-MNC'),
  ggsnMccMnc: threeGpp('text', 9, '3GPP-GGSN-MCC-MNC'),
  nsapi: threeGpp('text', 10, '3GPP-NSAPI'),
  sessionStopIndicator: threeGpp('byte', 11, '3GPP-Session-Stop-Indicator'),
  selectionMode: threeGpp('text', 12, '3GPP-Selection-Mode'),
  chargingCharacteristics: threeGpp('text', 13, '3GPP-Charging-Characteristics'),
  sgsnIpv6Address: threeGpp('ipv6', 15, '3GPP-SGSN-IPv6-Address'),
  ggsnIpv6Address: threeGpp('ipv6', 16, '3GPP-GGSN-IPv6-Address'),
  sgsnMccMnc: threeGpp('text', 18, '3GPP-SGSN-MCC-MNC'),
  teardownIndicator: threeGpp('byte', 19, '3GPP-Teardown-Indicator'),
  imeisv: threeGpp('octets', 20, '3GPP-IMEISV'),
  ratType: threeGpp('byte', 21, '3GPP-RAT-Type'),
  userLocationInfo: threeGpp('octets', 22, '3GPP-User-Location-Info'),
  msTimeZone: threeGpp('octets', 23, '3GPP-MS-TimeZone'),
  negotiatedDscp: threeGpp('byte', 26, '3GPP-Negotiated-DSCP'),

  // Rates have no standard attribute; these two are what most gateways understand (bits per second; rx/tx text).
  wisprBandwidthMaxUp: ofVendor({ vendor: vendor.wispr, kind: 'integer' }, 7, 'WISPr-Bandwidth-Max-Up'),
  wisprBandwidthMaxDown: ofVendor({ vendor: vendor.wispr, kind: 'integer' }, 8, 'WISPr-Bandwidth-Max-Down'),
  mikrotikRateLimit: ofVendor({ vendor: vendor.mikrotik, kind: 'text' }, 8, 'Mikrotik-Rate-Limit'),
} as const;

export type AttributeName = keyof typeof attribute;

const kindLength: Record<AttributeKind, readonly [least: number, most: number]> = {
  text: [0, 253],
  sessionId: [0, 253],
  octets: [0, 253],
  integer: [4, 4],
  byte: [1, 1],
  time: [4, 4],
  ipv4: [4, 4],
  ipv6: [16, 16],
  ipv6Prefix: [2, 18],
};

/** Minimum and maximum length of a value, by standard type; decoding refuses packets with other lengths. */
export const minLength = new Uint8Array(256).fill(0);
export const maxLength = new Uint8Array(256).fill(253);

for (const { vendor: id, type, kind, size } of Object.values<AttributeDefinition>(attribute)) {
  if (id === 0) {
    minLength[type] = size ?? kindLength[kind][0];
    maxLength[type] = size ?? kindLength[kind][1];
  }
}

export const acctStatusType = {
  start: 1,
  stop: 2,
  interimUpdate: 3,
  accountingOn: 7,
  accountingOff: 8,
} as const;

/** Acct-Terminate-Cause, RFC 2866 §5.10. */
export const terminateCause = {
  userRequest: 1,
  lostCarrier: 2,
  lostService: 3,
  idleTimeout: 4,
  sessionTimeout: 5,
  adminReset: 6,
  adminReboot: 7,
  portError: 8,
  nasError: 9,
  nasRequest: 10,
  nasReboot: 11,
  portUnneeded: 12,
  portPreempted: 13,
  portSuspended: 14,
  serviceUnavailable: 15,
  callback: 16,
  userError: 17,
  hostRequest: 18,
} as const;

const causeNames = new Map<number, string>([
  [1, 'User-Request'],
  [2, 'Lost-Carrier'],
  [3, 'Lost-Service'],
  [4, 'Idle-Timeout'],
  [5, 'Session-Timeout'],
  [6, 'Admin-Reset'],
  [7, 'Admin-Reboot'],
  [8, 'Port-Error'],
  [9, 'NAS-Error'],
  [10, 'NAS-Request'],
  [11, 'NAS-Reboot'],
  [12, 'Port-Unneeded'],
  [13, 'Port-Preempted'],
  [14, 'Port-Suspended'],
  [15, 'Service-Unavailable'],
  [16, 'Callback'],
  [17, 'User-Error'],
  [18, 'Host-Request'],
]);

export const terminateCauseName = (cause: number): string => causeNames.get(cause) ?? `Cause-${cause}`;

/** Error-Cause, RFC 5176 §3.5. */
export const errorCause = {
  residualContextRemoved: 201,
  unsupportedAttribute: 401,
  missingAttribute: 402,
  nasIdentificationMismatch: 403,
  invalidRequest: 404,
  unsupportedService: 405,
  administrativelyProhibited: 501,
  sessionContextNotFound: 503,
  resourcesUnavailable: 506,
  multipleSessionSelectionUnsupported: 508,
} as const;

/** Values of the few other enumerations that a gateway of an APN sends. */
export const serviceType = { framed: 2 } as const;
export const framedProtocol = { gprsPdpContext: 7 } as const;
export const nasPortType = { virtual: 5, wirelessOther: 18 } as const;
