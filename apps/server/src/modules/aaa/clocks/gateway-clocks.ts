import { minuteMs } from '@simcube/contract/time';
import type { AccountingRecord } from '@simcube/radius';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { type GatewayClock, listClocks, maxClocks, recordClocks } from './gateway-clocks.queries.ts';

export interface GatewayClocks {
  measure(
    from: { gateway: string; nas: string },
    record: Pick<AccountingRecord, 'eventTimestamp' | 'delaySeconds'>,
    receivedAt: number,
  ): void;
  stop(): Promise<void>;
}

const maxDelaySeconds = 86_400;

/**
 * Compares the times in accounting with those of receipt. Reports may be late, but the one that was fastest shows by how much
 * a gateway's clock is wrong: usage, cycles and connections are counted by it.
 */
export const startGatewayClocks = (options: {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}): GatewayClocks => {
  const { pool, clock, log, metrics } = options;
  let measured = new Map<string, GatewayClock>();

  const store = async () => {
    const batch = [...measured.values()];
    measured = new Map();
    const now = clock.now();
    if (batch.length > 0) await recordClocks(pool, batch, now);
    const worst = new Map<string, number>();
    for (const { gateway, lagMs } of await listClocks(pool, now))
      if (!worst.has(gateway)) worst.set(gateway, lagMs / 1000);
    metrics.radiusClockLag.reset();
    for (const [gateway, seconds] of worst) metrics.radiusClockLag.set({ gateway }, seconds);
  };
  const flush = () =>
    store().catch((error: Error) => {
      // Nobody could tell the last value from the present one.
      metrics.radiusClockLag.reset();
      log.warn({ err: error }, 'the clocks of gateways could not be compared');
    });
  let flushing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, minuteMs);

  return {
    measure({ gateway, nas }, { eventTimestamp, delaySeconds = 0 }, receivedAt) {
      if (eventTimestamp === undefined) return;
      const lagMs = receivedAt - Math.min(delaySeconds, maxDelaySeconds) * 1000 - eventTimestamp * 1000;
      const key = `${gateway} ${nas}`;
      const known = measured.get(key);
      if (known ? lagMs >= known.lagMs : measured.size >= maxClocks) return;
      measured.set(key, { gateway, nas, lagMs, measuredAt: new Date(receivedAt) });
    },
    async stop() {
      clearInterval(timer);
      flushing = flushing.then(flush);
      await flushing;
    },
  };
};
