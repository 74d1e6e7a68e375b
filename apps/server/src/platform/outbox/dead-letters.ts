import type pg from 'pg';
import { inTransaction, type Sql } from '../db/index.ts';
import type { Consumer, OutboxRow } from './consumers.ts';

/** A fact that a consumer has given up: it waits for the operator, while later facts are delivered. */
export interface DeadLetteredFact {
  id: number;
  consumer: string;
  topic: string;
  orgId: number | null;
  payload: unknown;
  attempts: number;
  error: string;
  recordedAt: Date;
  deadLetteredAt: Date;
}

const columns = `id, consumer, topic, org_id as "orgId", payload, attempts, error, recorded_at as "recordedAt",
  dead_lettered_at as "deadLetteredAt"`;

export const deadLetter = async (
  tx: Sql,
  { consumer, row, attempts, error }: { consumer: string; row: OutboxRow; attempts: number; error: Error },
): Promise<void> => {
  await tx.query(
    `insert into dead_lettered_facts (consumer, xact, fact_id, topic, org_id, payload, attempts, error, recorded_at)
     values ($1, $2::xid8, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    [
      consumer,
      row.xact,
      row.id,
      row.topic,
      row.org_id,
      JSON.stringify(row.payload),
      attempts,
      error.message,
      row.created_at,
    ],
  );
};

/** The oldest first, optionally of one consumer. */
export const listDeadLetteredFacts = async (
  sql: Sql,
  { consumer, limit }: { consumer?: string | undefined; limit: number },
): Promise<DeadLetteredFact[]> =>
  (
    await sql.query<DeadLetteredFact>(
      `select ${columns} from dead_lettered_facts where $1::text is null or consumer = $1 order by id limit $2`,
      [consumer ?? null, limit],
    )
  ).rows;

/** How many there are, and the id of the last. */
export const readDeadFactRange = async (
  sql: Sql,
  consumer: string | undefined,
): Promise<{ count: number; lastId: number }> => {
  const { rows } = await sql.query<{ count: number; lastId: number }>(
    `select count(*)::integer as count, coalesce(max(id), 0) as "lastId"
     from dead_lettered_facts where $1::text is null or consumer = $1`,
    [consumer ?? null],
  );
  return rows[0] ?? { count: 0, lastId: 0 };
};

/** Ids after one and up to another, in ascending order. */
export const listDeadFactIds = async (
  sql: Sql,
  {
    consumer,
    after,
    until,
    limit,
  }: { consumer?: string | undefined; after: number; until: number; limit: number },
): Promise<number[]> => {
  const { rows } = await sql.query<{ id: number }>(
    `select id from dead_lettered_facts where ($1::text is null or consumer = $1) and id > $2 and id <= $3
     order by id limit $4`,
    [consumer ?? null, after, until, limit],
  );
  return rows.map(({ id }) => id);
};

export const findDeadLetteredFact = async (sql: Sql, id: number): Promise<DeadLetteredFact | undefined> =>
  (await sql.query<DeadLetteredFact>(`select ${columns} from dead_lettered_facts where id = $1`, [id]))
    .rows[0];

/** The number for each consumer. */
export const countDeadLetteredFacts = async (sql: Sql): Promise<Map<string, number>> => {
  const { rows } = await sql.query<{ consumer: string; count: number }>(
    'select consumer, count(*) from dead_lettered_facts group by consumer',
  );
  return new Map(rows.map(({ consumer, count }) => [consumer, count]));
};

/** @returns those that existed */
export const dropDeadLetteredFacts = async (tx: Sql, ids: readonly number[]): Promise<DeadLetteredFact[]> =>
  (
    await tx.query<DeadLetteredFact>(
      `delete from dead_lettered_facts where id = any($1) returning ${columns}`,
      [ids],
    )
  ).rows;

/**
 * Delivers one again, only to its consumer, in a separate transaction together with what `inSameTransaction`
 * records; if the consumer fails again, only the stored error changes. The fact arrives after facts that were recorded later.
 * @throws Error when there is none, when its consumer is no longer defined, or the consumer's own error
 */
export const retryDeadLetteredFact = async (
  pool: pg.Pool,
  id: number,
  options: {
    consumers: readonly Consumer[];
    inSameTransaction: (tx: pg.PoolClient, letter: DeadLetteredFact) => Promise<void>;
  },
): Promise<DeadLetteredFact> => {
  const failed: { by?: Error } = {};
  try {
    return await inTransaction(pool, async (tx) => {
      // Deleted with the commit; a concurrent retry waits for it.
      const [letter] = await dropDeadLetteredFacts(tx, [id]);
      if (!letter) throw new Error(`There is no dead-lettered fact ${id}`);
      const consumer = options.consumers.find(({ name }) => name === letter.consumer);
      if (!consumer)
        throw new Error(`There is no longer a consumer called ${letter.consumer}: drop the fact`);
      const { topic, orgId, payload, recordedAt: createdAt } = letter;
      await consumer.handle(tx, { topic, orgId, payload, createdAt }).catch((error: Error) => {
        failed.by = error;
        throw error;
      });
      await options.inSameTransaction(tx, letter);
      return letter;
    });
  } catch (error) {
    if (failed.by) {
      await pool.query(
        'update dead_lettered_facts set attempts = attempts + 1, error = $2, dead_lettered_at = now() where id = $1',
        [id, failed.by.message],
      );
    }
    throw error;
  }
};
