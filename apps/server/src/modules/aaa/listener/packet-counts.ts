import type { Metrics } from '../../../platform/metrics/index.ts';

export type PacketKind = 'access' | 'accounting' | 'status' | 'other';

/** Counts packets by kind and outcome. Counts are passed to the metrics once a second, because labels cost more than counting. */
export class PacketCounts {
  readonly #counts = new Map<PacketKind, Map<string, number>>();
  readonly #metrics: Metrics;
  readonly #timer: NodeJS.Timeout;

  /** @param onFlush called whenever counts are passed to the metrics */
  constructor(metrics: Metrics, onFlush: () => void) {
    this.#metrics = metrics;
    this.#timer = setInterval(() => {
      this.flush();
      onFlush();
    }, 1000);
    this.#timer.unref();
  }

  /** @param outcome from a closed set, never text from a packet */
  add(kind: PacketKind, outcome: string): void {
    let outcomes = this.#counts.get(kind);
    if (!outcomes) {
      outcomes = new Map();
      this.#counts.set(kind, outcomes);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }

  flush(): void {
    for (const [kind, outcomes] of this.#counts) {
      for (const [outcome, count] of outcomes) this.#metrics.radiusPackets.inc({ kind, outcome }, count);
    }
    this.#counts.clear();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.flush();
  }
}
