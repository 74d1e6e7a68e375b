import { type DataRestriction, lifecycleNumbers, type RejectReason } from '@simcube/contract/sim';
import { rateOf, type StoredData, stopOf } from '../sim/index.ts';

/** The state of a SIM that decides whether it may have service at all. */
export interface ServiceState extends StoredData {
  /** One of `lifecycleNumbers`. */
  lifecycle: number;
  bundleType: string | null;
}

/** The state of a SIM that decides about access. */
export interface AccessSim extends ServiceState {
  outOfCoveragePolicy: string | null;
  /** Countries in which the bundle is valid; empty: everywhere. */
  coverageCountries: readonly string[] | null;
  apn: string | null;
  fixedIp: string | null;
}

/** Stored instead of the confirmed rate limit if the SIM's sessions may have different ones. */
export const mixedRates = 0;

export type Decision =
  | { accept: true; ip: string | null; rateKbps: number | null }
  | { accept: false; reason: RejectReason };

/** Reply-Message of an Access-Reject, for the gateway's operator. */
export const rejectMessages: Record<RejectReason, string> = {
  'identity-missing': 'No IMSI, user name or calling station',
  'unknown-sim': 'SIM not known',
  'not-activated': 'SIM not activated',
  paused: 'SIM paused',
  expired: 'SIM expired',
  terminated: 'SIM terminated',
  'quota-used': 'Data quota used up',
  'pool-used-up': 'Shared pool used up',
  'data-off': 'Data turned off',
  'apn-not-allowed': 'APN not allowed for this SIM',
  'outside-coverage': 'Country not covered by the bundle',
};

const lifecycleReasons = new Map<number, RejectReason>([
  [lifecycleNumbers.paused, 'paused'],
  [lifecycleNumbers.expired, 'expired'],
  [lifecycleNumbers.terminated, 'terminated'],
]);

const stopReasons = {
  quota: 'quota-used',
  pool: 'pool-used-up',
  rule: 'data-off',
} as const satisfies Record<DataRestriction, RejectReason>;

/**
 * Whether the bundle rejects sessions in this country ("shut down" outside its coverage). An unknown country (no
 * network reported, or an unlisted one) never causes a rejection.
 */
export const isOutsideCoverage = (
  bundle: Pick<AccessSim, 'outOfCoveragePolicy' | 'coverageCountries'>,
  country: string | null,
): boolean => {
  const { outOfCoveragePolicy, coverageCountries } = bundle;
  if (country === null || outOfCoveragePolicy !== 'shut down' || !coverageCountries?.length) return false;
  return !coverageCountries.includes(country);
};

/**
 * Why a SIM must not be online, whatever it requests and wherever it is; null if it may. Pure. It rejects
 * Access-Requests and decides which open sessions must end. A pre-activated SIM has service only on a test plan. A
 * stop ends with its cycle.
 */
export const serviceRejectReason = (sim: ServiceState, at: Date | number): RejectReason | null => {
  const reason = lifecycleReasons.get(sim.lifecycle);
  if (reason) return reason;
  if (sim.lifecycle === lifecycleNumbers['pre-activated'] && sim.bundleType !== 'test plan')
    return 'not-activated';
  const stop = stopOf(sim, at);
  return stop === undefined ? null : stopReasons[stop];
};

/**
 * Whether a SIM may open a session, and with what. Pure: decided by the SIM's state, the requested APN and the
 * location. A slowed rate ends with its cycle; if two rates apply, the lower one does.
 */
export const decideAccess = (
  sim: AccessSim | undefined,
  request: { apn: string | undefined; at: Date; country: string | null },
): Decision => {
  if (!sim) return reject('unknown-sim');
  const reason = serviceRejectReason(sim, request.at);
  if (reason) return reject(reason);
  if (!isApnAllowed(sim.apn, request.apn)) return reject('apn-not-allowed');
  if (isOutsideCoverage(sim, request.country)) return reject('outside-coverage');
  return { accept: true, ip: sim.fixedIp, rateKbps: rateOf(sim, request.at) };
};

const reject = (reason: RejectReason): Decision => ({ accept: false, reason });

/** At the end of an APN in lower case (TS 23.003, 9.1.2), as a regular expression that PostgreSQL understands as well. */
export const operatorIdentifier = String.raw`\.mnc\d{2,3}\.mcc\d{3}(\.gprs)?$`;

/**
 * A SIM without an APN may use any; a request without an APN is always allowed. The operator identifier after the
 * network identifier (`iot.example.mnc007.mcc214.gprs`, TS 23.003, 9.1) is ignored in both names.
 */
export const isApnAllowed = (allowed: string | null, requested: string | undefined): boolean => {
  if (!allowed || !requested) return true;
  return networkIdentifier(requested) === networkIdentifier(allowed);
};

const operatorIdentifierAtEnd = new RegExp(operatorIdentifier);

export const networkIdentifier = (apn: string): string =>
  apn.toLowerCase().replace(operatorIdentifierAtEnd, '');
