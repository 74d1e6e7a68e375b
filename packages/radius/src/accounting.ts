import { readIpv4, readIpv6, readIpv6Prefix } from './addresses.ts';
import { acctStatusType, vendor } from './attributes.ts';
import { radiusCode } from './codes.ts';
import { imeiOf, imsiIn, readDigits } from './identities.ts';
import { decodeUserLocation, type Plmn, parseMccMnc, type ReceivedLocation } from './location.ts';
import type { RadiusPacket } from './packet.ts';
import { readSessionId } from './session-ids.ts';
import { readText } from './text.ts';

export type AccountingStatus = 'start' | 'interim' | 'stop' | 'on' | 'off';

/** One accounting request, typed. Values that the gateway omitted or sent in an unknown form are undefined. */
export interface AccountingRecord {
  status: AccountingStatus;
  /** Empty only for Accounting-On and -Off, whose session id has no meaning (RFC 2866). */
  sessionId: string;
  userName?: string | undefined;
  imsi?: string | undefined;
  /** Fifteen digits with a correct check digit. */
  imei?: string | undefined;
  callingStationId?: string | undefined;
  /** The access point name (TS 29.061 §16.4.7). */
  calledStationId?: string | undefined;
  nasIdentifier?: string | undefined;
  nasIpAddress?: string | undefined;
  nasIpv6Address?: string | undefined;
  framedIpAddress?: string | undefined;
  framedIpv6Address?: string | undefined;
  framedIpv6Prefix?: string | undefined;
  framedInterfaceId?: Buffer | undefined;
  /** Octets from the device (up), including gigawords. Exact: a count beyond 2^53 is refused, not rounded. */
  inputOctets?: number | undefined;
  /** Octets to the device (down), including gigawords. */
  outputOctets?: number | undefined;
  sessionSeconds?: number | undefined;
  /** Seconds since 1970. */
  eventTimestamp?: number | undefined;
  delaySeconds?: number | undefined;
  terminateCause?: number | undefined;
  /** The visited network: 3GPP-SGSN-MCC-MNC, otherwise the one in the location. */
  servingNetwork?: Plmn | undefined;
  ratType?: number | undefined;
  location?: ReceivedLocation | undefined;
}

export const accountingFailures = [
  'not-accounting',
  'status-missing',
  'status-unknown',
  'session-id-missing',
  'octets-out-of-range',
] as const;

export type AccountingFailure = (typeof accountingFailures)[number];

export type AccountingRead =
  | { readonly ok: true; readonly record: AccountingRecord }
  | { readonly ok: false; readonly reason: AccountingFailure };

const statuses = new Map<number, AccountingStatus>([
  [acctStatusType.start, 'start'],
  [acctStatusType.interimUpdate, 'interim'],
  [acctStatusType.stop, 'stop'],
  [acctStatusType.accountingOn, 'on'],
  [acctStatusType.accountingOff, 'off'],
]);

const GIGAWORD = 2 ** 32;
/** 2^21 gigawords are 2^53 octets (9 PB in one session): beyond that, a number is not exact. */
const MAX_GIGAWORDS = 2 ** 21 - 1;

/** The counters of RFC 2866 and RFC 2869 as received, before octets and gigawords are combined. */
interface Counters {
  statusType: number;
  inputGigawords: number;
  outputGigawords: number;
}

/** Reads an accounting request in one pass over the packet. Of repeated attributes, the first one counts. */
export function readAccounting(packet: RadiusPacket): AccountingRead {
  if (packet.code !== radiusCode.accountingRequest) return failed['not-accounting'];
  const record = emptyRecord();
  const counters: Counters = { statusType: 0, inputGigawords: 0, outputGigawords: 0 };
  const { raw } = packet;
  for (let at = 20; at < raw.length; ) {
    const end = at + (raw[at + 1] ?? 2);
    if (raw[at] === 26) readVendor({ raw, start: at + 2, end, record });
    else readStandard({ raw, type: raw[at] ?? 0, start: at + 2, end, record, counters });
    at = end;
  }
  return finish(record, counters);
}

function finish(record: AccountingRecord, counters: Counters): AccountingRead {
  if (counters.statusType === 0) return failed['status-missing'];
  const status = statuses.get(counters.statusType);
  if (status === undefined) return failed['status-unknown'];
  record.status = status;
  if (record.sessionId === '' && status !== 'on' && status !== 'off') return failed['session-id-missing'];
  const { inputGigawords, outputGigawords } = counters;
  if (inputGigawords > MAX_GIGAWORDS || outputGigawords > MAX_GIGAWORDS) {
    return failed['octets-out-of-range'];
  }
  if (inputGigawords > 0) record.inputOctets = (record.inputOctets ?? 0) + inputGigawords * GIGAWORD;
  if (outputGigawords > 0) record.outputOctets = (record.outputOctets ?? 0) + outputGigawords * GIGAWORD;
  if (record.servingNetwork === undefined && record.location !== undefined) {
    record.servingNetwork = { mcc: record.location.mcc, mnc: record.location.mnc };
  }
  return { ok: true, record };
}

interface StandardAttribute {
  raw: Buffer;
  type: number;
  start: number;
  end: number;
  record: AccountingRecord;
  counters: Counters;
}

/** Numeric literals (names in attributes.ts): this switch is the hot path, and the engine compiles it to a jump table. */
function readStandard({ raw, type, start, end, record, counters }: StandardAttribute): void {
  switch (type) {
    case 1:
      record.userName ??= readText(raw, start, end);
      return;
    case 4:
      record.nasIpAddress ??= readIpv4(raw, start);
      return;
    case 8:
      record.framedIpAddress ??= readIpv4(raw, start);
      return;
    case 30:
      record.calledStationId ??= readText(raw, start, end);
      return;
    case 31:
      record.callingStationId ??= readText(raw, start, end);
      return;
    case 32:
      record.nasIdentifier ??= readText(raw, start, end);
      return;
    case 40:
      counters.statusType ||= raw.readUInt32BE(start);
      return;
    case 41:
      record.delaySeconds ??= raw.readUInt32BE(start);
      return;
    case 42:
      record.inputOctets ??= raw.readUInt32BE(start);
      return;
    case 43:
      record.outputOctets ??= raw.readUInt32BE(start);
      return;
    case 44:
      record.sessionId ||= readSessionId(raw, start, end);
      return;
    case 46:
      record.sessionSeconds ??= raw.readUInt32BE(start);
      return;
    case 49:
      record.terminateCause ??= raw.readUInt32BE(start);
      return;
    case 52:
      counters.inputGigawords ||= raw.readUInt32BE(start);
      return;
    case 53:
      counters.outputGigawords ||= raw.readUInt32BE(start);
      return;
    case 55:
      record.eventTimestamp ??= raw.readUInt32BE(start);
      return;
    case 95:
      record.nasIpv6Address ??= readIpv6(raw, start);
      return;
    case 96:
      record.framedInterfaceId ??= Buffer.from(raw.subarray(start, end));
      return;
    case 97:
      record.framedIpv6Prefix ??= readIpv6Prefix(raw, start, end);
      return;
    case 168:
      record.framedIpv6Address ??= readIpv6(raw, start);
      return;
    default:
      return;
  }
}

interface VendorAttribute {
  raw: Buffer;
  start: number;
  end: number;
  record: AccountingRecord;
}

function readVendor({ raw, start, end, record }: VendorAttribute): void {
  if (raw.readUInt32BE(start) !== vendor.threeGpp) return;
  for (let at = start + 4; at < end; at += raw[at + 1] ?? 2) {
    readThreeGpp({ raw, type: raw[at] ?? 0, start: at + 2, end: at + (raw[at + 1] ?? 2), record });
  }
}

/** Checks value lengths, because decoding accepts any in vendor space: one invalid value should not lose the usage. */
function readThreeGpp({ raw, type, start, end, record }: VendorAttribute & { type: number }): void {
  switch (type) {
    case 1:
      record.imsi ??= imsiIn(raw, start, end);
      return;
    case 18:
      record.servingNetwork ??= parseMccMnc(readText(raw, start, end));
      return;
    case 20: {
      const digits = readDigits(raw, start, end);
      record.imei ??= digits === undefined ? undefined : imeiOf(digits);
      return;
    }
    case 21:
      if (end - start === 1) record.ratType ??= raw[start];
      return;
    case 22:
      record.location ??= decodeUserLocation(raw.subarray(start, end));
      return;
    default:
      return;
  }
}

/** Creates all fields in a fixed order, so that every record has the same hidden class and reading them stays fast. */
const emptyRecord = (): AccountingRecord => ({
  status: 'start',
  sessionId: '',
  userName: undefined,
  imsi: undefined,
  imei: undefined,
  callingStationId: undefined,
  calledStationId: undefined,
  nasIdentifier: undefined,
  nasIpAddress: undefined,
  nasIpv6Address: undefined,
  framedIpAddress: undefined,
  framedIpv6Address: undefined,
  framedIpv6Prefix: undefined,
  framedInterfaceId: undefined,
  inputOctets: undefined,
  outputOctets: undefined,
  sessionSeconds: undefined,
  eventTimestamp: undefined,
  delaySeconds: undefined,
  terminateCause: undefined,
  servingNetwork: undefined,
  ratType: undefined,
  location: undefined,
});

const failed = Object.fromEntries(
  accountingFailures.map((reason) => [reason, Object.freeze({ ok: false, reason })]),
) as Record<AccountingFailure, { readonly ok: false; readonly reason: AccountingFailure }>;
