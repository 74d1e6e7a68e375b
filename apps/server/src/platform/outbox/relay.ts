import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Listener } from '../db/index.ts';
import { consumeOnce, type Report } from './consume.ts';
import type { Consumer } from './consumers.ts';
import {
  findConsumersBehind,
  readLags,
  registerConsumers,
  resetForeignPositions,
  touchConsumers,
} from './cursors.ts';
import { countDeadLetteredFacts } from './dead-letters.ts';

export interface Relay extends Report {
  pool: pg.Pool;
  listener: Listener;
  consumers: readonly Consumer[];
  /** Maximum number of consumers that work at a time, each on one pool connection, however many exist. */
  concurrency?: number;
}

const defaultConcurrency = 4;
const pollMs = 1000;
/** Short delay after a notification: more facts arrive, and the notifying transaction may just be ending. */
const gatherMs = 20;
/** Pause of a consumer that has read everything, so that facts of a steady stream share transactions. */
const restMs = 100;
const pollsPerReport = 10;

/**
 * Runs the consumers until stopped: those whose topics a notification names, and once a second all that are
 * behind. They take turns, one batch each, so that a busy consumer does not delay the others.
 */
export const startRelay = async (relay: Relay): Promise<{ stop: () => Promise<void> }> => {
  const { pool, listener, consumers, log, metrics, concurrency = defaultConcurrency } = relay;
  const stopping = new AbortController();
  const { signal } = stopping;
  const byName = new Map(consumers.map((consumer) => [consumer.name, consumer]));
  const names = [...byName.keys()];
  await registerConsumers(pool, consumers);
  await touchConsumers(pool, names);
  await resetForeignPositions(pool);

  /** In order of arrival. */
  const waiting = new Set<Consumer>();
  const working = new Map<Consumer, Promise<void>>();
  const resting = new Set<Consumer>();
  const runTurn = async (consumer: Consumer) => {
    try {
      const { handled, isCaughtUp } = await consumeOnce(pool, consumer, relay);
      if (handled > 0) waiting.add(consumer);
      if (handled > 0 && isCaughtUp) rest(consumer);
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error, consumer: consumer.name }, 'an outbox consumer failed; retrying');
    } finally {
      working.delete(consumer);
      dispatch();
    }
  };
  const rest = (consumer: Consumer) => {
    resting.add(consumer);
    setTimeout(() => {
      resting.delete(consumer);
      dispatch();
    }, restMs);
  };
  const dispatch = () => {
    for (const consumer of waiting) {
      if (signal.aborted || working.size >= concurrency) return;
      if (working.has(consumer) || resting.has(consumer)) continue;
      waiting.delete(consumer);
      working.set(consumer, runTurn(consumer));
    }
  };

  const notifiedTopics = new Set<string>();
  let gatherTimer: NodeJS.Timeout | undefined;
  await listener.on('outbox', (topic) => {
    notifiedTopics.add(topic);
    gatherTimer ??= setTimeout(() => {
      gatherTimer = undefined;
      // After a gap of the listener, it is unknown which events were recorded.
      const isUnknown = notifiedTopics.has('');
      for (const consumer of consumers) {
        if (isUnknown || [...consumer.topics].some((one) => notifiedTopics.has(one))) waiting.add(consumer);
      }
      notifiedTopics.clear();
      dispatch();
    }, gatherMs);
  });

  const reportStatus = async () => {
    try {
      await touchConsumers(pool, names);
      for (const { consumer, seconds } of await readLags(pool, consumers))
        metrics.outboxLag.set({ consumer }, seconds);
      const deadLettered = await countDeadLetteredFacts(pool);
      for (const name of names)
        metrics.outboxDeadLettered.set({ consumer: name }, deadLettered.get(name) ?? 0);
    } catch (error) {
      // Nobody could tell the last values from present ones.
      metrics.outboxLag.reset();
      metrics.outboxDeadLettered.reset();
      throw error;
    }
  };
  const poll = async (polls: number) => {
    if (polls % pollsPerReport === 0) await reportStatus();
    for (const name of await findConsumersBehind(pool, names)) {
      const consumer = byName.get(name);
      if (consumer) waiting.add(consumer);
    }
    dispatch();
  };
  const polling = (async () => {
    for (let polls = 0; !signal.aborted; polls += 1) {
      await poll(polls).catch((error: Error) => {
        if (!signal.aborted) log.warn({ err: error }, 'the outbox could not be read');
      });
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(gatherTimer);
      await polling;
      await Promise.all(working.values());
    },
  };
};
