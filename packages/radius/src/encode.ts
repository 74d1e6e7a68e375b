import { randomBytes } from 'node:crypto';
import type { AttributeWriter } from './attribute-values.ts';
import { attribute } from './attributes.ts';
import { signRequest, signResponse } from './authenticators.ts';
import { isAccessCode, isHashedRequest, type RadiusCode } from './codes.ts';
import { HEADER_LENGTH, type RadiusPacket } from './packet.ts';

const MESSAGE_AUTHENTICATOR = attribute.messageAuthenticator.type;

export interface RequestToEncode {
  code: RadiusCode;
  identifier: number;
  secret: Uint8Array;
  attributes: AttributeWriter;
  /** Sixteen octets; random by default. Needed in advance to hide a password. Ignored for hashed codes. */
  authenticator?: Uint8Array;
  /** Default: true for Access-Request and Status-Server. */
  messageAuthenticator?: boolean;
}

/** A signed request. Message-Authenticator is the first attribute, so that no prefix chosen by an attacker can precede it. */
export function encodeRequest(request: RequestToEncode): Buffer {
  const { code, identifier, secret, attributes } = request;
  const signed = request.messageAuthenticator ?? isAccessCode(code);
  const raw = assemble({ code, identifier, signed, attributes: attributes.bytes, proxyStates: none });
  if (!isHashedRequest(code)) raw.set(request.authenticator ?? randomBytes(16), 4);
  signRequest({ raw, secret, messageAuthenticatorAt: signed ? HEADER_LENGTH + 2 : -1 });
  return raw;
}

export interface ResponseToEncode {
  code: RadiusCode;
  request: RadiusPacket;
  secret: Uint8Array;
  attributes: AttributeWriter;
  /** Default: true for the Access codes, and if the request had one. */
  messageAuthenticator?: boolean;
}

/** A signed response, with the request's identifier and its Proxy-States echoed in order. Always fits. */
export function encodeResponse(response: ResponseToEncode): Buffer {
  const { code, request, secret, attributes } = response;
  const signed = response.messageAuthenticator ?? (isAccessCode(code) || request.hasMessageAuthenticator);
  const raw = assemble({
    code,
    identifier: request.identifier,
    signed,
    attributes: attributes.bytes,
    proxyStates: request.proxyStates(),
  });
  signResponse({
    raw,
    secret,
    messageAuthenticatorAt: signed ? HEADER_LENGTH + 2 : -1,
    requestAuthenticator: request.authenticator,
  });
  return raw;
}

const none = Buffer.alloc(0);

interface Parts {
  code: number;
  identifier: number;
  signed: boolean;
  attributes: Buffer;
  proxyStates: Buffer;
}

function assemble({ code, identifier, signed, attributes, proxyStates }: Parts): Buffer {
  const body = HEADER_LENGTH + (signed ? 18 : 0);
  // From the pool, with every octet overwritten: allocating a separate small buffer costs more than signing.
  const raw = Buffer.allocUnsafe(body + attributes.length + proxyStates.length).fill(0, 0, body);
  raw[0] = code;
  raw[1] = identifier;
  raw.writeUInt16BE(raw.length, 2);
  if (signed) {
    raw[HEADER_LENGTH] = MESSAGE_AUTHENTICATOR;
    raw[HEADER_LENGTH + 1] = 18;
  }
  attributes.copy(raw, body);
  proxyStates.copy(raw, body + attributes.length);
  return raw;
}
