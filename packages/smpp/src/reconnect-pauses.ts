export interface ReconnectPausesOptions {
  /** The first pause. Default 1,000. */
  reconnectMs?: number | undefined;
  /** Default 60,000. */
  maxReconnectMs?: number | undefined;
  /** 0 ≤ x < 1, for the jitter. */
  random?: (() => number) | undefined;
}

/**
 * Pauses between attempts to connect: doubled after each, and shortened by up to half at random, so that the clients of an SMSC
 * that was restarted don't all return at once.
 */
export class ReconnectPauses {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  #nextMs: number;

  constructor({
    reconnectMs = 1_000,
    maxReconnectMs = 60_000,
    random = Math.random,
  }: ReconnectPausesOptions) {
    this.#firstMs = reconnectMs;
    this.#maxMs = maxReconnectMs;
    this.#random = random;
    this.#nextMs = reconnectMs;
  }

  /**
   * Begins again with the first pause if the connection lasted longer than the next pause: some accept a bind only to close the
   * connection.
   * @param boundMs how long the connection that ended was bound; 0 if it never was
   * @returns milliseconds until the next attempt
   */
  next(boundMs: number): number {
    if (boundMs > this.#nextMs) this.#nextMs = this.#firstMs;
    const pauseMs = this.#nextMs * (0.5 + this.#random() / 2);
    this.#nextMs = Math.min(2 * this.#nextMs, this.#maxMs);
    return pauseMs;
  }
}
