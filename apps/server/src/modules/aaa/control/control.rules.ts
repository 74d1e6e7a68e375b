import type { SimEventReason } from '@simcube/contract/sim';
import { type AccessSim, decideAccess } from '../aaa.rules.ts';

/** The state of a SIM that decides what its open sessions may do. */
export interface ControlledSim extends AccessSim {
  /** The rate limit last confirmed by the network; null: none; `mixedRates`: sessions may have different ones. */
  networkRateKbps: number | null;
}

/** What a gateway has to do with an open session. */
export type Enforcement =
  | { action: 'disconnect'; reason: SimEventReason }
  /** Null lifts the rate limit. */
  | { action: 'rate'; rateKbps: number | null };

/**
 * What to do about an open session; undefined if nothing. It uses the rule for Access-Requests: a session that would
 * be rejected now must end; one that would be accepted with another rate gets that rate. Its APN was decided when it
 * began.
 */
export const enforcementFor = (
  sim: ControlledSim,
  { country, at }: { country: string | null; at: Date },
): Enforcement | undefined => {
  const decision = decideAccess(sim, { apn: undefined, at, country });
  if (!decision.accept) return { action: 'disconnect', reason: decision.reason };
  const { rateKbps } = decision;
  return rateKbps === sim.networkRateKbps ? undefined : { action: 'rate', rateKbps };
};
