import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { addRefusedPackets, type RefusedPackets, refusedPacketsMost } from './refused-packets.queries.ts';

export interface RefusedPacketNotes {
  /** `reason` is from a closed set. Beyond a maximum number of addresses, packets are only counted by the metrics. */
  add(address: string, reason: string): void;
  stop(): Promise<void>;
}

const everyMs = 5_000;
const logEveryMs = 60_000;
const mappedPrefix = '::ffff:';

/**
 * Refused packets are logged at most once a minute for each address and reason, and stored later in batches. Anyone
 * can send such packets from any address, so memory is bounded.
 */
export const startRefusedPacketNotes = (options: {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
}): RefusedPacketNotes => {
  const { pool, clock, log } = options;
  let waiting = new Map<string, RefusedPackets>();
  const loggedAt = new Map<string, number>();
  let writing: Promise<void> | undefined;

  const writeDown = async () => {
    const now = clock.now().getTime();
    for (const [key, at] of loggedAt) if (now - at >= logEveryMs) loggedAt.delete(key);
    if (waiting.size === 0) return;
    const batch = [...waiting.values()];
    waiting = new Map();
    await addRefusedPackets(pool, batch);
  };
  const write = (): Promise<void> => {
    writing ??= writeDown()
      .catch((error: Error) => log.warn({ err: error }, 'refused RADIUS packets could not be stored'))
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
  const timer = setInterval(() => void write(), everyMs);

  const logOnce = (key: string, { address, reason, lastAt }: RefusedPackets) => {
    const at = lastAt.getTime();
    const before = loggedAt.get(key);
    if (before === undefined ? loggedAt.size >= refusedPacketsMost : at - before < logEveryMs) return;
    loggedAt.set(key, at);
    log.warn({ address, reason }, 'a RADIUS packet was refused');
  };

  return {
    add(source, reason) {
      const address = source.startsWith(mappedPrefix) ? source.slice(mappedPrefix.length) : source;
      const key = `${address} ${reason}`;
      const now = clock.now();
      const known = waiting.get(key);
      const refused = known ?? { address, reason, packets: 0, firstAt: now, lastAt: now };
      refused.packets += 1;
      refused.lastAt = now;
      if (!known && waiting.size < refusedPacketsMost) waiting.set(key, refused);
      logOnce(key, refused);
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
};
