import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Listener } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { createUpcomingPartitions, oldestRetainedMonth } from '../../usage/index.ts';
import type { LongCodes } from '../network-codes.ts';
import type { Pending } from './lane.ts';
import { LanesByNode } from './lanes-by-node.ts';
import { followNodes } from './nodes.ts';
import { followWatches } from './watches.ts';

export interface IntakeOptions {
  pool: pg.Pool;
  /** Each lane opens its own pipelining connection. */
  url: string;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Reports changes of watches; without it they are read again every few seconds. */
  listener?: Listener;
  longCodes: () => LongCodes;
  maxBatch?: number;
  maxQueue?: number;
  /** SIMs cached over all lanes; up to twice as many are held. */
  cacheSize?: number;
}

/** Accepts accounting records and reports when each is stored. Records of one SIM stay in order. */
export interface Intake {
  /** False if the queue is full: shed the record by not answering it. */
  add(pending: Pending): boolean;
  waiting(): number;
  /** Start of the oldest month that records may be written to, milliseconds. */
  oldest(): number;
  /** Resolves when everything added before has been processed. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const refreshMs = 10 * 60_000;

export const startIntake = async (options: IntakeOptions): Promise<Intake> => {
  const { pool, clock, log } = options;
  let oldest = await oldestRetainedMonth(pool, clock.now());
  const makePartitions = async () => {
    await createUpcomingPartitions(pool, clock.now());
    oldest = await oldestRetainedMonth(pool, clock.now());
  };
  const refreshing = setInterval(() => {
    oldestRetainedMonth(pool, clock.now()).then(
      (at) => {
        oldest = at;
      },
      (error: Error) => log.warn({ err: error }, 'the oldest retained month could not be read'),
    );
  }, refreshMs);
  refreshing.unref();
  const watches = await followWatches(options);
  const nodes = await followNodes(options);
  const lanes = new LanesByNode({
    ...options,
    makePartitions,
    watches: watches.current,
    shards: nodes.current,
  });
  return {
    add: (pending) => lanes.add(pending),
    waiting: () => lanes.waiting,
    oldest: () => oldest.getTime(),
    settled: () => lanes.settled(),
    stop: async () => {
      clearInterval(refreshing);
      watches.stop();
      nodes.stop();
      await lanes.stop();
    },
  };
};
