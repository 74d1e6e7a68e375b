import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { startHeardPackets } from '../heard-packets.ts';
import { addRefusedPackets, maxRefusedPackets, type RefusedPacketKind } from './refused-packets.queries.ts';

export interface RefusedPacketRecorder {
  /** `reason` is from a closed set. Beyond a maximum number of addresses, packets are only counted by the metrics. */
  add(address: string, reason: string): void;
  stop(): Promise<void>;
}

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
  const loggedAt = new Map<string, number>();
  const heard = startHeardPackets<RefusedPacketKind>({
    ...options,
    max: maxRefusedPackets,
    store: async (rows) => {
      const now = clock.now().getTime();
      for (const [key, at] of loggedAt) if (now - at >= logEveryMs) loggedAt.delete(key);
      if (rows.length > 0) await addRefusedPackets(pool, rows);
    },
    failure: 'refused RADIUS packets could not be stored',
  });

  const logOnce = (key: string, { address, reason }: RefusedPacketKind) => {
    const at = clock.now().getTime();
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
      heard.add(key, { address, reason });
      logOnce(key, { address, reason });
    },
    stop: heard.stop,
  };
};
