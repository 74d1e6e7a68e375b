import { truncate } from '@simcube/contract';
import { radioTypes } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import {
  type AccountingRecord,
  addressInPrefix,
  cellKey,
  ratName,
  terminateCauseName,
} from '@simcube/radius';
import { sessionKeyOf } from '../../usage/index.ts';
import type { Gateway } from '../gateways/clients.ts';

/** A gateway's report on one session, decoded. */
export interface SessionUpdate {
  status: 'start' | 'interim' | 'stop';
  /** How to find the SIM, as returned by `identityOf`. */
  identity: string;
  sessionKey: number;
  sessionId: string;
  nas: string;
  clientId: number;
  gatewayAddress: string;
  /** When it happened, milliseconds. */
  at: number;
  /** Whether `at` is the gateway's own time, which is the same in every retransmission. */
  hasEventTime: boolean;
  /** The same, but never in the future, as by a clock that is ahead. */
  seenAt: number;
  /**
   * What it can show of the SIM's connection now: of a report that is received late (a spool, a wrong clock) less than that
   * the SIM is online, or nothing.
   */
  shows: 'online' | 'connected' | null;
  /** Duration of the session so far, in seconds; 0 if unknown. */
  sessionSeconds: number;
  up: number | undefined;
  down: number | undefined;
  ip: string | null;
  apn: string | null;
  plmn: number | null;
  radio: number | null;
  imei: string | null;
  cell: string | null;
  cause: string | null;
}

/** Bounds of plausible event times; outside them the time of receipt is used. */
export interface TimeBounds {
  now: number;
  /** Start of the oldest month that is retained. */
  oldest: number;
}

const maxFutureMs = 5 * 60_000;
const maxTextLength = 128;

/** Converts an accounting record (Start, Interim or Stop) of the SIM with this identity. */
export const updateOf = (
  record: AccountingRecord,
  { identity, gateway, address }: { identity: string; gateway: Gateway; address: string },
  bounds: TimeBounds,
): SessionUpdate => {
  const nas = nasOf(record, gateway);
  const time = timeOf(record, bounds);
  return {
    status: record.status as SessionUpdate['status'],
    identity,
    sessionKey: sessionKeyOf(record.sessionId, nas),
    sessionId: record.sessionId,
    nas,
    clientId: gateway.id,
    gatewayAddress: address,
    ...time,
    seenAt: Math.min(time.at, bounds.now),
    shows: shownAfter(bounds.now - time.at, gateway),
    sessionSeconds: secondsOf(record, time.at, bounds),
    up: record.inputOctets,
    down: record.outputOctets,
    ip: addressOf(record),
    apn: record.calledStationId === undefined ? null : limitLength(record.calledStationId.toLowerCase()),
    plmn: record.servingNetwork ? plmnNumber(record.servingNetwork) : null,
    radio: record.ratType === undefined ? null : radioNumber(record.ratType),
    imei: record.imei ?? null,
    cell: (record.location && cellKey(record.location)) ?? null,
    cause: record.terminateCause === undefined ? null : terminateCauseName(record.terminateCause),
  };
};

/** When it happened: the gateway's own time if plausible, else the time of receipt less the reported delay. */
export const timeOf = (
  { eventTimestamp, delaySeconds = 0 }: Pick<AccountingRecord, 'eventTimestamp' | 'delaySeconds'>,
  { now, oldest }: TimeBounds,
): Pick<SessionUpdate, 'at' | 'hasEventTime'> => {
  const eventAt = eventTimestamp === undefined ? Number.NaN : eventTimestamp * 1000;
  if (eventAt >= oldest && eventAt <= now + maxFutureMs) return { at: eventAt, hasEventTime: true };
  return { at: now - Math.min(delaySeconds, 86_400) * 1000, hasEventTime: false };
};

/** Semantics of the connection: online for two intervals after a report, connected for a day. */
const shownAfter = (ms: number, { interimSeconds }: Gateway): SessionUpdate['shows'] => {
  if (ms <= 2000 * interimSeconds) return 'online';
  return ms <= dayMs ? 'connected' : null;
};

/** Session time; 0 if the session would have begun before everything that is retained, because a counter may have wrapped. */
const secondsOf = ({ sessionSeconds = 0 }: AccountingRecord, at: number, { oldest }: TimeBounds): number =>
  at - sessionSeconds * 1000 < oldest ? 0 : sessionSeconds;

/**
 * No address yet, and the values by which device or gateway may choose one (RFC 2865, 5.8): many sessions have them
 * at a time.
 */
const unassignedAddresses = new Set<string | undefined>([
  undefined,
  '0.0.0.0',
  '255.255.255.255',
  '255.255.255.254',
  '::',
]);

/** An IPv6 address may be sent as its prefix and interface identifier (RFC 3162, 2.2 and 2.3). */
const addressOf = (record: AccountingRecord): string | null => {
  const { framedIpAddress, framedIpv6Address, framedIpv6Prefix, framedInterfaceId } = record;
  const address = [framedIpAddress, framedIpv6Address].find((one) => !unassignedAddresses.has(one));
  if (address !== undefined) return address;
  return framedIpv6Prefix === undefined ? null : addressInPrefix(framedIpv6Prefix, framedInterfaceId);
};

/** The name of the gateway. It must not depend on a proxy in front of it, nor on an address that a pair of gateways shares. */
export const nasOf = (
  record: Pick<AccountingRecord, 'nasIdentifier' | 'nasIpAddress' | 'nasIpv6Address'>,
  gateway: Gateway,
): string =>
  limitLength(record.nasIdentifier || record.nasIpAddress || record.nasIpv6Address || gateway.name);

const limitLength = (text: string): string => truncate(text, maxTextLength);

const plmnNumber = ({ mcc, mnc }: { mcc: string; mnc: string }): number => Number(mcc) * 1000 + Number(mnc);

/** Radio types are stored as their position in the contract's list, from 1. */
const radioNumber = (ratType: number): number => {
  const name = radioNames[ratName(ratType)] ?? 'other';
  return radioTypes.indexOf(name) + 1;
};

const radioNames: Partial<Record<string, (typeof radioTypes)[number]>> = {
  UTRAN: '3G',
  GERAN: '2G',
  WLAN: 'WLAN',
  GAN: '2G',
  'HSPA-Evolution': '3G',
  EUTRAN: '4G',
  'NB-IoT': 'NB-IoT',
  'LTE-M': 'LTE-M',
  NR: '5G',
};
