import {
  AttributeWriter,
  acctStatusType,
  attribute,
  encodeRequest,
  encodeUserLocation,
  radiusCode,
} from '../index.ts';

export const sampleSecret = Buffer.from('sample-secret');

/** Twenty attributes as a packet gateway sends them in an Interim-Update. */
export function sampleInterim(index = 0, secret: Uint8Array = sampleSecret): Buffer {
  const imsi = String(214_070_000_000_000 + index);
  const attributes = new AttributeWriter()
    .add(attribute.acctStatusType, acctStatusType.interimUpdate)
    .add(attribute.acctSessionId, `GW1-${index.toString(16).padStart(8, '0')}`)
    .add(attribute.userName, imsi)
    .add(attribute.nasIdentifier, 'ggsn-madrid-1')
    .add(attribute.nasIpAddress, '10.1.0.1')
    .add(attribute.framedIpAddress, '10.128.3.7')
    .add(attribute.callingStationId, '34600123456')
    .add(attribute.calledStationId, 'iot.simcube')
    .add(attribute.class, Buffer.from('9f1c3b7e'))
    .add(attribute.acctInputOctets, 1_000_000 + index)
    .add(attribute.acctOutputOctets, 9_000_000 + index)
    .add(attribute.acctInputGigawords, 0)
    .add(attribute.acctOutputGigawords, 1)
    .add(attribute.acctSessionTime, 3_600)
    .add(attribute.eventTimestamp, 1_750_000_000)
    .add(attribute.imsi, imsi)
    .add(attribute.imeisv, Buffer.from('3534900698733153'))
    .add(attribute.ratType, 6)
    .add(attribute.sgsnMccMnc, '21407')
    .add(
      attribute.userLocationInfo,
      encodeUserLocation({ type: 'tai-ecgi', mcc: '214', mnc: '07', tac: 4_660, cellId: 19_088_743 }),
    );
  return encodeRequest({ code: radiusCode.accountingRequest, identifier: index & 0xff, secret, attributes });
}
