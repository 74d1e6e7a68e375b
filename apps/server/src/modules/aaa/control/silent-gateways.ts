import type { RadiusClientOptions } from '@simcube/radius';
import type { Clock } from '../../../platform/clock/index.ts';

export type RequestTiming = Pick<
  RadiusClientOptions,
  'initialTimeoutMs' | 'maxRetransmissions' | 'maxDurationMs'
>;

/** RFC 5176 leaves the timing to the sender: a second, doubling, four times, is what gateways expect. */
const usualTiming: RequestTiming = { initialTimeoutMs: 1_000, maxRetransmissions: 3, maxDurationMs: 12_000 };
/** Sent once, and a reply that comes at once is heard. */
const brief: RequestTiming = { maxRetransmissions: 0, maxDurationMs: 250 };

const silentAfter = 3;
const patientAgainMs = 60_000;

interface Silence {
  timeouts: number;
  lastPatientAt: number;
}

/**
 * Which gateways have stopped answering. Thousands of requests to one that is down would each be waited for in full, and
 * everything else behind them: after a few without a reply the next are sent and hardly waited for, but for one a minute,
 * until a reply comes.
 */
export class SilentGateways {
  readonly #clock: Clock;
  readonly #patient: RequestTiming;
  readonly #silences = new Map<number, Silence>();

  constructor(clock: Clock, patient = usualTiming) {
    this.#clock = clock;
    this.#patient = patient;
  }

  /** How long to wait for this one. */
  timingFor(gatewayId: number): RequestTiming {
    const silence = this.#silences.get(gatewayId);
    if (!silence || silence.timeouts < silentAfter) return this.#patient;
    const now = this.#clock.now().getTime();
    if (now - silence.lastPatientAt < patientAgainMs) return brief;
    silence.lastPatientAt = now;
    return this.#patient;
  }

  replied(gatewayId: number): void {
    this.#silences.delete(gatewayId);
  }

  timedOut(gatewayId: number): void {
    const silence = this.#silences.get(gatewayId);
    if (silence) silence.timeouts += 1;
    else this.#silences.set(gatewayId, { timeouts: 1, lastPatientAt: this.#clock.now().getTime() });
  }
}
