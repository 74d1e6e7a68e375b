import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttributeDefinition,
  AttributeWriter,
  attribute,
  decodeFailures,
  decodePacket,
  describeAttributes,
  encodeRequest,
  encodeResponse,
  RadiusEncodeError,
  radiusCode,
  readAccounting,
  readAttribute,
  readAttributes,
  verifyRequest,
  verifyResponse,
  WRITER_CAPACITY,
} from './index.ts';
import { sampleInterim, sampleSecret } from './testing/sample-packets.ts';

const ARBITRARY_RUNS = 30_000;
const ROUND_TRIP_RUNS = 2_000;

const secret = sampleSecret;

function decoded(raw: Buffer) {
  const result = decodePacket(raw);
  if (!result.ok) throw new Error(result.reason);
  return result.packet;
}

/** Everything that a server would do with a received datagram. */
function handle(datagram: Buffer): string {
  const result = decodePacket(datagram);
  if (!result.ok) return result.reason;
  verifyRequest({ packet: result.packet, secret });
  readAccounting(result.packet);
  describeAttributes(result.packet);
  encodeResponse({
    code: radiusCode.accountingResponse,
    request: result.packet,
    secret,
    attributes: new AttributeWriter(),
  });
  return 'ok';
}

const outcomes = new Set<string>(['ok', ...decodeFailures]);

describe('decodePacket on invalid input', () => {
  it('never throws on arbitrary octets and returns a known result', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => outcomes.has(handle(Buffer.from(octets)))),
      { numRuns: ARBITRARY_RUNS },
    );
  });

  it('never throws on arbitrary attributes after a valid header', () => {
    const attributes = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 255 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.integer({ min: -3, max: 3 }),
      ),
      { maxLength: 30 },
    );
    const header = fc.tuple(
      fc.constantFrom(1, 2, 4, 12, 40, 43),
      fc.uint8Array({ minLength: 17, maxLength: 17 }),
    );
    fc.assert(
      fc.property(header, attributes, ([code, rest], list) => {
        const body = list.map(([type, value, skew]) =>
          Buffer.concat([Buffer.of(type, (value.length + 2 + (skew === 3 ? 1 : 0)) & 0xff), value]),
        );
        const datagram = Buffer.concat([Buffer.of(code, 0, 0, 0), rest.subarray(1), ...body]);
        datagram.writeUInt16BE(datagram.length, 2);
        return outcomes.has(handle(datagram));
      }),
      { numRuns: ARBITRARY_RUNS },
    );
  });

  it('never throws on a real packet with changed or missing octets', () => {
    const sample = sampleInterim();
    const change = fc.tuple(fc.nat(sample.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.nat(sample.length), (changes, length) => {
        const datagram = Buffer.from(sample);
        for (const [at, octet] of changes) datagram[at] = octet;
        return outcomes.has(handle(datagram)) && outcomes.has(handle(datagram.subarray(0, length)));
      }),
      { numRuns: ARBITRARY_RUNS },
    );
  });

  const header = (length: number, code = 4): Buffer => {
    const raw = Buffer.alloc(20);
    raw[0] = code;
    raw.writeUInt16BE(length, 2);
    return raw;
  };
  const packet = (code: number, ...attributes: number[][]): Buffer => {
    const body = Buffer.from(attributes.flat());
    return Buffer.concat([header(20 + body.length, code), body]);
  };

  it.each([
    ['too-short', Buffer.alloc(19)],
    ['length-invalid', header(19)],
    ['length-invalid', header(21)],
    ['length-invalid', Buffer.concat([header(4097), Buffer.alloc(4077)])],
    ['code-unknown', header(20, 6)],
    ['attribute-truncated', packet(4, [1])],
    ['attribute-truncated', packet(4, [1, 5, 65])],
    ['attribute-length', packet(4, [1, 1, 65])],
    ['attribute-length', packet(4, [1, 0])],
    ['value-length', packet(4, [40, 5, 0, 0, 1])],
    ['value-length', packet(1, [80, 6, 0, 0, 0, 0])],
    ['vendor-malformed', packet(4, [26, 6, 0, 0, 40, 175])],
    ['vendor-malformed', packet(4, [26, 9, 0, 0, 40, 175, 1, 9, 50])],
    ['vendor-malformed', packet(4, [26, 9, 0, 0, 40, 175, 1, 0, 50])],
    ['vendor-malformed', packet(4, [26, 8, 0, 0, 40, 175, 1, 2].concat([]), [26, 7, 0, 0, 40, 175, 1])],
    ['too-many-attributes', packet(4, ...Array.from({ length: 201 }, () => [1, 3, 65]))],
    [
      'proxy-state-too-long',
      packet(4, ...Array.from({ length: 5 }, () => [33, 255, ...new Array<number>(253).fill(1)])),
    ],
    [
      'message-authenticator-repeated',
      packet(1, [80, 18, ...new Array<number>(16).fill(0)], [80, 18, ...new Array<number>(16).fill(0)]),
    ],
  ] as const)('rejects: %s', (reason, datagram) => {
    expect(decodePacket(datagram)).toEqual({ ok: false, reason });
  });

  it('ignores padding after the stated length, and unknown vendors', () => {
    const raw = packet(4, [26, 8, 0, 0, 0, 1, 9, 200]);
    const { raw: view } = decoded(Buffer.concat([raw, Buffer.alloc(7)]));
    expect(view.length).toBe(raw.length);
    expect(decoded(raw).find({ vendor: 1, type: 9 })).toBe(-1);
  });
});

/** A definition with a value that is valid for its kind. */
const attributeAndValue = fc
  .constantFrom(...Object.values<AttributeDefinition>(attribute))
  .filter(({ name }) => name !== 'Message-Authenticator' && name !== 'Proxy-State')
  .chain((definition) => valueFor(definition).map((value) => ({ definition, value })));

function valueFor({ kind, size }: AttributeDefinition): fc.Arbitrary<string | number | Uint8Array> {
  switch (kind) {
    case 'text':
    case 'sessionId':
      return fc.string({ maxLength: 60 }).map((text) => text.replaceAll('\0', ''));
    case 'octets':
      return fc
        .uint8Array({ minLength: size ?? 0, maxLength: size ?? 60 })
        .map((octets) => Buffer.from(octets));
    case 'integer':
    case 'time':
      return fc.integer({ min: 0, max: 0xffff_ffff });
    case 'byte':
      return fc.integer({ min: 0, max: 255 });
    case 'ipv4':
      return fc.ipV4();
    case 'ipv6':
      return fc.constantFrom('::', '::1', '2001:db8::1:0:0:1', 'fe80::1', '1:2:3:4:5:6:7:8');
    case 'ipv6Prefix':
      return fc.constantFrom('2001:db8::/32', '2001:db8:1:2::/64', '::/0', '2001:db8::1/128');
  }
}

describe('encoding and decoding', () => {
  it('round-trips every value in order, with valid authenticators', () => {
    fc.assert(
      fc.property(
        fc.array(attributeAndValue, { maxLength: 20 }),
        fc.constantFrom(radiusCode.accessRequest, radiusCode.accountingRequest, radiusCode.coaRequest),
        fc.boolean(),
        (list, code, messageAuthenticator) => {
          const attributes = new AttributeWriter();
          for (const { definition, value } of list) attributes.add(definition, value as never);
          const packet = decoded(
            encodeRequest({ code, identifier: 7, secret, attributes, messageAuthenticator }),
          );
          expect(verifyRequest({ packet, secret })).toBeUndefined();
          for (const { definition } of list) {
            const sent = list.filter((entry) => entry.definition === definition).map(({ value }) => value);
            expect(readAttributes(packet, definition)).toEqual(sent);
            expect(readAttribute(packet, definition)).toEqual(sent[0]);
          }
        },
      ),
      { numRuns: ROUND_TRIP_RUNS },
    );
  });

  it('echoes repeated Proxy-States unchanged and in order', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 12 }), (states) => {
        const attributes = new AttributeWriter().add(attribute.userName, 'x');
        for (const state of states)
          attributes.add(attribute.proxyState, state).add(attribute.filterId, 'between');
        const request = decoded(
          encodeRequest({ code: radiusCode.accountingRequest, identifier: 255, secret, attributes }),
        );
        const response = encodeResponse({
          code: radiusCode.accountingResponse,
          request,
          secret,
          attributes: new AttributeWriter(),
        });
        const packet = decoded(response);
        expect(packet.identifier).toBe(255);
        expect(readAttributes(packet, attribute.proxyState)).toEqual(
          states.map((state) => Buffer.from(state)),
        );
        const requestAuthenticator = request.authenticator;
        expect(verifyResponse({ packet, secret, requestAuthenticator })).toBeUndefined();
        expect(verifyResponse({ packet, secret: Buffer.from('other'), requestAuthenticator })).toBe(
          'authenticator-wrong',
        );
      }),
      { numRuns: ROUND_TRIP_RUNS },
    );
  });

  it('reads several vendor attributes from one attribute 26', () => {
    const imsi = Buffer.concat([Buffer.of(1, 17), Buffer.from('214070000000001')]);
    const value = Buffer.concat([Buffer.of(0, 0, 40, 175), imsi, Buffer.of(21, 3, 6)]);
    const attributes = new AttributeWriter().addEncoded(Buffer.of(26, value.length + 2)).addEncoded(value);
    const packet = decoded(
      encodeRequest({ code: radiusCode.accessRequest, identifier: 1, secret, attributes }),
    );
    expect(readAttribute(packet, attribute.imsi)).toBe('214070000000001');
    expect(readAttribute(packet, attribute.ratType)).toBe(6);
  });

  it('reads text without NULs', () => {
    const attributes = new AttributeWriter()
      .add(attribute.userName, 'a\0b\0\0')
      .add(attribute.acctSessionId, 'ñ');
    const packet = decoded(
      encodeRequest({ code: radiusCode.accessRequest, identifier: 1, secret, attributes }),
    );
    expect(readAttribute(packet, attribute.userName)).toBe('a\ufffdb');
    expect(readAttribute(packet, attribute.acctSessionId)).toBe('ñ');
  });

  it('reports what can’t be encoded', () => {
    const writer = new AttributeWriter();
    expect(() => writer.add(attribute.userName, 'x'.repeat(254))).toThrow(RadiusEncodeError);
    expect(() => writer.add(attribute.imsi, 'x'.repeat(248))).toThrow('value-too-long');
    expect(() => writer.add(attribute.framedIpAddress, '10.0.0.256')).toThrow('value-invalid');
    expect(() => writer.add(attribute.acctSessionTime, -1)).toThrow('value-invalid');
    expect(() => {
      for (;;) writer.add(attribute.class, Buffer.alloc(250));
    }).toThrow('packet-too-long');
    expect(writer.length).toBeLessThanOrEqual(WRITER_CAPACITY);
  });

  it('keeps secrets out of descriptions', () => {
    const attributes = new AttributeWriter()
      .add(attribute.userName, 'x')
      .add(attribute.userPassword, Buffer.alloc(16, 1));
    const packet = decoded(
      encodeRequest({ code: radiusCode.accessRequest, identifier: 1, secret, attributes }),
    );
    expect(describeAttributes(packet)).toEqual({ 'User-Name': ['x'] });
  });
});
