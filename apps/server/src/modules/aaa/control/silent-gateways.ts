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
  readonly #fullTiming: RequestTiming;
  readonly #histories = new Map<number, TimeoutHistory>();

  constructor(clock: Clock, fullTiming = defaultTiming) {
    this.#clock = clock;
    this.#fullTiming = fullTiming;
  }

  /** The timing of the next request to this gateway. */
  timingFor(gatewayId: number): RequestTiming {
    const history = this.#histories.get(gatewayId);
    if (!history || history.timeouts < silentAfterTimeouts) return this.#fullTiming;
    const now = this.#clock.now().getTime();
    const elapsed = now - history.lastFullAttemptAt;
    // Negative if the clock was set back: the next attempt would be as far away as it was.
    if (elapsed >= 0 && elapsed < fullTimingEveryMs) return probeTiming;
    history.lastFullAttemptAt = now;
    return this.#fullTiming;
  }

  replied(gatewayId: number): void {
    this.#histories.delete(gatewayId);
  }

  timedOut(gatewayId: number): void {
    const history = this.#histories.get(gatewayId);
    if (history) history.timeouts += 1;
    else this.#histories.set(gatewayId, { timeouts: 1, lastFullAttemptAt: this.#clock.now().getTime() });
  }
}
