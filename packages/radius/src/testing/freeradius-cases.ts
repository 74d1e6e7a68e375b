import {
  AttributeWriter,
  acctStatusType,
  attribute,
  encodeUserLocation,
  errorCause,
  type RadiusCode,
  radiusCode,
} from '../index.ts';
import { openSession, type Radclient } from './freeradius-peer.ts';

export interface RadclientCase {
  name: string;
  command: Radclient['command'];
  /** Attributes that radclient sends, with the names of FreeRADIUS's dictionary. */
  attributes: Record<string, string>;
  /** Expected texts from our dictionary where they differ from what was sent. */
  expected: Record<string, string>;
}

const gateway = {
  'NAS-Identifier': 'ggsn-madrid-1',
  'NAS-IP-Address': '10.1.0.1',
  'Calling-Station-Id': '34600123456',
  'Called-Station-Id': 'iot.simcube',
  '3GPP-IMSI': '214070000000001',
};

const radio = {
  '3GPP-IMEISV': '3534900698733153',
  '3GPP-RAT-Type': 'EUTRAN',
  '3GPP-SGSN-MCC-MNC': '21407',
  '3GPP-User-Location-Info': '0x8212f470123412f4700123456f',
};

const radioReads = {
  '3GPP-IMEISV': '0x33353334393030363938373333313533',
  '3GPP-RAT-Type': '6',
};

/** Packets that FreeRADIUS's radclient sends; our codec must read the same attributes. */
export const radclientCases: RadclientCase[] = [
  {
    name: 'access request with a password',
    command: 'auth',
    attributes: { 'User-Name': 'user@iot', 'User-Password': 'a password longer than sixteen', ...gateway },
    expected: {},
  },
  {
    name: 'accounting start with Proxy-State',
    command: 'acct',
    attributes: {
      'Acct-Status-Type': 'Start',
      'Acct-Session-Id': 'S-1',
      'Framed-IP-Address': '10.128.0.9',
      'Framed-IPv6-Prefix': '2001:db8:1:2::/64',
      'Proxy-State': '0x0a0b0c',
      Class: '0x0102030405',
      ...gateway,
      ...radio,
    },
    expected: { 'Acct-Status-Type': '1', ...radioReads },
  },
  {
    name: 'interim update with gigawords',
    command: 'acct',
    attributes: {
      'Acct-Status-Type': 'Interim-Update',
      'Acct-Session-Id': 'S-1',
      'Acct-Input-Octets': '4294967295',
      'Acct-Input-Gigawords': '2',
      'Acct-Output-Octets': '17',
      'Acct-Output-Gigawords': '1',
      'Acct-Session-Time': '3600',
      'Event-Timestamp': '1750000000',
      '3GPP-Charging-ID': '305419896',
      '3GPP-SGSN-Address': '192.0.2.1',
      '3GPP-GGSN-Address': '192.0.2.2',
      '3GPP-NSAPI': '5',
      '3GPP-Selection-Mode': '0',
      '3GPP-Charging-Characteristics': '0800',
      '3GPP-MS-Time-Zone': '0x4000',
      ...gateway,
      ...radio,
    },
    expected: { 'Acct-Status-Type': '3', ...radioReads },
  },
  {
    name: 'accounting stop',
    command: 'acct',
    attributes: {
      'Acct-Status-Type': 'Stop',
      'Acct-Session-Id': 'S-1',
      'Acct-Terminate-Cause': 'Idle-Timeout',
      'Acct-Input-Octets': '5',
      'Acct-Output-Octets': '7',
      'NAS-IPv6-Address': '2001:db8::5',
      ...gateway,
    },
    expected: { 'Acct-Status-Type': '2', 'Acct-Terminate-Cause': '4' },
  },
  // radclient signs a Status-Server only on request; RFC 5997 §3 always requires it.
  {
    name: 'status server',
    command: 'status',
    attributes: { 'NAS-Identifier': 'proxy', 'Message-Authenticator': '0x00' },
    expected: {},
  },
  {
    name: 'disconnect request',
    command: 'disconnect',
    attributes: { 'Acct-Session-Id': openSession, ...gateway },
    expected: {},
  },
  {
    name: 'change of authorisation',
    command: 'coa',
    attributes: {
      'Acct-Session-Id': openSession,
      'WISPr-Bandwidth-Max-Up': '128000',
      'WISPr-Bandwidth-Max-Down': '256000',
      ...gateway,
    },
    expected: {},
  },
];

export interface ServerCase {
  name: string;
  port: 'authPort' | 'acctPort' | 'coaPort';
  code: RadiusCode;
  attributes: AttributeWriter;
  /** Reply that FreeRADIUS's configuration must send if it reads our packet correctly. */
  answers: { code: RadiusCode; attributes: Record<string, string> };
}

/** Packets that our encoder sends; FreeRADIUS replies as expected only if it reads the values as intended. */
export const serverCases: ServerCase[] = [
  {
    name: 'access request, accepted',
    port: 'authPort',
    code: radiusCode.accessRequest,
    attributes: new AttributeWriter()
      .add(attribute.userName, '34600123456')
      .add(attribute.imsi, '214070000000001')
      .add(attribute.calledStationId, 'iot.simcube'),
    answers: {
      code: radiusCode.accessAccept,
      attributes: {
        'Framed-IP-Address': '10.128.0.9',
        Class: '0x0102030405',
        'Acct-Interim-Interval': '300',
        'Framed-IPv6-Prefix': '2001:db8:1:2::/64',
        'WISPr-Bandwidth-Max-Down': '128000',
      },
    },
  },
  {
    name: 'access request, rejected',
    port: 'authPort',
    code: radiusCode.accessRequest,
    attributes: new AttributeWriter()
      .add(attribute.userName, '34600123456')
      .add(attribute.imsi, '214070000000666'),
    answers: { code: radiusCode.accessReject, attributes: { 'Reply-Message': 'barred' } },
  },
  {
    name: 'accounting interim',
    port: 'acctPort',
    code: radiusCode.accountingRequest,
    attributes: new AttributeWriter()
      .add(attribute.acctStatusType, acctStatusType.interimUpdate)
      .add(attribute.acctSessionId, openSession)
      .add(attribute.imsi, '214070000000001')
      .add(attribute.ratType, 6)
      .add(attribute.sgsnMccMnc, '21407')
      .add(attribute.framedIpAddress, '10.128.0.9')
      .add(attribute.acctInputGigawords, 2)
      .add(attribute.proxyState, Buffer.from('first'))
      .add(attribute.proxyState, Buffer.from('second'))
      .add(
        attribute.userLocationInfo,
        encodeUserLocation({ type: 'tai-ecgi', mcc: '214', mnc: '07', tac: 0x1234, cellId: 0x123456f }),
      ),
    answers: { code: radiusCode.accountingResponse, attributes: {} },
  },
  {
    name: 'status server, authentication port',
    port: 'authPort',
    code: radiusCode.statusServer,
    attributes: new AttributeWriter(),
    answers: { code: radiusCode.accessAccept, attributes: {} },
  },
  {
    name: 'status server, accounting port',
    port: 'acctPort',
    code: radiusCode.statusServer,
    attributes: new AttributeWriter(),
    answers: { code: radiusCode.accountingResponse, attributes: {} },
  },
  {
    name: 'disconnect of an open session',
    port: 'coaPort',
    code: radiusCode.disconnectRequest,
    attributes: new AttributeWriter().add(attribute.acctSessionId, openSession),
    answers: { code: radiusCode.disconnectAck, attributes: {} },
  },
  {
    name: 'disconnect of an unknown session',
    port: 'coaPort',
    code: radiusCode.disconnectRequest,
    attributes: new AttributeWriter().add(attribute.acctSessionId, 'no such session'),
    answers: {
      code: radiusCode.disconnectNak,
      attributes: { 'Error-Cause': String(errorCause.sessionContextNotFound) },
    },
  },
  {
    name: 'change of rate',
    port: 'coaPort',
    code: radiusCode.coaRequest,
    attributes: new AttributeWriter()
      .add(attribute.acctSessionId, openSession)
      .add(attribute.wisprBandwidthMaxDown, 128_000),
    answers: { code: radiusCode.coaAck, attributes: {} },
  },
];
