import type pg from 'pg';
import type { Sql } from '../db/index.ts';
import type { Consumer } from './consumers.ts';

/**
 * Registers new consumers. Their cursor starts after every fact that can be read now: facts of concurrent
 * transactions may still appear behind it.
 */
export const registerConsumers = async (sql: Sql, consumers: readonly Consumer[]): Promise<void> => {
  for (const { name, from } of consumers) {
    await sql.query(
      `insert into outbox_cursors (consumer, xact, id)
       select $1, coalesce(last.xact, '0'), coalesce(last.id, 0)
       from (values (1)) one left join lateral (
         select xact, id from outbox where $2 and xact < pg_snapshot_xmin(pg_current_snapshot())
         order by outbox.xact desc, id desc limit 1) last on true
       on conflict do nothing`,
      [name, from !== 'beginning'],
    );
  }
};

/** Records that a running process defines them. An active consumer records it whenever its cursor moves. */
export const touchConsumers = async (sql: Sql, names: readonly string[]): Promise<void> => {
  await sql.query(
    `update outbox_cursors set seen_at = now()
     where consumer in (select consumer from outbox_cursors where consumer = any($1) for update skip locked)`,
    [names],
  );
};

/** Consumers that have something to read and are not waiting for their next attempt. */
export const findConsumersBehind = async (sql: Sql, names: readonly string[]): Promise<string[]> => {
  const { rows } = await sql.query<{ consumer: string }>(
    `select consumer from outbox_cursors c
     where consumer = any($1) and (retry_at is null or retry_at <= clock_timestamp())
       and exists (
         select 1 from outbox o
         where (o.xact, o.id) > (c.xact, c.id) and o.xact < pg_snapshot_xmin(pg_current_snapshot()))`,
    [names],
  );
  return rows.map(({ consumer }) => consumer);
};

/** For how many seconds the oldest fact that each consumer has not processed has been waiting; 0 if there is none. */
export const readLags = async (
  sql: Sql,
  consumers: readonly Consumer[],
): Promise<{ consumer: string; seconds: number }[]> => {
  const defined = consumers.map(({ name, topics }) => ({ consumer: name, topics: [...topics] }));
  const { rows } = await sql.query<{ consumer: string; seconds: number }>(
    `select c.consumer,
       greatest(0, coalesce(extract(epoch from clock_timestamp() - oldest.created_at), 0))::float8 as seconds
     from jsonb_to_recordset($1) as defined (consumer text, topics text[])
       join outbox_cursors c on c.consumer = defined.consumer
       left join lateral (
         select created_at from outbox o
         where (o.xact, o.id) > (c.xact, c.id) and o.topic = any(defined.topics)
         order by o.xact, o.id limit 1) oldest on true`,
    [JSON.stringify(defined)],
  );
  return rows;
};

/**
 * After a restore into another PostgreSQL, transaction ids of the old server may be in the new one's future, so
 * that readers would never see those rows: they are moved to the start, in the order of their ids.
 */
export const resetForeignPositions = async (pool: pg.Pool): Promise<void> => {
  for (const table of ['outbox', 'outbox_cursors']) {
    await pool.query(
      `update ${table} set xact = '1'::xid8 where xact >= pg_snapshot_xmax(pg_current_snapshot())`,
    );
  }
};

/** A consumer that no process has defined for this long is gone. */
const inactiveAfterHours = 24;

/**
 * Deletes facts that are older than any stream replays and that every consumer has passed, a limited number at
 * a time. A consumer that is gone delays nothing; if it returns, it continues at its cursor with what is left.
 */
export const trimOutbox = async (sql: Sql, retainedHours: number): Promise<number> => {
  const { rowCount } = await sql.query(
    `delete from outbox where (xact, id) in (
       select xact, id from outbox
       where created_at < now() - make_interval(hours => $1)
         and (xact, id) <= all (
           select xact, id from outbox_cursors where seen_at > now() - make_interval(hours => ${inactiveAfterHours}))
       order by created_at limit 10000)`,
    [retainedHours],
  );
  return rowCount ?? 0;
};

export interface ConsumerStatus {
  consumer: string;
  /** Whether this version of the programs defines it. */
  isDefined: boolean;
  /** Facts that it has not handled yet, counted up to a limit; undefined if it is not defined. */
  waiting: number | undefined;
  oldestAt: Date | null;
  attempts: number;
  retryAt: Date | null;
  error: string | null;
  seenAt: Date;
  deadLettered: number;
}

const maxCounted = 10_000;

/** The progress of each consumer, including those that are no longer defined. */
export const readConsumerStatus = async (
  sql: Sql,
  consumers: readonly Consumer[],
): Promise<ConsumerStatus[]> => {
  const topics = new Map(consumers.map((consumer) => [consumer.name, [...consumer.topics]]));
  const { rows } = await sql.query<Omit<ConsumerStatus, 'isDefined' | 'waiting' | 'oldestAt'> & Position>(
    `select c.consumer, c.xact::text, c.id, c.attempts, c.retry_at as "retryAt", c.last_error as error,
       c.seen_at as "seenAt",
       (select count(*) from dead_lettered_facts d where d.consumer = c.consumer) as "deadLettered"
     from outbox_cursors c order by c.consumer`,
  );
  const all: ConsumerStatus[] = [];
  for (const { xact, id, ...row } of rows) {
    const definedTopics = topics.get(row.consumer);
    const backlog = definedTopics && (await backlogOf(sql, { xact, id }, definedTopics));
    all.push({
      ...row,
      isDefined: definedTopics !== undefined,
      waiting: backlog?.waiting,
      oldestAt: backlog?.oldestAt ?? null,
    });
  }
  return all;
};

interface Position {
  xact: string;
  id: number;
}

const backlogOf = async (sql: Sql, { xact, id }: Position, topics: readonly string[]) =>
  (
    await sql.query<{ waiting: number; oldestAt: Date | null }>(
      `select count(*) as waiting, min(created_at) as "oldestAt" from (
         select created_at from outbox where (xact, id) > ($1::xid8, $2) and topic = any($3) limit ${maxCounted}) behind`,
      [xact, id, topics],
    )
  ).rows[0];
