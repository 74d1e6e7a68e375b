import { lifecycleNumbers, type RejectReason } from '@simcube/contract/sim';
import { dataState } from '../sim/index.ts';

/** What a SIM is, as far as it decides whether it may have service at all. */
export interface ServiceState {
  /** Of `lifecycleNumbers`. */
  lifecycle: number;
  /** Of `dataState`. */
  dataState: number;
  /** End of the cycle that `dataState` belongs to; a number is milliseconds. */
  cycleEndsAt: Date | number | null;
  bundleType: string | null;
  /** It used more than its own contribution to a shared pool that is used up: until then it has no service. */
  poolStoppedUntil: Date | number | null;
  /** Until then an operation holds its data: at this rate, or off. */
  heldUntil: Date | number | null;
  heldKbps: number | null;
}

/** What a SIM is, as far as it decides about access. */
export interface AccessSim extends ServiceState {
  rateKbps: number | null;
  outOfCoveragePolicy: string | null;
  /** Where the bundle is valid; everywhere when empty. */
  coverageCountries: readonly string[] | null;
  apn: string | null;
  fixedIp: string | null;
}

/** In place of the rate limit that the network confirmed: its sessions of the SIM may have different ones. */
export const differentRates = 0;

export type Decision =
  | { accept: true; ip: string | null; rateKbps: number | null }
  | { accept: false; reason: RejectReason };

/** Reply-Message of a reject, for the gateway's operator. */
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

/**
 * Whether the bundle refuses sessions in this country: "shut down" outside of its coverage. A country that is not known
 * (no network reported, or an unlisted one) causes no rejection.
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
 * Why a SIM must not be online, whatever it asks for and wherever it is; null when it may be. Pure: its requests are
 * refused by it, and its sessions are to end. A pre-activated SIM has service on a test plan alone. A stop is over when
 * its cycle is.
 */
export const refusedService = (sim: ServiceState, at: Date | number): RejectReason | null => {
  const reason = lifecycleReasons.get(sim.lifecycle);
  if (reason) return reason;
  if (sim.lifecycle === lifecycleNumbers['pre-activated'] && sim.bundleType !== 'test plan')
    return 'not-activated';
  if (sim.dataState === dataState.stopped && !isCycleOver(sim, at)) return 'quota-used';
  if (isAhead(sim.poolStoppedUntil, at)) return 'pool-used-up';
  return isAhead(sim.heldUntil, at) && sim.heldKbps === null ? 'data-off' : null;
};

const isAhead = (until: Date | number | null, at: Date | number): boolean =>
  until !== null && until.valueOf() > at.valueOf();

const isCycleOver = ({ cycleEndsAt }: ServiceState, at: Date | number): boolean =>
  cycleEndsAt !== null && cycleEndsAt.valueOf() <= at.valueOf();

/**
 * Whether a SIM may open a session, and with what. Pure: decided by the SIM's state, the APN it asks for and where it is.
 * A speed is over when its cycle is; of two, the lower one holds.
 */
export const decideAccess = (
  sim: AccessSim | undefined,
  request: { apn: string | undefined; at: Date; country: string | null },
): Decision => {
  if (!sim) return refuse('unknown-sim');
  const reason = refusedService(sim, request.at);
  if (reason) return refuse(reason);
  if (!isApnAllowed(sim.apn, request.apn)) return refuse('apn-not-allowed');
  if (isOutsideCoverage(sim, request.country)) return refuse('outside-coverage');
  const isSlowed = sim.dataState === dataState.slowed && !isCycleOver(sim, request.at);
  const rates = [isSlowed ? sim.rateKbps : null, isAhead(sim.heldUntil, request.at) ? sim.heldKbps : null];
  const known = rates.filter((rate) => rate !== null);
  return { accept: true, ip: sim.fixedIp, rateKbps: known.length > 0 ? Math.min(...known) : null };
};

const refuse = (reason: RejectReason): Decision => ({ accept: false, reason });

/**
 * A SIM without an APN may use any; so may a request that names none. The operator identifier behind the network
 * identifier (`iot.example.mnc007.mcc214.gprs`, TS 23.003, 9.1) is not part of either name.
 */
export const isApnAllowed = (allowed: string | null, asked: string | undefined): boolean => {
  if (!allowed || !asked) return true;
  return networkIdentifier(asked) === networkIdentifier(allowed);
};

const networkIdentifier = (apn: string): string =>
  apn.toLowerCase().replace(/\.mnc\d{2,3}\.mcc\d{3}(\.gprs)?$/, '');
