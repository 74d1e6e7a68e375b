import { type AttributeDefinition, attribute, isKnownVendor, maxLength, minLength } from './attributes.ts';
import { isKnownCode, type RadiusCode } from './codes.ts';

export const HEADER_LENGTH = 20;
export const MAX_PACKET_LENGTH = 4096;
/** Also FreeRADIUS's default (`max_attributes`): far above what gateways send, but a limit for attacks. */
export const MAX_ATTRIBUTES = 200;
/** Each proxy hop adds about twenty octets; more than this is refused, so that the echo always fits a response. */
const MAX_PROXY_STATE_OCTETS = 1024;

const VENDOR_SPECIFIC = 26;
const EMPTY = Buffer.alloc(0);
const PROXY_STATE = attribute.proxyState.type;
const MESSAGE_AUTHENTICATOR = attribute.messageAuthenticator.type;

/** Reasons for refusing a datagram: a closed set, so that a server can count by reason. */
export const decodeFailures = [
  'too-short',
  'length-invalid',
  'code-unknown',
  'attribute-truncated',
  'attribute-length',
  'value-length',
  'vendor-malformed',
  'too-many-attributes',
  'proxy-state-too-long',
  'message-authenticator-repeated',
] as const;

export type DecodeFailure = (typeof decodeFailures)[number];

export type Decoded =
  | { readonly ok: true; readonly packet: RadiusPacket }
  | { readonly ok: false; readonly reason: DecodeFailure };

/** A checked packet: a view of the datagram; nothing is copied, and values are decoded when read. */
export class RadiusPacket {
  /**
   * @param raw exactly the octets of the packet, without trailing padding
   * @param messageAuthenticatorAt offset of the value of Message-Authenticator, -1 if absent
   */
  constructor(
    readonly raw: Buffer,
    readonly messageAuthenticatorAt: number,
  ) {}

  get code(): RadiusCode {
    return this.raw[0] as RadiusCode;
  }

  get identifier(): number {
    return this.raw[1] ?? 0;
  }

  /** The sixteen octets of the authenticator field (a view). */
  get authenticator(): Buffer {
    return this.raw.subarray(4, HEADER_LENGTH);
  }

  get hasMessageAuthenticator(): boolean {
    return this.messageAuthenticatorAt >= 0;
  }

  /** Offset of the next value of an attribute after the value at `after` (0: from the beginning); -1 if there is none. */
  find(definition: Pick<AttributeDefinition, 'type' | 'vendor'>, after = 0): number {
    const { raw } = this;
    const { type, vendor } = definition;
    const outerType = vendor === 0 ? type : VENDOR_SPECIFIC;
    let at = HEADER_LENGTH;
    while (at < raw.length) {
      const end = at + (raw[at + 1] ?? 2);
      if (raw[at] === outerType && end > after) {
        if (vendor === 0) {
          if (at + 2 > after) return at + 2;
        } else if (raw.readUInt32BE(at + 2) === vendor) {
          const found = findSub({ raw, type, from: at + 6, end, after });
          if (found >= 0) return found;
        }
      }
      at = end;
    }
    return -1;
  }

  /** End of the value that begins at an offset returned by `find`. */
  valueEnd(at: number): number {
    return at - 2 + (this.raw[at - 1] ?? 2);
  }

  /** All Proxy-State attributes in order, including their headers, as one sequence of octets (RFC 2865 §5.33). */
  proxyStates(): Buffer {
    const { raw } = this;
    let parts: Buffer[] | undefined;
    for (let at = HEADER_LENGTH; at < raw.length; at += raw[at + 1] ?? 2) {
      if (raw[at] !== PROXY_STATE) continue;
      parts ??= [];
      parts.push(raw.subarray(at, at + (raw[at + 1] ?? 2)));
    }
    return parts ? Buffer.concat(parts) : EMPTY;
  }
}

/**
 * Checks an entire datagram and returns a packet that can be read without further checks. Never throws. Octets beyond the
 * stated length are padding and ignored; a shorter datagram is refused (RFC 2865 §3). Does not check authenticators: see
 * `verifyRequest` and `verifyResponse`.
 */
export function decodePacket(datagram: Buffer): Decoded {
  if (datagram.length < HEADER_LENGTH) return failures['too-short'];
  const length = datagram.readUInt16BE(2);
  if (length < HEADER_LENGTH || length > datagram.length || length > MAX_PACKET_LENGTH) {
    return failures['length-invalid'];
  }
  if (!isKnownCode(datagram[0] ?? 0)) return failures['code-unknown'];
  const raw = length === datagram.length ? datagram : datagram.subarray(0, length);
  let messageAuthenticatorAt = -1;
  let count = 0;
  let proxyOctets = 0;
  let at = HEADER_LENGTH;
  while (at < length) {
    if (length - at < 2) return failures['attribute-truncated'];
    const type = raw[at] ?? 0;
    const size = raw[at + 1] ?? 0;
    if (size < 2) return failures['attribute-length'];
    const end = at + size;
    if (end > length) return failures['attribute-truncated'];
    count += 1;
    if (count > MAX_ATTRIBUTES) return failures['too-many-attributes'];
    const valueLength = size - 2;
    if (valueLength < (minLength[type] ?? 0) || valueLength > (maxLength[type] ?? 253)) {
      return failures['value-length'];
    }
    if (type === VENDOR_SPECIFIC) {
      if (!isVendorWellFormed(raw, at + 2, end)) return failures['vendor-malformed'];
    } else if (type === PROXY_STATE) {
      proxyOctets += size;
      if (proxyOctets > MAX_PROXY_STATE_OCTETS) return failures['proxy-state-too-long'];
    } else if (type === MESSAGE_AUTHENTICATOR) {
      // RFC 3579 §3.3 allows 0-1; a second one would be covered by the signature but never checked.
      if (messageAuthenticatorAt >= 0) return failures['message-authenticator-repeated'];
      messageAuthenticatorAt = at + 2;
    }
    at = end;
  }
  return { ok: true, packet: new RadiusPacket(raw, messageAuthenticatorAt) };
}

/** RFC 2865 §5.26: a vendor id and, for known vendors, complete sub-attributes up to the end. */
function isVendorWellFormed(raw: Buffer, start: number, end: number): boolean {
  if (end - start < 5) return false;
  if (!isKnownVendor(raw.readUInt32BE(start))) return true;
  let at = start + 4;
  while (at < end) {
    if (end - at < 2) return false;
    const size = raw[at + 1] ?? 0;
    if (size < 2 || at + size > end) return false;
    at += size;
  }
  return true;
}

interface SubSearch {
  raw: Buffer;
  type: number;
  from: number;
  end: number;
  after: number;
}

/** Checks sizes again: a definition may name a vendor whose attributes were not checked when decoding. */
function findSub({ raw, type, from, end, after }: SubSearch): number {
  let sub = from;
  while (sub + 2 <= end) {
    const size = raw[sub + 1] ?? 0;
    if (size < 2 || sub + size > end) return -1;
    if (raw[sub] === type && sub + 2 > after) return sub + 2;
    sub += size;
  }
  return -1;
}

/** Preallocated results: a flood of invalid datagrams causes no allocations. */
const failures = Object.fromEntries(
  decodeFailures.map((reason) => [reason, Object.freeze({ ok: false, reason })]),
) as Record<DecodeFailure, { readonly ok: false; readonly reason: DecodeFailure }>;
