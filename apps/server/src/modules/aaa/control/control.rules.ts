import type { SimEventReason } from '@simcube/contract/sim';
import { type AccessSim, decideAccess } from '../aaa.rules.ts';

/** A SIM as far as it decides what its open sessions may do. */
export interface ControlledSim extends AccessSim {
  /** The rate limit that the network confirmed last; null: none; `differentRates`: each session may have its own. */
  networkRateKbps: number | null;
}

/** What a gateway has to do with an open session. */
export type Measure =
  | { action: 'disconnect'; reason: SimEventReason }
  /** Null lifts the rate limit. */
  | { action: 'rate'; rateKbps: number | null };

/**
 * What is to be done about an open session; nothing when undefined. By the rule that Access-Requests are answered by: a
 * session that would not be accepted now must end, one that would be accepted at another rate gets that rate. Its APN
 * was decided on when it began.
 */
export const measureFor = (
  sim: ControlledSim,
  { country, at }: { country: string | null; at: Date },
): Measure | undefined => {
  const decision = decideAccess(sim, { apn: undefined, at, country });
  if (!decision.accept) return { action: 'disconnect', reason: decision.reason };
  const { rateKbps } = decision;
  return rateKbps === sim.networkRateKbps ? undefined : { action: 'rate', rateKbps };
};
