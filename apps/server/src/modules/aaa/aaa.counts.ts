import type { Metrics } from '../../platform/metrics/index.ts';

export type PacketKind = 'access' | 'accounting' | 'status' | 'other';

/** Counts packets by kind and outcome; handed to the metrics once a second, since labels cost more than counting. */
export class PacketCounts {
  readonly #counts = new Map<string, number>();
  readonly #metrics: Metrics;
  readonly #timer: NodeJS.Timeout;

  /** `alsoThen` is called each time that the counts are handed over. */
  constructor(metrics: Metrics, alsoThen: () => void) {
    this.#metrics = metrics;
    this.#timer = setInterval(() => {
      this.flush();
      alsoThen();
    }, 1000);
    this.#timer.unref();
  }

  /** `outcome` comes from a closed set: never anything that a packet says. */
  add(kind: PacketKind, outcome: string): void {
    const key = `${kind}/${outcome}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  flush(): void {
    for (const [key, count] of this.#counts) {
      const slash = key.indexOf('/');
      this.#metrics.radiusPackets.inc({ kind: key.slice(0, slash), outcome: key.slice(slash + 1) }, count);
    }
    this.#counts.clear();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.flush();
  }
}
