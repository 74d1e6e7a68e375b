import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { addRefusedPackets, maxRefusedPackets, type RefusedPackets } from './refused-packets.queries.ts';

export interface RefusedPacketRecorder {
  /** `reason` is from a closed set. Beyond a maximum number of addresses, packets are only counted by the metrics. */
  add(address: string, reason: string): void;
  stop(): Promise<void>;
}

const flushIntervalMs = 5_000;
const logEveryMs = 60_000;
const mappedPrefix = '::ffff:';

/**
 * Refused packets are logged at most once a minute for each address and reason, and stored later in batches. Anyone
 * can send such packets from any address, so memory is bounded.
 */
export const startRefusedPacketRecorder = (options: {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
}): RefusedPacketRecorder => {
  const { pool, clock, log } = options;
  let pending = new Map<string, RefusedPackets>();
  const loggedAt = new Map<string, number>();
  let flushing: Promise<void> | undefined;

  const flushBatch = async () => {
    const now = clock.now().getTime();
    for (const [key, at] of loggedAt) if (now - at >= logEveryMs) loggedAt.delete(key);
    if (pending.size === 0) return;
    const batch = [...pending.values()];
    pending = new Map();
    await addRefusedPackets(pool, batch);
  };
  const flush = (): Promise<void> => {
    flushing ??= flushBatch()
      .catch((error: Error) => log.warn({ err: error }, 'refused RADIUS packets could not be stored'))
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  };
  const timer = setInterval(() => void flush(), flushIntervalMs);

  const logOnce = (key: string, { address, reason, lastAt }: RefusedPackets) => {
    const at = lastAt.getTime();
    const lastLoggedAt = loggedAt.get(key);
    if (lastLoggedAt === undefined ? loggedAt.size >= maxRefusedPackets : at - lastLoggedAt < logEveryMs)
      return;
    loggedAt.set(key, at);
    log.warn({ address, reason }, 'a RADIUS packet was refused');
  };

  return {
    add(source, reason) {
      const address = source.startsWith(mappedPrefix) ? source.slice(mappedPrefix.length) : source;
      const key = `${address} ${reason}`;
      const now = clock.now();
      const known = pending.get(key);
      const refused = known ?? { address, reason, packets: 0, firstAt: now, lastAt: now };
      refused.packets += 1;
      refused.lastAt = now;
      if (!known && pending.size < maxRefusedPackets) pending.set(key, refused);
      logOnce(key, refused);
    },
    async stop() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
};
