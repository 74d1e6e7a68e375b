import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../testing/database.ts';
import { beginOutage } from '../../testing/outage.ts';
import { createListener, type Database, type Listener } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { defineBatchConsumer, defineConsumer, defineEvent, emit, startRelay } from './index.ts';

const log = createLog({ level: 'silent', format: 'json' });
const relayed = defineEvent({ topic: 'test.relayed', payload: z.object({ n: z.number() }) });
let database: Database;
let listener: Listener;

beforeEach(async () => {
  database = await testDatabase({ max: 60 });
  listener = createListener(database.url, log);
  await database.pool.query(
    'create table effects (id bigint generated always as identity, consumer text, n integer)',
  );
});
afterEach(async () => {
  await listener.close();
  await database.close();
});

test('forty consumers get every fact once, in order, within the concurrency limit', {
  timeout: 180_000,
}, async () => {
  let busy = 0;
  let busiest = 0;
  const consumers = Array.from({ length: 40 }, (_, index) =>
    defineConsumer({
      name: `relayed-${index}`,
      events: [relayed],
      from: 'beginning',
      handle: async (tx, { payload }) => {
        busy += 1;
        busiest = Math.max(busiest, busy);
        await tx.query('insert into effects (consumer, n) values ($1, $2)', [`relayed-${index}`, payload.n]);
        busy -= 1;
      },
    }),
  );
  for (let n = 0; n < 30; n += 1) await emit(database.pool, relayed, { orgId: null, payload: { n } });
  const metrics = createMetrics();
  const { pool } = database;
  const relay = await startRelay({ pool, listener, consumers, log, metrics, concurrency: 3 });
  for (let n = 30; n < 50; n += 1) await emit(pool, relayed, { orgId: null, payload: { n } });
  const whole = Array.from({ length: 40 }, () => Array.from({ length: 50 }, (_, n) => n));
  await expect
    .poll(
      async () =>
        (
          await pool.query<{ taken: number[] }>(
            'select array_agg(n order by id) as taken from effects group by consumer',
          )
        ).rows.map(({ taken }) => taken),
      // Facts wait for every older transaction of the server, including those of other test files.
      { timeout: 150_000 },
    )
    .toEqual(whole);
  await relay.stop();
  expect(busiest).toBe(3);
});

test('every process reports the lag of a consumer, whichever of them works', async () => {
  let [begin, release] = [(): void => undefined, (): void => undefined];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const consumer = defineConsumer({
    name: 'lagging',
    events: [relayed],
    from: 'beginning',
    handle: async () => {
      begin();
      await released;
    },
  });
  const { pool } = database;
  await emit(pool, relayed, { orgId: null, payload: { n: 0 } });
  const processes = [createMetrics(), createMetrics()];
  const relays = [];
  for (const metrics of processes) {
    relays.push(await startRelay({ pool, listener, consumers: [consumer], log, metrics }));
    await begun;
  }
  const behind = async () =>
    await Promise.all(
      processes.map(async ({ outboxLag }) => ((await outboxLag.get()).values[0]?.value ?? 0) > 0),
    );
  await expect.poll(behind, { timeout: 30_000 }).toEqual([true, true]);
  release();
  await expect.poll(behind, { timeout: 60_000 }).toEqual([false, false]);
  for (const relay of relays) await relay.stop();
});

test('while the database can’t be read, no process reports what it read before', async () => {
  const { pool, url } = database;
  const metrics = createMetrics();
  const consumer = defineConsumer({ name: 'idle', events: [relayed], handle: async () => undefined });
  const relay = await startRelay({ pool, listener, consumers: [consumer], log, metrics });
  const shown = async () => [
    (await metrics.outboxLag.get()).values.length,
    (await metrics.outboxDeadLettered.get()).values.length,
  ];
  await expect.poll(shown).toEqual([1, 1]);
  const over = await beginOutage(url, 'refusing');
  await expect.poll(shown, { timeout: 30_000 }).toEqual([0, 0]);
  await over();
  await expect.poll(shown, { timeout: 30_000 }).toEqual([1, 1]);
  await relay.stop();
});

test('a busy consumer does not starve the others', async () => {
  const order: string[] = [];
  const of = (name: string) =>
    defineConsumer({
      name,
      events: [relayed],
      from: 'beginning',
      handle: async () => void order.push(name),
    });
  for (let n = 0; n < 450; n += 1) await emit(database.pool, relayed, { orgId: null, payload: { n } });
  const { pool } = database;
  const consumers = [of('one'), of('two')];
  const relay = await startRelay({
    pool,
    listener,
    consumers,
    log,
    metrics: createMetrics(),
    concurrency: 1,
  });
  await expect.poll(() => order.length, { timeout: 60_000 }).toBe(900);
  await relay.stop();
  // One batch each: the second begins long before the first has handled everything.
  expect(order.indexOf('two')).toBeLessThan(order.lastIndexOf('one'));
});

test('a consumer pauses between batches, and gets all facts', async () => {
  const batches: { at: number; facts: number }[] = [];
  const consumer = defineBatchConsumer({
    name: 'resting',
    events: [relayed],
    handleAll: async (_, facts) => {
      batches.push({ at: performance.now(), facts: facts.length });
      return facts.length;
    },
  });
  const { pool } = database;
  const relay = await startRelay({ pool, listener, consumers: [consumer], log, metrics: createMetrics() });
  const taken = () => batches.reduce((sum, { facts }) => sum + facts, 0);
  const startedAt = performance.now();
  let emitted = 0;
  for (; performance.now() - startedAt < 1000; emitted += 1)
    await emit(pool, relayed, { orgId: null, payload: { n: emitted } });
  await expect.poll(taken, { timeout: 60_000 }).toBe(emitted);
  await relay.stop();
  // Without a pause there would be one every 20 ms. No pause follows a full batch.
  const inTime = batches.filter(({ at, facts }) => at - startedAt < 1000 && facts < 200);
  expect(inTime.length).toBeLessThan(20);
});
