import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Sql } from './pool.ts';

/** Any number that no other use of advisory locks in this database has. */
const migrationLock = 7_341_900_001;

/**
 * Brings the schema up to date: every `NNNN_name.sql` not yet applied, in order, each in its own transaction,
 * under a lock so that processes which start together do it once.
 * @returns the names applied now
 * @throws Error when a file that was applied has changed since: migrations are forward only
 */
export const migrate = async (pool: pg.Pool, directory: string): Promise<string[]> => {
  const files = (await readdir(directory)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  const client = await pool.connect();
  const applied: string[] = [];
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(
      `create table if not exists schema_migrations
         (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const known = new Map(
      (
        await client.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations')
      ).rows.map((row) => [row.name, row.checksum]),
    );
    for (const name of files) {
      const text = await readFile(join(directory, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const before = known.get(name);
      if (before === checksum) continue;
      if (before) throw new Error(`Migration ${name} was changed after it had been applied`);
      await client.query('begin');
      await client.query(text);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('commit');
      applied.push(name);
    }
    return applied;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => undefined);
    client.release();
  }
};

/** Names of migrations that were applied; none in a database that no server has opened yet. */
export const listAppliedMigrations = async (sql: Sql): Promise<string[]> => {
  const { rows: known } = await sql.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (known[0]?.exists !== true) return [];
  const { rows } = await sql.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
};
