import { EventEmitter, once } from 'node:events';
import { includesAllUpTo, includesEvent } from '@simcube/contract';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../testing/database.ts';
import { createListener, type Database, type Listener } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { defineEvent, emit, emitMany } from '../outbox/index.ts';
import { type LiveHub, type StreamedEvent, startLiveHub } from './index.ts';

const changed = defineEvent({
  topic: 'test.live-changed',
  payload: z.object({ count: z.number() }),
  live: ({ count }) => [{ name: 'sim.changed', data: { count } }],
});
const silent = defineEvent({ topic: 'test.live-silent', payload: z.object({}) });

const log = createLog({ level: 'silent', format: 'json' });
let database: Database;
let listeners: Listener[];
let hubs: LiveHub[];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  listeners = [];
  hubs = [];
});
afterEach(async () => {
  for (const hub of hubs) await hub.stop();
  for (const listener of listeners) await listener.close();
});

/** A hub with its own listening connection, as in a separate process. */
const newHub = async (replay = 100, pool = database.pool): Promise<LiveHub> => {
  const listener = createListener(database.url, log);
  const hub = await startLiveHub({ pool, listener, log, metrics: createMetrics(), replay });
  listeners.push(listener);
  hubs.push(hub);
  return hub;
};

interface Reader {
  /** Where the stream began; undefined when it resumed from an id. */
  opened: string | undefined;
  received: StreamedEvent[];
  ended: string[];
  leave: () => void;
}

const read = async (
  hub: LiveHub,
  options: { orgId?: number; after?: string; capacity?: number; sessionId?: string } = {},
): Promise<Reader> => {
  const reader: Reader = { opened: undefined, received: [], ended: [], leave: () => undefined };
  reader.leave = await hub.subscribe(
    {
      orgId: options.orgId ?? 1,
      userId: 'u',
      sessionId: options.sessionId ?? 's',
      send: (events) => {
        for (const one of events) {
          if (one.event.name === 'stream.open') reader.opened = one.id;
          else reader.received.push(one);
        }
        return reader.received.length <= (options.capacity ?? Number.POSITIVE_INFINITY);
      },
      closed: (reason) => reader.ended.push(reason),
    },
    options.after,
  );
  return reader;
};

const counts = ({ received }: Reader) =>
  received.map(({ event }) => (event.name === 'sim.changed' ? event.data.count : event.name));
const say = (count: number, orgId = 1) => emit(database.pool, changed, { orgId, payload: { count } });

test('events reach readers of their organisation only, in every process', async () => {
  const [one, two] = [await newHub(), await newHub()];
  const [here, there, stranger] = [await read(one), await read(two), await read(one, { orgId: 2 })];
  await say(1);
  await emit(database.pool, silent, { orgId: 1, payload: {} });
  await say(2);
  await expect
    .poll(() => [counts(here), counts(there)])
    .toEqual([
      [1, 2],
      [1, 2],
    ]);
  await say(3, 2);
  await expect.poll(() => counts(stranger)).toEqual([3]);
  expect(counts(here)).toEqual([1, 2]);
});

test('a reader that reconnects gets missed events once, then new ones', async () => {
  const hub = await newHub();
  const first = await read(hub);
  await say(1);
  await expect.poll(() => counts(first)).toEqual([1]);
  first.leave();
  await say(2);
  await say(3);
  const after = first.received.at(-1)?.id;
  expect(after).toBeDefined();
  const second = await read(await newHub(), { after: after ?? '' });
  await say(4);
  await expect.poll(() => counts(second)).toEqual([2, 3, 4]);
});

test('a reader that reconnects before any event gets the events since it opened', async () => {
  await say(0);
  const hub = await newHub();
  const first = await read(hub);
  expect(first.received).toEqual([]);
  first.leave();
  await say(1);
  const second = await read(hub, { after: first.opened ?? '' });
  // Events from before may be repeated if other transactions were open: `includesEvent` recognises them.
  await expect.poll(() => counts(second).filter((count) => count !== 0)).toEqual([1]);
  expect(second.opened).toBeUndefined();
});

test('events are sent once and in order when transaction ids get another digit', async () => {
  await database.pool.query('truncate outbox');
  const reader = await read(await newHub());
  await database.pool.query(
    `insert into outbox (xact, topic, org_id, payload)
     select xact::text::xid8, $1, 1, jsonb_build_object('count', xact) from generate_series(8, 12) as xact`,
    [changed.topic],
  );
  await say(13);
  await expect.poll(() => counts(reader)).toContain(13);
  expect(counts(reader)).toEqual([8, 9, 10, 11, 12, 13]);
});

test('a response and the events after it contain each fact once', async () => {
  const hub = await newHub();
  const reader = await read(hub);
  const client = await database.pool.connect();
  await client.query('begin');
  await emit(client, changed, { orgId: 1, payload: { count: 1 } });
  await say(2);
  const { rows } = await database.pool.query<{ snapshot: string; held: number[] }>(
    `select pg_current_snapshot()::text as snapshot,
       (select array_agg((payload ->> 'count')::integer) from outbox where topic = $1 and xact >= $2::xid8) as held`,
    [changed.topic, (reader.opened ?? '').split('-')[0]],
  );
  await client.query('commit');
  client.release();
  await say(3);
  await expect.poll(() => counts(reader)).toEqual([1, 2, 3]);
  const { snapshot = '', held = [] } = rows[0] ?? {};
  expect(held).toContain(2);
  expect(includesAllUpTo(snapshot, reader.opened ?? '')).toBe(true);
  const heldByEvents = reader.received.map(({ id = '' }) => includesEvent(snapshot, id));
  expect(heldByEvents).toEqual([false, true, false]);
});

test.each([
  ['an id that is not ours', 'rubbish'],
  ['an id from before what is kept', '1-1'],
])('a reader that reconnects with %s is asked to reload', async (_, after) => {
  const reader = await read(await newHub(), { after });
  expect(counts(reader)).toEqual(['stream.reset']);
});

/** The same pool, on which the first statement with this text waits. */
const holding = (pool: Pool, text: string) => {
  const gate = new EventEmitter();
  let isHeld = false;
  const held = new Proxy(pool, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name);
      if (name !== 'query') return typeof value === 'function' ? value.bind(of) : value;
      return async (...args: Parameters<Pool['query']>) => {
        if (!isHeld && String(args[0]).includes(text)) {
          isHeld = true;
          const released = once(gate, 'release');
          gate.emit('held');
          await released;
        }
        return of.query(...args);
      };
    },
  });
  return { pool: held, held: once(gate, 'held'), release: () => gate.emit('release') };
};

test.each([5, 100])(
  'a reader that reconnects while events arrive misses none unnoticed, of at most %d to replay',
  async (replay) => {
    const hold = holding(database.pool, 'as kept');
    const hub = await newHub(replay, hold.pool);
    const steady = await read(hub);
    await say(0);
    await expect.poll(() => counts(steady)).toEqual([0]);
    const resuming = read(hub, { after: steady.received.at(-1)?.id ?? '' });
    await hold.held;
    for (let count = 1; count <= 6; count += 1) await say(count);
    await expect.poll(() => counts(steady)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    hold.release();
    const resumed = await resuming;
    await say(7);
    await expect.poll(() => counts(resumed)).toContain(7);
    expect(counts(resumed)).toEqual(replay < 6 ? ['stream.reset', 7] : [1, 2, 3, 4, 5, 6, 7]);
  },
);

test('a session that ends while its stream resumes ends the stream', async () => {
  const hold = holding(database.pool, 'as kept');
  const hub = await newHub(100, hold.pool);
  const first = await read(hub);
  const resuming = read(hub, { after: first.opened ?? '', sessionId: 'ended' });
  await hold.held;
  hub.endSession('ended');
  hold.release();
  const resumed = await resuming;
  expect([counts(resumed), resumed.ended]).toEqual([['session.ended'], ['ended']]);
});

test('too many events to replay cause a reset', async () => {
  const hub = await newHub(5);
  const first = await read(hub);
  await say(0);
  await expect.poll(() => counts(first)).toEqual([0]);
  first.leave();
  await emitMany(
    database.pool,
    changed,
    Array.from({ length: 6 }, (_, count) => ({ orgId: 1, payload: { count } })),
  );
  const after = first.received.at(-1)?.id ?? '';
  await expect.poll(async () => counts(await read(hub, { after }))).toEqual(['stream.reset']);
});

test('a slow reader is disconnected, and the others continue', async () => {
  const hub = await newHub();
  const [slow, quick] = [await read(hub, { capacity: 1 }), await read(hub)];
  await emitMany(
    database.pool,
    changed,
    [1, 2, 3].map((count) => ({ orgId: 1, payload: { count } })),
  );
  await expect.poll(() => slow.ended).toEqual(['slow']);
  await say(4);
  await expect.poll(() => counts(quick)).toEqual([1, 2, 3, 4]);
  expect(counts(slow)).not.toContain(4);
});

test('the streams of an ended session report this and end', async () => {
  const hub = await newHub();
  const [gone, stays] = [await read(hub, { sessionId: 'a' }), await read(hub, { sessionId: 'b' })];
  hub.endSession('a');
  expect([counts(gone), gone.ended, stays.ended]).toEqual([['session.ended'], ['ended'], []]);
});
