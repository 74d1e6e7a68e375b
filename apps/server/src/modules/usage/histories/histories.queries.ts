import { deserialize, serialize } from 'node:v8';
import { int8Column, type Sql, type Statement } from '../../../platform/db/index.ts';

/** Distributed after all other tables by SIM: where it is, the others are too. */
export const writtenHistories = 'written_histories';

/** The histories of a node's SIMs that must be written to it, in one transaction. */
export interface NodePart {
  node: number;
  /** Any SIM of the part; the note that the node was given the part is stored with this SIM. */
  simId: number;
  statements: Statement[];
}

/** The remaining writes of a batch that is committed on the coordinator. */
export interface Unwritten {
  parts: NodePart[];
  /** Written on the coordinator when all nodes have their parts: facts, and sums of organisations. */
  followUps: Statement[];
}

export interface StoredUnwritten extends Unwritten {
  id: number;
}

/** In the transaction of the batch. @returns a statement that returns the id */
export const addUnwritten = (simIds: readonly number[], unwritten: Unwritten): Statement => ({
  name: 'usage-add-unwritten',
  text: 'insert into unwritten_histories (sim_ids, content) values ($1, $2) returning id',
  values: [int8Column(simIds, (simId) => simId), serialize(unwritten)],
});

/** Maximum number of entries in one list. */
export const unwrittenPageSize = 100;

/** Entries committed so long ago that their process has probably ended, oldest first, after an id. */
export const listUnwritten = async (
  sql: Sql,
  olderThanSeconds: number,
  after = 0,
): Promise<StoredUnwritten[]> => {
  const { rows } = await sql.query<{ id: number; content: Buffer }>(
    `select id, content from unwritten_histories where recorded_at < now() - make_interval(secs => $1)
       and id > $2 order by id limit ${unwrittenPageSize}`,
    [olderThanSeconds, after],
  );
  return rows.map(({ id, content }) => ({ id, ...(deserialize(content) as Unwritten) }));
};

export const countUnwritten = async (sql: Sql, olderThanSeconds: number): Promise<number> => {
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::integer as count from unwritten_histories where recorded_at < now() - make_interval(secs => $1)',
    [olderThanSeconds],
  );
  return rows[0]?.count ?? 0;
};

/** Whether no process has completed the entry. */
export const isUnwritten = async (sql: Sql, id: number): Promise<boolean> => {
  const { rows } = await sql.query<{ found: boolean }>(
    'select exists (select from unwritten_histories where id = $1) as found',
    [id],
  );
  return rows[0]?.found === true;
};

/** Together with the follow-up statements: fails (SC001) if another process has completed the entry. */
export const removeUnwritten = (id: number): Statement => ({
  name: 'usage-remove-unwritten',
  text: `with gone as (delete from unwritten_histories where id = $1 returning 1)
    select expect_rows('histories', (select count(*) from gone), 1)`,
  values: [id],
});

/** In the transaction that writes the node's part: fails by its key if the node already has it. */
export const markWritten = ({ simId, id }: { simId: number; id: number }): Statement => ({
  name: 'usage-note-written',
  text: 'insert into written_histories (sim_id, history_id) values ($1, $2)',
  values: [simId, id],
});

/** For completed entries. */
export const clearWrittenMark = ({ simId, id }: { simId: number; id: number }): Statement => ({
  name: 'usage-forget-written',
  text: 'delete from written_histories where sim_id = $1 and history_id = $2',
  values: [simId, id],
});

/**
 * Deletes old notes of completed entries that an ended process left behind. Notes are read before the open entries,
 * because an open entry is committed before its notes.
 */
export const clearStaleWrittenMarks = async (sql: Sql, olderThanSeconds: number): Promise<void> => {
  const { rows: marks } = await sql.query<{ simId: number; id: number }>(
    `select sim_id as "simId", history_id as id from written_histories
     where written_at < now() - make_interval(secs => $1)`,
    [olderThanSeconds],
  );
  const { rows: unwritten } = await sql.query<{ id: number }>('select id from unwritten_histories');
  const isUnwritten = new Set(unwritten.map(({ id }) => id));
  for (const mark of marks) if (!isUnwritten.has(mark.id)) await sql.query(clearWrittenMark(mark));
};

const counting = `hashtextextended('usage.counting', 0)`;

/**
 * Held by each transaction that counts usage on a cluster, until its commit is complete on all nodes: sums of organisations
 * and pools are then written on the coordinator, before or after the records on nodes.
 */
export const holdCounting: Statement = {
  name: 'usage-hold-counting',
  text: `select pg_advisory_xact_lock_shared(${counting})`,
  values: [],
};

/** Waits for all such transactions; later ones wait for this one, for less time than intake waits for a lock. */
export const lockCounting = async (tx: Sql): Promise<void> => {
  await tx.query(`set local lock_timeout = '10s'`);
  await tx.query(`select pg_advisory_xact_lock(${counting})`);
  await tx.query(`set local statement_timeout = '10s'`);
};

/** Whether anything must still be written to nodes. */
export const isAnyUnwritten = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ found: boolean }>(
    'select exists (select from unwritten_histories) as found',
  );
  return rows[0]?.found === true;
};

/** The latest end of a record that a file brought, milliseconds; unknown for files imported by earlier versions. */
export const findNewestImported = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ at: number }>({
    name: 'usage-newest-filed',
    text: `select date_part('epoch', coalesce(newest_at, 'infinity')) * 1000 as at from cdr_files
      order by newest_at desc limit 1`,
  });
  return rows[0]?.at ?? Number.NEGATIVE_INFINITY;
};
