import {
  AttributeWriter,
  acctStatusType,
  attribute,
  encodeTimeZone,
  encodeUserLocation,
  framedProtocol,
  nasPortType,
  ratTypes,
  serviceType,
} from '@simcube/radius';
import { imeisvOf, type SimDevice } from './demo-devices.ts';
import type { DeviceUsage } from './device-usage.ts';
import type { Place } from './mobility.ts';
import type { Random } from './random.ts';
import type { Rates } from './rates.ts';
import type { Scenario } from './scenario.ts';
import type { TrafficShare } from './traffic.ts';
import { capOctets, splitOctets } from './volume.ts';

/** One device with its state. */
export interface DeviceRun {
  readonly device: SimDevice;
  readonly usage: DeviceUsage;
  readonly random: Random;
  phase: 'idle' | 'authorising' | 'active';
  /** IMEI of the device that the SIM is in now. */
  imei: string;
  imeiChanges: number;
  rejections: number;
  /** Its last request was rejected or got no reply. */
  isRejected: boolean;
  /** The server ended its last session, and it has not been accepted since. */
  wasDisconnected: boolean;
  /** Added to device time when determining the location, for roaming on command. */
  shiftMs: number;
  session: Session | undefined;
  /** Number of the latest scheduled action: earlier ones are void. */
  turn: number;
}

export interface SessionAddresses {
  framedIpAddress: string | undefined;
  framedIpv6Prefix: string | undefined;
  framedInterfaceId: Uint8Array | undefined;
}

export interface Session {
  readonly id: string;
  readonly chargingId: number;
  place: Place;
  readonly startedMs: number;
  readonly endsMs: number;
  readonly endCause: number;
  readonly interimMs: number;
  readonly addresses: SessionAddresses;
  readonly class: Uint8Array | undefined;
  /** Share of the fleet's usage. */
  readonly share: TrafficShare;
  rates: Rates;
  /** Octets; fractions are carried over to the next count. */
  up: number;
  down: number;
  /** Time of the last update of the counters. */
  countedMs: number;
}

/** Converts wall time to device time. */
export interface DeviceClock {
  deviceMs(wallMs: number): number;
  speed: number;
}

export interface TrafficToCount {
  /** Traffic since the last count, in mean days of its kind. */
  share: number;
  nowMs: number;
}

/** Updates a session's counters, within the session's rates. */
export function countTraffic(
  { kind }: Pick<DeviceUsage, 'kind'>,
  session: Session,
  { share, nowMs }: TrafficToCount,
): void {
  const seconds = Math.max(0, nowMs - session.countedMs) / 1_000;
  session.up += capOctets(kind.dailyUpBytes * share, session.rates.up, seconds);
  session.down += capOctets(kind.dailyDownBytes * share, session.rates.down, seconds);
  session.countedMs = nowMs;
}

type Gateway = Pick<Scenario, 'nasIdentifier' | 'nasIpAddress'>;

interface DeviceIdentity {
  gateway: Gateway;
  device: SimDevice;
  imei: string;
  place: Place;
  chargingId: number;
}

/**
 * User-Name: the IMSI for devices with an even one; for the others the name that is configured for their APN, which many
 * devices share.
 */
export const userNameOf = ({ imsi, apn }: SimDevice): string =>
  Number(imsi.at(-1)) % 2 === 0 ? imsi : `device@${apn}`;

/** Adds the attributes of device, gateway and location that every packet has (TS 29.061 §16.4). */
function addIdentity(
  attributes: AttributeWriter,
  { gateway, device, imei, place, chargingId }: DeviceIdentity,
): void {
  const { operator, city, cell, radio } = place;
  attributes
    .add(attribute.userName, userNameOf(device))
    .add(attribute.nasIdentifier, gateway.nasIdentifier)
    .add(attribute.nasIpAddress, gateway.nasIpAddress)
    .add(attribute.calledStationId, device.apn)
    .add(attribute.serviceType, serviceType.framed)
    .add(attribute.framedProtocol, framedProtocol.gprsPdpContext)
    .add(attribute.nasPortType, nasPortType.wirelessOther)
    .add(attribute.imsi, device.imsi)
    .add(attribute.chargingId, chargingId)
    .add(attribute.pdpType, 0)
    .add(attribute.ggsnAddress, gateway.nasIpAddress)
    .add(attribute.imsiMccMnc, device.homePlmn)
    .add(attribute.nsapi, '5')
    .add(attribute.selectionMode, '0')
    .add(attribute.chargingCharacteristics, '0800')
    .add(attribute.sgsnMccMnc, operator.mcc + operator.mnc)
    .add(attribute.imeisv, Buffer.from(imeisvOf(imei)))
    .add(attribute.ratType, ratTypes[radio])
    .add(attribute.msTimeZone, encodeTimeZone(city.utcOffsetHours * 60))
    .addIfKnown(attribute.userLocationInfo, cell && encodeUserLocation(cell.location));
  if (device.msisdn !== '') attributes.add(attribute.callingStationId, device.msisdn);
}

export function accessRequest(identity: DeviceIdentity): AttributeWriter {
  const attributes = new AttributeWriter();
  addIdentity(attributes, identity);
  return attributes;
}

export interface AccountingReport {
  gateway: Gateway;
  run: DeviceRun;
  session: Session;
  status: 'start' | 'interimUpdate' | 'stop';
  nowMs: number;
  terminateCause?: number;
}

export function accountingRequest(report: AccountingReport): AttributeWriter {
  const { gateway, run, session, status, nowMs } = report;
  const attributes = new AttributeWriter()
    .add(attribute.acctStatusType, acctStatusType[status])
    .add(attribute.acctSessionId, session.id)
    .add(attribute.eventTimestamp, Math.floor(nowMs / 1_000))
    .addIfKnown(attribute.framedIpAddress, session.addresses.framedIpAddress)
    .addIfKnown(attribute.framedIpv6Prefix, session.addresses.framedIpv6Prefix)
    .addIfKnown(attribute.framedInterfaceId, session.addresses.framedInterfaceId)
    .addIfKnown(attribute.class, session.class)
    .addIfKnown(attribute.acctTerminateCause, report.terminateCause);
  if (status !== 'start') addCounters(attributes, session, nowMs);
  if (status === 'stop') attributes.add(attribute.sessionStopIndicator, 0xff);
  const { device, imei } = run;
  addIdentity(attributes, { gateway, device, imei, place: session.place, chargingId: session.chargingId });
  return attributes;
}

function addCounters(attributes: AttributeWriter, session: Session, nowMs: number): void {
  const up = splitOctets(Math.floor(session.up));
  const down = splitOctets(Math.floor(session.down));
  attributes
    .add(attribute.acctSessionTime, Math.max(0, Math.round((nowMs - session.startedMs) / 1_000)))
    .add(attribute.acctInputOctets, up.octets)
    .add(attribute.acctInputGigawords, up.gigawords)
    .add(attribute.acctOutputOctets, down.octets)
    .add(attribute.acctOutputGigawords, down.gigawords)
    .add(attribute.acctInputPackets, packetsFor(session.up))
    .add(attribute.acctOutputPackets, packetsFor(session.down));
}

/** About 700 octets per packet, as in mixed traffic. */
const packetsFor = (octets: number): number => Math.ceil(octets / 700) % 2 ** 32;

/** Accounting-On or -Off: only the gateway, no session. */
export const gatewayStatusRequest = (
  gateway: Gateway,
  status: 'accountingOn' | 'accountingOff',
  nowMs: number,
): AttributeWriter =>
  new AttributeWriter()
    .add(attribute.acctStatusType, acctStatusType[status])
    .add(attribute.acctSessionId, `${gateway.nasIdentifier}-node`)
    .add(attribute.eventTimestamp, Math.floor(nowMs / 1_000))
    .add(attribute.nasIdentifier, gateway.nasIdentifier)
    .add(attribute.nasIpAddress, gateway.nasIpAddress);
