/** Packet codes in use: RFC 2865 §3, RFC 2866 §3, RFC 5176 §3, RFC 5997 §2. */
export const radiusCode = {
  accessRequest: 1,
  accessAccept: 2,
  accessReject: 3,
  accountingRequest: 4,
  accountingResponse: 5,
  accessChallenge: 11,
  statusServer: 12,
  disconnectRequest: 40,
  disconnectAck: 41,
  disconnectNak: 42,
  coaRequest: 43,
  coaAck: 44,
  coaNak: 45,
} as const;

export type RadiusCode = (typeof radiusCode)[keyof typeof radiusCode];

const names = new Map<number, string>([
  [1, 'Access-Request'],
  [2, 'Access-Accept'],
  [3, 'Access-Reject'],
  [4, 'Accounting-Request'],
  [5, 'Accounting-Response'],
  [11, 'Access-Challenge'],
  [12, 'Status-Server'],
  [40, 'Disconnect-Request'],
  [41, 'Disconnect-ACK'],
  [42, 'Disconnect-NAK'],
  [43, 'CoA-Request'],
  [44, 'CoA-ACK'],
  [45, 'CoA-NAK'],
]);

/** The name for logs and metrics; an unknown code becomes `Code-N`. */
export const codeName = (code: number): string => names.get(code) ?? `Code-${code}`;

export const isKnownCode = (code: number): code is RadiusCode => names.has(code);

/**
 * How the Request Authenticator of a request code is formed: random (RFC 2865 §3, RFC 5997 §3), or an MD5 over
 * the packet with sixteen zero octets in its place (RFC 2866 §3, RFC 5176 §2.3).
 */
export const isHashedRequest = (code: number): boolean =>
  code === radiusCode.accountingRequest ||
  code === radiusCode.disconnectRequest ||
  code === radiusCode.coaRequest;

const replies: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  [radiusCode.accessRequest, [radiusCode.accessAccept, radiusCode.accessReject, radiusCode.accessChallenge]],
  [radiusCode.accountingRequest, [radiusCode.accountingResponse]],
  // RFC 5997 §4.2: the reply depends on the port: Access-Accept on 1812, Accounting-Response on 1813.
  [radiusCode.statusServer, [radiusCode.accessAccept, radiusCode.accountingResponse]],
  [radiusCode.disconnectRequest, [radiusCode.disconnectAck, radiusCode.disconnectNak]],
  [radiusCode.coaRequest, [radiusCode.coaAck, radiusCode.coaNak]],
]);

/** Whether a packet of code `reply` may be the reply to a request of code `request`. */
export const isReplyTo = (request: number, reply: number): boolean =>
  replies.get(request)?.includes(reply) ?? false;

/** Access codes always carry Message-Authenticator (RFC 3579 §3.2, and as protection against forged Access-Accepts). */
export const isAccessCode = (code: number): boolean =>
  code === radiusCode.accessRequest ||
  code === radiusCode.accessAccept ||
  code === radiusCode.accessReject ||
  code === radiusCode.accessChallenge ||
  code === radiusCode.statusServer;
