import type { Sql } from '../../../platform/db/index.ts';

/** The page at which the scan for this time continues; undefined if it is complete. */
export const openWalk = async (sql: Sql, before: Date): Promise<number | undefined> => {
  await sql.query('delete from session_walks where before < $1', [before]);
  await sql.query('insert into session_walks (before) values ($1) on conflict do nothing', [before]);
  const { rows } = await sql.query<{ page: number }>(
    'select page from session_walks where before = $1 and finished_at is null',
    [before],
  );
  return rows[0]?.page;
};

const rowAt = (page: number): string => `(${page},0)`;

/** Deletes sessions that ended before the given time from these pages of the table, read in disk order. */
export const deleteSessionsInPages = async (
  sql: Sql,
  { before, from, to }: { before: Date; from: number; to: number },
): Promise<number> => {
  const { rowCount } = await sql.query(
    'delete from radius_sessions where ctid >= $1::tid and ctid < $2::tid and stopped_at < $3',
    [rowAt(from), rowAt(to), before],
  );
  await sql.query('update session_walks set page = $2 where before = $1', [before, to]);
  return rowCount ?? 0;
};

export const hasPagesFrom = async (sql: Sql, page: number): Promise<boolean> => {
  const { rows } = await sql.query('select 1 from radius_sessions where ctid >= $1::tid limit 1', [
    rowAt(page),
  ]);
  return rows.length > 0;
};

export const finishWalk = async (sql: Sql, before: Date, at: Date): Promise<void> => {
  await sql.query('update session_walks set finished_at = $2 where before = $1', [before, at]);
};
