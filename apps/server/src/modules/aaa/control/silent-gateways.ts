import type { RadiusClientOptions } from '@simcube/radius';
import type { Clock } from '../../../platform/clock/index.ts';

export type RequestTiming = Pick<
  RadiusClientOptions,
  'initialTimeoutMs' | 'maxRetransmissions' | 'maxDurationMs'
>;

/** RFC 5176 leaves the timing to the sender. Gateways expect four attempts: after one second, then doubling. */
const defaultTiming: RequestTiming = {
  initialTimeoutMs: 1_000,
  maxRetransmissions: 3,
  maxDurationMs: 12_000,
};
/** One attempt; only an immediate reply is received. */
const probeTiming: RequestTiming = { maxRetransmissions: 0, maxDurationMs: 250 };

const silentAfterTimeouts = 3;
const fullTimingEveryMs = 60_000;

interface TimeoutHistory {
  timeouts: number;
  lastFullAttemptAt: number;
}

/**
 * Tracks gateways that have stopped replying. Without it, each of thousands of requests to an unavailable gateway
 * would wait for the full timeout and delay everything behind it. After a few requests without a reply, further ones
 * are sent but barely waited for, except one a minute, until a reply arrives.
 */
export class SilentGateways {
  readonly #clock: Clock;
  readonly #patient: RequestTiming;
  readonly #silences = new Map<number, TimeoutHistory>();

  constructor(clock: Clock, patient = defaultTiming) {
    this.#clock = clock;
    this.#patient = patient;
  }

  /** The timing of the next request to this gateway. */
  timingFor(gatewayId: number): RequestTiming {
    const silence = this.#silences.get(gatewayId);
    if (!silence || silence.timeouts < silentAfterTimeouts) return this.#patient;
    const now = this.#clock.now().getTime();
    if (now - silence.lastFullAttemptAt < fullTimingEveryMs) return probeTiming;
    silence.lastFullAttemptAt = now;
    return this.#patient;
  }

  replied(gatewayId: number): void {
    this.#silences.delete(gatewayId);
  }

  timedOut(gatewayId: number): void {
    const silence = this.#silences.get(gatewayId);
    if (silence) silence.timeouts += 1;
    else this.#silences.set(gatewayId, { timeouts: 1, lastFullAttemptAt: this.#clock.now().getTime() });
  }
}
