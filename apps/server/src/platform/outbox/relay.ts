import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { z } from 'zod';
import { inTransaction, type Listener } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { EventDefinition } from './events.ts';

export interface Fact<P = unknown> {
  topic: string;
  orgId: number | null;
  payload: P;
  createdAt: Date;
}

/**
 * Takes facts in order, each exactly once as far as its effects are in `tx`. It must be quick (an open transaction
 * holds back every reader of the outbox): what talks to the outside is enqueued as a job in the same transaction.
 */
export interface Consumer {
  name: string;
  topics: ReadonlySet<string>;
  handle: (tx: pg.PoolClient, fact: Fact) => Promise<void>;
}

export const defineConsumer = <const E extends readonly EventDefinition[]>(definition: {
  name: string;
  events: E;
  handle: (tx: pg.PoolClient, fact: Fact<z.output<E[number]['payload']>>) => Promise<void>;
}): Consumer => {
  const schemas = new Map(definition.events.map((event) => [event.topic, event.payload]));
  return {
    name: definition.name,
    topics: new Set(schemas.keys()),
    handle: async (tx, fact) => {
      const payload = schemas.get(fact.topic)?.parse(fact.payload) as z.output<E[number]['payload']>;
      await definition.handle(tx, { ...fact, payload });
    },
  };
};

interface OutboxRow {
  xact: string;
  id: number;
  topic: string;
  org_id: number | null;
  payload: unknown;
  created_at: Date;
}

const batchSize = 200;
const maxAttempts = 8;
const idlePollMs = 1000;

/** Only rows below every running transaction: one that commits later can't be older than what was read. */
const nextRows = `
  select xact::text, id, topic, org_id, case when topic = any($3) then payload end as payload, created_at
  from outbox
  where (xact, id) > ($1::xid8, $2) and xact < pg_snapshot_xmin(pg_current_snapshot())
  order by xact, id limit ${batchSize}`;

/**
 * One round of a consumer: its cursor is locked (so that of several processes one works), facts are handled, and the
 * cursor moves in the same transaction. A fact that fails is tried again with growing pauses, then parked.
 * @returns how many facts the cursor passed
 */
export const consumeOnce = (
  pool: pg.Pool,
  consumer: Consumer,
  report: Pick<Relay, 'log' | 'metrics'>,
): Promise<number> =>
  inTransaction(pool, async (tx) => {
    const cursor = (
      await tx.query<{ xact: string; id: number; attempts: number }>(
        `select xact::text, id, attempts from outbox_cursors
         where consumer = $1 and (retry_at is null or retry_at <= clock_timestamp()) for update skip locked`,
        [consumer.name],
      )
    ).rows[0];
    if (!cursor) return 0;
    const { rows } = await tx.query<OutboxRow>(nextRows, [cursor.xact, cursor.id, [...consumer.topics]]);
    const oldest = rows[0];
    report.metrics.outboxLag.set(
      { consumer: consumer.name },
      oldest ? Math.max(0, await lagSeconds(tx, oldest.created_at)) : 0,
    );
    let passed = 0;
    let attempts = cursor.attempts;
    for (const row of rows) {
      if (consumer.topics.has(row.topic)) {
        const failure = await tryFact(tx, consumer, row);
        if (failure) {
          attempts += 1;
          if (attempts < maxAttempts) {
            await moveCursor(tx, consumer, rows[passed - 1] ?? cursor, { attempts, error: failure });
            report.log.warn(
              { consumer: consumer.name, topic: row.topic, attempts, err: failure },
              'a fact was not digested',
            );
            return passed;
          }
          await park(tx, consumer, row, failure);
          report.metrics.outboxParked.inc({ consumer: consumer.name });
          report.log.error(
            { consumer: consumer.name, topic: row.topic, err: failure },
            'a fact was dead-lettered',
          );
        }
        attempts = 0;
      }
      passed += 1;
    }
    const last = rows.at(-1);
    if (last) await moveCursor(tx, consumer, last);
    return passed;
  });

const lagSeconds = async (tx: pg.PoolClient, since: Date): Promise<number> =>
  (
    await tx.query<{ lag: number }>('select extract(epoch from clock_timestamp() - $1)::float8 as lag', [
      since,
    ])
  ).rows[0]?.lag ?? 0;

const tryFact = async (tx: pg.PoolClient, consumer: Consumer, row: OutboxRow): Promise<Error | undefined> => {
  await tx.query('savepoint fact');
  try {
    await consumer.handle(tx, {
      topic: row.topic,
      orgId: row.org_id,
      payload: row.payload,
      createdAt: row.created_at,
    });
    await tx.query('release savepoint fact');
    return undefined;
  } catch (error) {
    await tx.query('rollback to savepoint fact');
    return error as Error;
  }
};

const moveCursor = async (
  tx: pg.PoolClient,
  consumer: Consumer,
  to: { xact: string; id: number },
  retry?: { attempts: number; error: Error },
): Promise<void> => {
  await tx.query(
    `update outbox_cursors set xact = $2::xid8, id = $3, attempts = $4, last_error = $5,
       retry_at = case when $4 > 0 then clock_timestamp() + least(power(2, $4), 300) * interval '0.25 s' end
     where consumer = $1`,
    [consumer.name, to.xact, to.id, retry?.attempts ?? 0, retry?.error.message ?? null],
  );
};

const park = async (tx: pg.PoolClient, consumer: Consumer, row: OutboxRow, error: Error): Promise<void> => {
  await tx.query(
    `insert into outbox_parked (consumer, xact, id, topic, payload, error) values ($1, $2::xid8, $3, $4, $5, $6)
     on conflict do nothing`,
    [consumer.name, row.xact, row.id, row.topic, JSON.stringify(row.payload), error.message],
  );
};

export interface Relay {
  pool: pg.Pool;
  listener: Listener;
  consumers: readonly Consumer[];
  log: Log;
  metrics: Metrics;
}

/** Runs every consumer until stopped: woken by NOTIFY, and once a second for what became readable in between. */
export const startRelay = async (relay: Relay): Promise<{ stop: () => Promise<void> }> => {
  const { pool, listener, consumers, log } = relay;
  const stopping = new AbortController();
  // One listener for each consumer that waits is as meant.
  setMaxListeners(consumers.length + 1, stopping.signal);
  const wakers = new Set<() => void>();
  await listener.on('outbox', () => {
    for (const wake of wakers) wake();
  });
  for (const { name } of consumers) {
    await pool.query(
      `insert into outbox_cursors (consumer, xact, id) values ($1, '0', 0) on conflict do nothing`,
      [name],
    );
  }

  await adoptForeignPositions(pool);

  const run = async (consumer: Consumer) => {
    while (!stopping.signal.aborted) {
      const passed = await consumeOnce(pool, consumer, relay).catch((error: Error) => {
        if (!stopping.signal.aborted)
          log.warn({ err: error, consumer: consumer.name }, 'the outbox could not be read');
        return 0;
      });
      if (passed === 0) await pause();
    }
  };
  /** Until woken or a second has passed. A wake is followed by a short wait: its transaction may just be ending. */
  const pause = async () => {
    const nap = new AbortController();
    const wake = () => nap.abort();
    wakers.add(wake);
    stopping.signal.addEventListener('abort', wake, { once: true });
    await sleep(idlePollMs, undefined, { signal: nap.signal }).catch(() => sleep(20));
    stopping.signal.removeEventListener('abort', wake);
    wakers.delete(wake);
  };

  const running = consumers.map(run);
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};

/**
 * After a restore into another PostgreSQL the transaction numbers of the old one may lie in the new one's future, where
 * no reader would ever see them: such rows come first, in the order of their ids.
 */
const adoptForeignPositions = async (pool: pg.Pool): Promise<void> => {
  for (const table of ['outbox', 'outbox_cursors']) {
    await pool.query(
      `update ${table} set xact = '1'::xid8 where xact >= pg_snapshot_xmax(pg_current_snapshot())`,
    );
  }
};

/** Facts older than what any stream replays and every consumer has passed are dropped, a bounded number at a time. */
export const trimOutbox = async (pool: pg.Pool, keepHours: number): Promise<number> => {
  const { rowCount } = await pool.query(
    `delete from outbox where (xact, id) in (
       select xact, id from outbox
       where created_at < now() - make_interval(hours => $1)
         and (xact, id) <= all (select xact, id from outbox_cursors)
       order by created_at limit 10000)`,
    [keepHours],
  );
  return rowCount ?? 0;
};
