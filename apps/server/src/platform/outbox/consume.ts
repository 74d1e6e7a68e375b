import type pg from 'pg';
import { inTransaction, isUnavailableError } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { SpanKind, traced } from '../tracing/index.ts';
import type { Consumer, Fact, OutboxRow } from './consumers.ts';
import { deadLetter } from './dead-letters.ts';

export interface Report {
  log: Log;
  metrics: Metrics;
}

interface Position {
  xact: string;
  id: number;
}

/** The readable part of the outbox, and the first facts in it that the consumer wants. */
interface Readable {
  horizon: Position | undefined;
  rows: OutboxRow[];
}

const batchSize = 200;
const maxAttempts = 8;

/**
 * Only rows below every running transaction, because one that commits later can't be older than what was read.
 * Facts of other topics are skipped in the database, up to the last readable row.
 */
const nextRows = `
  with horizon as (
    select xact, id from outbox where xact < pg_snapshot_xmin(pg_current_snapshot())
    order by outbox.xact desc, id desc limit 1)
  select horizon.xact::text as "horizonXact", horizon.id as "horizonId",
    fact.xact::text as xact, fact.id, fact.topic, fact.org_id, fact.payload, fact.created_at
  from horizon left join lateral (
    select * from outbox o
    where (o.xact, o.id) > ($1::xid8, $2) and (o.xact, o.id) <= (horizon.xact, horizon.id) and o.topic = any($3)
    order by o.xact, o.id limit ${batchSize}) fact on true
  order by fact.xact, fact.id`;

/**
 * One round of a consumer: it locks the cursor (so that only one process works), handles facts, and moves the
 * cursor in the same transaction. A fact that fails is retried with growing pauses, then dead-lettered.
 * @returns how many facts were dealt with, and whether there are no further ones to read
 */
export const consumeOnce = (
  pool: pg.Pool,
  consumer: Consumer,
  report: Report,
): Promise<{ handled: number; isCaughtUp: boolean }> =>
  inTransaction(pool, async (tx) => {
    const cursor = (
      await tx.query<Position & { attempts: number }>(
        `select xact::text, id, attempts from outbox_cursors
         where consumer = $1 and (retry_at is null or retry_at <= clock_timestamp()) for update skip locked`,
        [consumer.name],
      )
    ).rows[0];
    if (!cursor) return { handled: 0, isCaughtUp: true };
    const { horizon, rows } = await readNext(tx, cursor, consumer);
    let { attempts } = cursor;
    const handled = attempts === 0 && rows.length > 1 ? await handleBatch(tx, consumer, rows) : 0;
    if (handled > 0 && handled < rows.length) {
      await moveCursor(tx, consumer, rows[handled - 1] ?? cursor);
      return { handled, isCaughtUp: false };
    }
    for (const [index, row] of handled > 0 ? [] : rows.entries()) {
      const failure = await tryFact(tx, consumer, row);
      if (failure) {
        // A cluster's node may be unavailable for long while the coordinator responds: the fact is not at
        // fault.
        const isUnavailable = isUnavailableError(failure);
        attempts = isUnavailable ? Math.min(attempts + 1, maxAttempts - 1) : attempts + 1;
        const logFields = { consumer: consumer.name, topic: row.topic, attempts, err: failure };
        if (attempts < maxAttempts) {
          await moveCursor(tx, consumer, rows[index - 1] ?? cursor, { attempts, error: failure });
          report.log.warn(logFields, 'a consumer failed to process a fact');
          return { handled: index, isCaughtUp: true };
        }
        await deadLetter(tx, { consumer: consumer.name, row, attempts, error: failure });
        report.log.error(logFields, 'a fact was dead-lettered');
      }
      attempts = 0;
    }
    const end = rows.length < batchSize ? horizon : rows.at(-1);
    // The readable end is behind the cursor if the newest facts were trimmed.
    if (end && isBehind(cursor, end)) await moveCursor(tx, consumer, end);
    return { handled: rows.length, isCaughtUp: rows.length < batchSize };
  });

const readNext = async (tx: pg.PoolClient, from: Position, { topics }: Consumer): Promise<Readable> => {
  const { rows } = await tx.query<OutboxRow & { horizonXact: string; horizonId: number }>(nextRows, [
    from.xact,
    from.id,
    [...topics],
  ]);
  const [first] = rows;
  return {
    horizon: first && { xact: first.horizonXact, id: first.horizonId },
    rows: rows.filter(({ xact }) => xact !== null),
  };
};

const isBehind = (position: Position, other: Position): boolean => {
  const [own, theirs] = [BigInt(position.xact), BigInt(other.xact)];
  return own < theirs || (own === theirs && position.id < other.id);
};

const factOf = ({ topic, org_id: orgId, payload, created_at: createdAt }: OutboxRow): Fact => ({
  topic,
  orgId,
  payload,
  createdAt,
});

/**
 * @returns how many facts were handled; 0 for a consumer that handles them one by one, and if handling them
 * together failed
 */
const handleBatch = async (
  tx: pg.PoolClient,
  consumer: Consumer,
  rows: readonly OutboxRow[],
): Promise<number> => {
  const { handleAll } = consumer;
  if (!handleAll) return 0;
  let handled = 0;
  const failure = await attempt(tx, async () => {
    handled = await traced(spanOf(consumer, rows), () => handleAll(tx, rows.map(factOf)));
  });
  return failure ? 0 : handled;
};

const tryFact = (tx: pg.PoolClient, consumer: Consumer, row: OutboxRow): Promise<Error | undefined> =>
  attempt(tx, () => traced(spanOf(consumer, [row]), () => consumer.handle(tx, factOf(row))));

const spanOf = ({ name }: Consumer, { length }: readonly OutboxRow[]) => ({
  name: `outbox ${name}`,
  kind: SpanKind.CONSUMER,
  attributes: { 'simcube.facts': length },
});

const attempt = async (tx: pg.PoolClient, work: () => Promise<void>): Promise<Error | undefined> => {
  await tx.query('savepoint fact');
  try {
    await work();
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
  to: Position,
  retry?: { attempts: number; error: Error },
): Promise<void> => {
  await tx.query(
    `update outbox_cursors set xact = $2::xid8, id = $3, attempts = $4, last_error = $5, seen_at = now(),
       retry_at = case when $4 > 0 then clock_timestamp() + least(power(2, $4), 300) * interval '0.25 s' end
     where consumer = $1`,
    [consumer.name, to.xact, to.id, retry?.attempts ?? 0, retry?.error.message ?? null],
  );
};
