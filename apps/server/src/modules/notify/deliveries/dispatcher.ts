import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '@simcube/contract/notify';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Listener, memoizedEnsureDayPartition } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import type { Outcome, SendDelivery } from './channels.ts';
import { type ClaimedDelivery, claimDeliveries } from './deliveries.queries.ts';
import { createLanes } from './lanes.ts';
import { settle } from './settle.service.ts';

export interface DispatcherOptions {
  pool: pg.Pool;
  clock: Clock;
  /** Without one, new deliveries are found within a second. */
  listener?: Listener;
  channels: Record<Channel, SendDelivery>;
  log: Log;
  metrics: Metrics;
}

interface EndedAttempt {
  delivery: ClaimedDelivery;
  outcome: Outcome;
  durationMs: number;
}

export interface Dispatcher {
  /** Aborts what is under way; another process, or the next start, attempts it again. */
  stop(): Promise<void>;
}

/** Longer than an attempt takes, including writing its result. */
const leaseMs = 60_000;
/** How often due deliveries are looked for. */
const pollMs = 1000;
/** Between two claims: deliveries that arrive in this time are claimed and written together. */
const gatherMs = 10;
const errorPauseMs = 500;
const channelName = 'deliveries';

/**
 * Sends waiting deliveries. A delivery is claimed by moving its due time beyond the end of its attempt: if the
 * process dies, any process can claim it again then; the attempt's number distinguishes a late result from a
 * current one.
 */
export const startDispatcher = async (options: DispatcherOptions): Promise<Dispatcher> => {
  const { pool, clock, listener, log, metrics } = options;
  const stopping = new AbortController();
  // Every request under way listens to it.
  setMaxListeners(0, stopping.signal);
  const lanes = createLanes();
  const keepDay = memoizedEnsureDayPartition(pool, 'delivery_exchanges');
  const running = new Set<Promise<void>>();
  let ended: EndedAttempt[] = [];
  const claimable = createBell();
  const settleable = createBell();
  await listener?.on(channelName, claimable.ring);

  const attemptDelivery = async (delivery: ClaimedDelivery): Promise<void> => {
    const began = performance.now();
    const outcome = await runAttempt(options, delivery, stopping.signal);
    const durationMs = Math.round(performance.now() - began);
    const { channel, lane } = delivery;
    if (outcome === 'handed-over') {
      metrics.deliveryAttempts.inc({ channel, result: outcome });
      lanes.ended(lane, channel, 'success');
      return claimable.ring();
    }
    metrics.deliveryAttempts.inc({ channel, result: outcome.delivered ? 'delivered' : outcome.fault });
    metrics.deliverySeconds.observe({ channel }, durationMs / 1000);
    ended.push({ delivery, outcome, durationMs });
    settleable.ring();
  };

  const claim = async (): Promise<number> => {
    const now = clock.now();
    const capacity = lanes.capacity(now);
    if (capacity.limit <= 0) return 0;
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const claimed = await claimDeliveries(pool, { ...capacity, now, leaseUntil });
    for (const delivery of claimed) {
      lanes.began(delivery.lane, now);
      const attempt = attemptDelivery(delivery).finally(() => running.delete(attempt));
      running.add(attempt);
    }
    metrics.deliveriesInFlight.set(lanes.busy());
    return claimed.length;
  };

  /** Slots become free when results are written: while the database is unavailable, nothing more is begun. */
  const settleAll = async (): Promise<void> => {
    const attempts = ended;
    if (attempts.length === 0) return;
    ended = [];
    try {
      const now = clock.now();
      await keepDay(now);
      await inTransaction(pool, (tx) => settle(tx, attempts, now));
    } catch (error) {
      ended = [...attempts, ...ended];
      throw error;
    }
    for (const { delivery, outcome } of attempts)
      lanes.ended(delivery.lane, delivery.channel, resultOf(outcome));
    metrics.deliveriesInFlight.set(lanes.busy());
    claimable.ring();
  };

  const claiming = repeat(async () => {
    await claim();
    await claimable.wait(pollMs, stopping.signal);
    await sleep(gatherMs);
  });
  const settling = repeat(async () => {
    await settleAll();
    await settleable.wait(pollMs, stopping.signal);
  });

  async function repeat(work: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await work();
      } catch (error) {
        log.warn({ err: error }, 'deliveries could not be claimed or written; trying again');
        await sleep(errorPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  return {
    async stop() {
      stopping.abort();
      claimable.ring();
      settleable.ring();
      await Promise.all([claiming, settling]);
      await Promise.all(running);
      await settleAll().catch((error: Error) =>
        log.warn({ err: error }, 'the last deliveries could not be written; they are tried again'),
      );
    },
  };
};

/** How an outcome affects a lane's width. */
const resultOf = (outcome: Outcome): 'success' | 'failure' | 'neither' => {
  if (outcome.delivered) return 'success';
  return outcome.addressOnly ? 'neither' : 'failure';
};

const runAttempt = async (
  { channels, log }: DispatcherOptions,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Outcome | 'handed-over'> => {
  try {
    return await channels[delivery.channel](delivery, signal);
  } catch (error) {
    log.error({ err: error, delivery: delivery.id, kind: delivery.kind }, 'a delivery failed unexpectedly');
    return { delivered: false, fault: 'connection', addressOnly: true };
  }
};

/** Wakes the waiter; if it rings while no one waits, the next wait ends immediately. */
const createBell = () => {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    async wait(maxMs: number, signal: AbortSignal): Promise<void> {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      rung = false;
    },
  };
};
