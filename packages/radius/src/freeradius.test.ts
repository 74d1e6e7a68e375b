import { describe, expect, it } from 'vitest';
import {
  attribute,
  codeName,
  decodePacket,
  describeAttributes,
  isHashedRequest,
  type RadiusPacket,
  radiusCode,
  readAccounting,
  readAttribute,
  unhideUserPassword,
  verifyRequest,
  verifyResponse,
} from './index.ts';
import { loadRecordedPackets, type RecordedPacket } from './testing/freeradius-fixtures.ts';

const { packets, secret: secretText } = loadRecordedPackets();
const secret = Buffer.from(secretText);
const requests = packets.filter(({ requestHex }) => requestHex === undefined);
const answers = packets.filter(({ requestHex }) => requestHex !== undefined);

/** FreeRADIUS's dictionary names it with one more hyphen. */
const ourName = (name: string): string => (name === '3GPP-MS-Time-Zone' ? '3GPP-MS-TimeZone' : name);

/** Omitted from descriptions; verified separately. */
const secretNames = new Set(['User-Password', 'Message-Authenticator']);

function decoded(hex: string): RadiusPacket {
  const result = decodePacket(Buffer.from(hex, 'hex'));
  if (!result.ok) throw new Error(result.reason);
  return result.packet;
}

function expectAttributes(packet: RadiusPacket, { attributes }: RecordedPacket): void {
  const read = describeAttributes(packet);
  for (const [name, value] of Object.entries(attributes)) {
    if (!secretNames.has(name)) expect(read[ourName(name)], name).toEqual([value]);
  }
}

describe('packets recorded from radclient', () => {
  it('include every code that a gateway or a proxy sends', () => {
    const codes = new Set(requests.map(({ hex }) => codeName(decoded(hex).code)));
    expect(codes).toEqual(
      new Set(['Access-Request', 'Accounting-Request', 'CoA-Request', 'Disconnect-Request', 'Status-Server']),
    );
  });

  it.each(requests)('$name: authenticators and values', (recorded) => {
    const packet = decoded(recorded.hex);
    expect(verifyRequest({ packet, secret })).toBeUndefined();
    expectAttributes(packet, recorded);
    const wrong = Buffer.from('wrong');
    if (isHashedRequest(packet.code))
      expect(verifyRequest({ packet, secret: wrong })).toBe('authenticator-wrong');
  });

  it('contain a password of two blocks that is decrypted', () => {
    const recorded = requests.find(({ name }) => name.includes('password'));
    const packet = decoded(recorded?.hex ?? '');
    const hidden = readAttribute(packet, attribute.userPassword) ?? Buffer.alloc(0);
    const plain = unhideUserPassword(hidden, { secret, requestAuthenticator: packet.authenticator });
    expect(plain?.toString()).toBe(recorded?.attributes['User-Password']);
  });

  it('give the accounting record of an interim update', () => {
    const { hex = '' } = requests.find(({ name }) => name.includes('gigawords')) ?? {};
    expect(readAccounting(decoded(hex))).toMatchObject({
      ok: true,
      record: {
        status: 'interim',
        sessionId: 'S-1',
        imsi: '214070000000001',
        imei: '353490069873319',
        inputOctets: 2 * 2 ** 32 + 4_294_967_295,
        outputOctets: 2 ** 32 + 17,
        sessionSeconds: 3_600,
        eventTimestamp: 1_750_000_000,
        ratType: 6,
        servingNetwork: { mcc: '214', mnc: '07' },
        location: { type: 'tai-ecgi', tac: 0x1234, cellId: 0x0123456f },
        calledStationId: 'iot.simcube',
        nasIdentifier: 'ggsn-madrid-1',
      },
    });
  });
});

describe('responses recorded from FreeRADIUS', () => {
  it.each(answers)('$name: authenticators and values', (recorded) => {
    const packet = decoded(recorded.hex);
    const { authenticator: requestAuthenticator } = decoded(recorded.requestHex ?? '');
    expect(verifyResponse({ packet, secret, requestAuthenticator })).toBeUndefined();
    expect(verifyResponse({ packet, secret: Buffer.from('wrong'), requestAuthenticator })).toBe(
      'authenticator-wrong',
    );
    expectAttributes(packet, recorded);
  });

  it('echo the attributes that a proxy added', () => {
    const { hex = '' } = answers.find(({ name }) => name.startsWith('accounting interim')) ?? {};
    const packet = decoded(hex);
    expect(packet.code).toBe(radiusCode.accountingResponse);
    expect(packet.proxyStates().toString('latin1')).toBe('!\x07first!\x08second');
  });
});
