import type { Clock } from '../../platform/clock/index.ts';
import type { Log } from '../../platform/log/index.ts';

/** Packets of one kind: how many, and when. */
export interface HeardPackets {
  packets: number;
  firstAt: Date;
  lastAt: Date;
}

export interface HeardPacketsOptions<Kind> {
  clock: Clock;
  log: Log;
  /** Maximum number of kinds held until they are stored; packets of others are left out. */
  max: number;
  /** Called every few seconds, also without rows. */
  store: (rows: readonly (Kind & HeardPackets)[]) => Promise<void>;
  /** For the log, if they could not be stored. */
  failure: string;
}

const flushIntervalMs = 5_000;

/** Counts packets in memory by kind and stores the counts in batches: a packet costs a look, however many there are. */
export const startHeardPackets = <Kind extends object>({
  clock,
  log,
  max,
  store,
  failure,
}: HeardPacketsOptions<Kind>) => {
  let pending = new Map<string, Kind & HeardPackets>();
  let flushing: Promise<void> | undefined;

  const flushBatch = (): Promise<void> => {
    const batch = [...pending.values()];
    pending = new Map();
    return store(batch);
  };
  const flush = (): Promise<void> => {
    flushing ??= flushBatch()
      .catch((error: Error) => log.warn({ err: error }, failure))
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  };
  const timer = setInterval(() => void flush(), flushIntervalMs);

  return {
    /** @param key names the kind */
    add(key: string, kind: Kind): void {
      const known = pending.get(key);
      if (known) {
        known.packets += 1;
        known.lastAt = clock.now();
      } else if (pending.size < max) {
        const now = clock.now();
        pending.set(key, { ...kind, packets: 1, firstAt: now, lastAt: now });
      }
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
};
