import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { isHashedRequest, radiusCode } from './codes.ts';
import type { RadiusPacket } from './packet.ts';

const ZEROS = Buffer.alloc(16);

/** Compares in constant time, so that timing does not reveal where the contents differ. */
export const equalInConstantTime = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right);

interface Signing {
  /** The whole packet, with a zero value of Message-Authenticator; modified in place. */
  raw: Buffer;
  secret: Uint8Array;
  /** Offset of the value of Message-Authenticator, or -1. */
  messageAuthenticatorAt: number;
}

/**
 * Fills in Message-Authenticator and, for the hashed codes, the Request Authenticator. RFC 3579 §3.2 computes the former
 * over the authenticator as sent. For Accounting, CoA and Disconnect that is not known yet, so it is computed over sixteen
 * zeros (RFC 5176 §3.4 requires this for CoA and Disconnect, FreeRADIUS and others do it for accounting); the MD5 of the
 * Request Authenticator then includes the result.
 */
export function signRequest({ raw, secret, messageAuthenticatorAt }: Signing): void {
  const hashed = isHashedRequest(raw[0] ?? 0);
  if (hashed) ZEROS.copy(raw, 4);
  if (messageAuthenticatorAt >= 0) hmac(secret, raw).copy(raw, messageAuthenticatorAt);
  if (hashed) raw.write(packetMd5(raw, secret), 4, 'latin1');
}

/** Fills in Message-Authenticator and the Response Authenticator, both over the request's authenticator. */
export function signResponse(signing: Signing & { requestAuthenticator: Uint8Array }): void {
  const { raw, secret, messageAuthenticatorAt, requestAuthenticator } = signing;
  raw.set(requestAuthenticator, 4);
  if (messageAuthenticatorAt >= 0) hmac(secret, raw).copy(raw, messageAuthenticatorAt);
  raw.write(packetMd5(raw, secret), 4, 'latin1');
}

export const verifyFailures = [
  'authenticator-wrong',
  'message-authenticator-wrong',
  'message-authenticator-missing',
] as const;

export type VerifyFailure = (typeof verifyFailures)[number];

export interface Verifying {
  packet: RadiusPacket;
  secret: Uint8Array;
  /** Refuse a packet without Message-Authenticator. Status-Server without it is always refused (RFC 5997 §3). */
  requireMessageAuthenticator?: boolean;
}

/** The error in a received request's authenticators, or undefined if they are correct. */
export function verifyRequest(verifying: Verifying): VerifyFailure | undefined {
  const { packet, secret } = verifying;
  const { raw, code } = packet;
  const hashed = isHashedRequest(code);
  if (hashed && !isSignedWith(packet, packetMd5(raw, secret, ZEROS))) {
    return 'authenticator-wrong';
  }
  const required = verifying.requireMessageAuthenticator === true || code === radiusCode.statusServer;
  return verifyMessage({ packet, secret, required, authenticator: hashed ? ZEROS : packet.authenticator });
}

/** The error in a received response to a request with this authenticator, or undefined if it is correct. */
export function verifyResponse(
  verifying: Verifying & { requestAuthenticator: Uint8Array },
): VerifyFailure | undefined {
  const { packet, secret, requestAuthenticator } = verifying;
  if (!isSignedWith(packet, packetMd5(packet.raw, secret, requestAuthenticator))) {
    return 'authenticator-wrong';
  }
  const required = verifying.requireMessageAuthenticator === true;
  return verifyMessage({ packet, secret, required, authenticator: requestAuthenticator });
}

interface MessageCheck {
  packet: RadiusPacket;
  secret: Uint8Array;
  required: boolean;
  /** Contents of the authenticator field at the time of signing. */
  authenticator: Uint8Array;
}

function verifyMessage({ packet, secret, required, authenticator }: MessageCheck): VerifyFailure | undefined {
  const at = packet.messageAuthenticatorAt;
  if (at < 0) return required ? 'message-authenticator-missing' : undefined;
  const { raw } = packet;
  const length = raw.length;
  raw.copy(scratch, 0);
  scratch.set(authenticator, 4);
  scratch.fill(0, at, at + 16);
  const expected = hmac(secret, scratch.subarray(0, length));
  return equalInConstantTime(expected, raw.subarray(at, at + 16)) ? undefined : 'message-authenticator-wrong';
}

/** Buffer for one packet and a secret: both MD5 inputs are assembled here, because one call is twice as fast as updates. */
const MAX_SECRET = 1024;
const scratch = Buffer.alloc(4096 + MAX_SECRET);

const expected = Buffer.alloc(16);

/** Whether an MD5 from `packetMd5` equals the packet's authenticator field. */
function isSignedWith(packet: RadiusPacket, md5: string): boolean {
  expected.write(md5, 'latin1');
  return timingSafeEqual(expected, packet.authenticator);
}

/**
 * MD5 over packet and secret, with `authenticator` in its field if given. Returns one character per octet: allocating a
 * buffer for each of the two digests of a request costs more than the digest.
 */
function packetMd5(raw: Buffer, secret: Uint8Array, authenticator?: Uint8Array): string {
  if (secret.length > MAX_SECRET) throw new RangeError('A RADIUS secret has at most 1024 octets');
  raw.copy(scratch, 0);
  if (authenticator !== undefined) scratch.set(authenticator, 4);
  scratch.set(secret, raw.length);
  return hash('md5', scratch.subarray(0, raw.length + secret.length), 'binary');
}

const hmac = (secret: Uint8Array, octets: Uint8Array): Buffer =>
  createHmac('md5', secret).update(octets).digest();

const md5 = (...parts: Uint8Array[]): Buffer => hash('md5', Buffer.concat(parts), 'buffer');

interface Hiding {
  secret: Uint8Array;
  requestAuthenticator: Uint8Array;
}

/** User-Password as sent (RFC 2865 §5.2): blocks of sixteen XORed with a chain of MD5. Undefined past 128 octets. */
export function hideUserPassword(
  password: string,
  { secret, requestAuthenticator }: Hiding,
): Buffer | undefined {
  const plain = Buffer.from(password, 'utf8');
  if (plain.length > 128) return undefined;
  const hidden = Buffer.alloc(Math.max(16, Math.ceil(plain.length / 16) * 16));
  plain.copy(hidden);
  let previous = requestAuthenticator;
  for (let at = 0; at < hidden.length; at += 16) {
    const mask = md5(secret, previous);
    for (let i = 0; i < 16; i += 1) hidden[at + i] = (hidden[at + i] ?? 0) ^ (mask[i] ?? 0);
    previous = hidden.subarray(at, at + 16);
  }
  return hidden;
}

/** The octets of a hidden User-Password without trailing NULs; undefined if its length is not possible. */
export function unhideUserPassword(
  hidden: Uint8Array,
  { secret, requestAuthenticator }: Hiding,
): Buffer | undefined {
  if (hidden.length < 16 || hidden.length > 128 || hidden.length % 16 !== 0) return undefined;
  const plain = Buffer.alloc(hidden.length);
  let previous = requestAuthenticator;
  for (let at = 0; at < hidden.length; at += 16) {
    const mask = md5(secret, previous);
    for (let i = 0; i < 16; i += 1) plain[at + i] = (hidden[at + i] ?? 0) ^ (mask[i] ?? 0);
    previous = hidden.subarray(at, at + 16);
  }
  let end = plain.length;
  while (end > 0 && plain[end - 1] === 0) end -= 1;
  return plain.subarray(0, end);
}

export interface ChapCheck {
  /** The value of CHAP-Password: one octet of identifier, sixteen of response. */
  chapPassword: Uint8Array;
  /** CHAP-Challenge, or the Request Authenticator if that attribute is absent (RFC 2865 §2.2). */
  challenge: Uint8Array;
  password: Uint8Array;
}

export function verifyChap({ chapPassword, challenge, password }: ChapCheck): boolean {
  if (chapPassword.length !== 17) return false;
  const expected = md5(chapPassword.subarray(0, 1), password, challenge);
  return equalInConstantTime(expected, chapPassword.subarray(1));
}

/** The value of CHAP-Password that a peer sends for a password. */
export function answerChap(answer: {
  identifier: number;
  challenge: Uint8Array;
  password: Uint8Array;
}): Buffer {
  const identifier = Buffer.of(answer.identifier);
  return Buffer.concat([identifier, md5(identifier, answer.password, answer.challenge)]);
}
