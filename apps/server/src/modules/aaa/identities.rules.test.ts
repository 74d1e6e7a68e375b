import { AttributeWriter, attribute, decodePacket, encodeRequest, radiusCode } from '@simcube/radius';
import { describe, expect, it } from 'vitest';
import { candidatesOf, classOf, firstFound, identityOf } from './identities.rules.ts';

const packetWith = (...classes: readonly string[]) => {
  const attributes = new AttributeWriter();
  for (const one of classes) attributes.add(attribute.class, Buffer.from(one));
  const secret = Buffer.from('secret');
  const decoded = decodePacket(
    encodeRequest({ code: radiusCode.accountingRequest, identifier: 1, secret, attributes }),
  );
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.packet;
};

describe('the identity in a packet', () => {
  it.each([
    [{ imsi: '262021234567890', userName: '491511234567' }, 'imsi:262021234567890'],
    [{ userName: '262021234567890' }, 'any:262021234567890'],
    [{ userName: '0262021234567890@wlan.mnc002.mcc262.3gppnetwork.org' }, 'any:262021234567890'],
    [{ userName: 'realm/262021234567890' }, 'any:262021234567890'],
    [{ userName: 'somebody', callingStationId: '+491511234567' }, 'any:491511234567'],
    [{ userName: '100200', callingStationId: '+491511234567' }, 'any:100200 any:491511234567'],
    [{ userName: '491511234567', callingStationId: '491511234567' }, 'any:491511234567'],
    [{ userName: 'somebody' }, undefined],
    [{ userName: '1234' }, undefined],
    [{}, undefined],
  ])('of %j is %s', (names, identity) => {
    expect(identityOf(names, packetWith())).toBe(identity);
  });

  it('is last the Class of an Accept, among those that proxies added, and nothing like it', () => {
    const imsi = '262021234567890';
    const own = classOf(imsi).toString();
    expect(identityOf({}, packetWith('of a proxy', own))).toBe(`imsi:${imsi}`);
    expect(identityOf({ userName: '100200' }, packetWith(own))).toBe(`any:100200 imsi:${imsi}`);
    expect(identityOf({ imsi: '262020000000001' }, packetWith(own))).toBe('imsi:262020000000001');
    for (const other of [
      'any:491511234567',
      `imsi:${imsi}9`,
      `imsi:${imsi} any:1`,
      `x${own}`,
      `${own}\n`,
      'imsi:',
      imsi,
    ])
      expect(identityOf({}, packetWith(other))).toBeUndefined();
  });
});

describe('an identity', () => {
  const found = new Map([
    ['any:491511234567', 1],
    ['imsi:262021234567890', 2],
  ]);

  it('finds what its first known candidate finds', () => {
    expect(firstFound('any:100200 any:491511234567 imsi:262021234567890', found)).toBe(1);
    expect(firstFound('imsi:262021234567890', found)).toBe(2);
    expect(firstFound('any:262021234567890 any:100200', found)).toBeUndefined();
  });

  it('is looked up by all of its candidates, each once', () => {
    expect(candidatesOf(['any:1 imsi:2', 'imsi:2', 'any:3 any:1'])).toEqual(['any:1', 'imsi:2', 'any:3']);
  });
});
