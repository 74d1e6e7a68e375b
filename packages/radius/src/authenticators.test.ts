import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AttributeWriter,
  answerChap,
  attribute,
  decodePacket,
  encodeRequest,
  encodeResponse,
  equalInConstantTime,
  hideUserPassword,
  radiusCode,
  readAttribute,
  unhideUserPassword,
  verifyChap,
  verifyRequest,
  verifyResponse,
} from './index.ts';

const secret = Buffer.from('xyzzy5461');

/** RFC 2865 §7.1: user nemo, password arctangent, secret xyzzy5461. */
const rfcRequest = Buffer.from(
  '010000380f403f9473978057bd83d5cb98f4227a01066e656d6f02120dbe708d93d413ce3196e43f782a0aee0406c0a8011005060000' +
    '0003',
  'hex',
);
const rfcAccept = Buffer.from(
  '0200002686fe220e7624ba2a1005f6bf9b55e0b20606000000010f06000000000e06c0a80103',
  'hex',
);

function decoded(raw: Buffer) {
  const result = decodePacket(raw);
  if (!result.ok) throw new Error(result.reason);
  return result.packet;
}

describe('the worked example of RFC 2865', () => {
  it('decrypts and encrypts its password', () => {
    const packet = decoded(rfcRequest);
    const hiding = { secret, requestAuthenticator: packet.authenticator };
    const hidden = readAttribute(packet, attribute.userPassword) ?? Buffer.alloc(0);
    expect(unhideUserPassword(hidden, hiding)?.toString()).toBe('arctangent');
    expect(hideUserPassword('arctangent', hiding)).toEqual(Buffer.from(hidden));
  });

  it('verifies its Response Authenticator', () => {
    const packet = decoded(rfcAccept);
    const requestAuthenticator = decoded(rfcRequest).authenticator;
    expect(verifyResponse({ packet, secret, requestAuthenticator })).toBeUndefined();
    expect(verifyResponse({ packet, secret, requestAuthenticator, requireMessageAuthenticator: true })).toBe(
      'message-authenticator-missing',
    );
  });
});

describe('authenticators', () => {
  const everyRequest = [
    radiusCode.accessRequest,
    radiusCode.accountingRequest,
    radiusCode.statusServer,
    radiusCode.disconnectRequest,
    radiusCode.coaRequest,
  ];
  const attributes = new AttributeWriter().add(attribute.userName, 'nemo').add(attribute.nasPort, 3);

  it.each(everyRequest)('of code %i detect any changed octet', (code) => {
    const raw = encodeRequest({ code, identifier: 3, secret, attributes, messageAuthenticator: true });
    expect(
      verifyRequest({ packet: decoded(raw), secret, requireMessageAuthenticator: true }),
    ).toBeUndefined();
    for (let at = 4; at < raw.length; at += 1) {
      const changed = Buffer.from(raw);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      const result = decodePacket(changed);
      const isRefused =
        !result.ok ||
        verifyRequest({ packet: result.packet, secret, requireMessageAuthenticator: true }) !== undefined;
      expect(isRefused, `octet ${at}`).toBe(true);
    }
  });

  it('require Message-Authenticator if configured, and always for Status-Server', () => {
    const of = (code: 1 | 4 | 12) =>
      decoded(encodeRequest({ code, identifier: 3, secret, attributes, messageAuthenticator: false }));
    expect(verifyRequest({ packet: of(1), secret })).toBeUndefined();
    expect(verifyRequest({ packet: of(1), secret, requireMessageAuthenticator: true })).toBe(
      'message-authenticator-missing',
    );
    expect(verifyRequest({ packet: of(4), secret })).toBeUndefined();
    expect(verifyRequest({ packet: of(12), secret })).toBe('message-authenticator-missing');
  });

  it('detect a wrong Message-Authenticator with a valid Response Authenticator', () => {
    const request = decoded(
      encodeRequest({ code: radiusCode.accessRequest, identifier: 3, secret, attributes }),
    );
    const forged = new AttributeWriter().add(attribute.messageAuthenticator, Buffer.alloc(16, 7));
    const response = encodeResponse({
      code: radiusCode.accessAccept,
      request,
      secret,
      attributes: forged,
      messageAuthenticator: false,
    });
    expect(
      verifyResponse({ packet: decoded(response), secret, requestAuthenticator: request.authenticator }),
    ).toBe('message-authenticator-wrong');
  });

  it('put Message-Authenticator first in every Access packet', () => {
    const request = encodeRequest({ code: radiusCode.accessRequest, identifier: 3, secret, attributes });
    const response = encodeResponse({
      code: radiusCode.accessReject,
      request: decoded(request),
      secret,
      attributes,
    });
    expect([request[20], response[20]]).toEqual([80, 80]);
  });
});

describe('passwords', () => {
  const requestAuthenticator = Buffer.alloc(16, 9);

  it('are decrypted after encryption, up to 128 octets', () => {
    const password = fc.string({ maxLength: 128 }).filter((text) => !text.endsWith('\0'));
    fc.assert(
      fc.property(password, (text) => {
        const hidden = hideUserPassword(text, { secret, requestAuthenticator });
        const plain = hidden && unhideUserPassword(hidden, { secret, requestAuthenticator });
        return Buffer.byteLength(text) > 128 ? hidden === undefined : plain?.toString() === text;
      }),
    );
    expect(hideUserPassword('x'.repeat(129), { secret, requestAuthenticator })).toBeUndefined();
    expect(unhideUserPassword(Buffer.alloc(17), { secret, requestAuthenticator })).toBeUndefined();
    expect(unhideUserPassword(Buffer.alloc(144), { secret, requestAuthenticator })).toBeUndefined();
  });

  it('are verified by CHAP', () => {
    const challenge = Buffer.from('a challenge');
    const password = Buffer.from('arctangent');
    const chapPassword = answerChap({ identifier: 5, challenge, password });
    expect(verifyChap({ chapPassword, challenge, password })).toBe(true);
    expect(verifyChap({ chapPassword, challenge, password: Buffer.from('other') })).toBe(false);
    expect(verifyChap({ chapPassword: chapPassword.subarray(1), challenge, password })).toBe(false);
  });

  it('are compared by length and content', () => {
    expect(equalInConstantTime(Buffer.from('ab'), Buffer.from('abc'))).toBe(false);
    expect(equalInConstantTime(Buffer.from('abd'), Buffer.from('abc'))).toBe(false);
    expect(equalInConstantTime(Buffer.from('abc'), Buffer.from('abc'))).toBe(true);
  });
});
