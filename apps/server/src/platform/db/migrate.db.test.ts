import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createLog } from '../log/index.ts';
import { compareMigrations, connect, type Database, migrate } from './index.ts';

let database: Database;
/** The database of a server whose statements may take only a second. */
let server: Database;
let directory: string;
let lines: string[];

beforeEach(async () => {
  database = await testDatabase({ empty: true });
  server = connect({
    url: database.url,
    max: 4,
    name: 'simcube test server',
    onError: () => undefined,
    statementSeconds: 1,
  });
  directory = await mkdtemp(join(tmpdir(), 'simcube-migrate-'));
  lines = [];
});
afterEach(async () => {
  await server.close();
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const log = () =>
  createLog({
    level: 'info',
    format: 'json',
    destination: { write: (line: string) => void lines.push(line) },
  });
const add = (name: string, text: string) => writeFile(join(directory, name), text);
const rowsOf = async (text: string) => (await database.pool.query(text)).rows;
const tables = async () =>
  (await rowsOf(`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`))
    .map(({ relname }) => relname)
    .sort();
/** Polls the database, because another session's progress can't be awaited. */
const until = async (question: string) => {
  while ((await rowsOf(question)).length === 0);
};
const waitsForLock = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const sleeps = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

describe('a migration', () => {
  it('is not subject to the statement timeout', async () => {
    await add('0001_long.sql', 'create table long as select pg_sleep(1.5)::text');
    expect(await migrate(server.pool, directory)).toEqual(['0001_long.sql']);
    // On its connection, too, only the migration had unlimited time.
    await expect(server.pool.query('select pg_sleep(1.5)')).rejects.toMatchObject({ code: '57014' });
  });

  it('is awaited by a concurrent process beyond the statement timeout', async () => {
    await add('0001_long.sql', 'create table long as select pg_sleep(2.5)::text');
    const first = migrate(database.pool, directory);
    await until(sleeps);
    expect(await migrate(server.pool, directory, { log: log() })).toEqual([]);
    expect(await first).toEqual(['0001_long.sql']);
    expect(lines.filter((line) => line.includes('another process is migrating'))).toHaveLength(1);
  });

  it('that waits for a lock yields to other statements, reports the holder, and is retried', async () => {
    await database.pool.query('create table used (id bigint)');
    await add('0001_used.sql', 'alter table used add column name text');
    const reader = await database.pool.connect();
    await reader.query('begin; select * from used');
    const migrated = migrate(server.pool, directory, { log: log(), lockMs: 100, pauseMs: 10 });
    await until(waitsForLock);
    // Queued behind the migration, which gives up its lock and retries.
    await database.pool.query('select * from used');
    await expect.poll(() => lines.length).toBeGreaterThan(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'a migration is waiting for tables in use; retrying',
      migration: '0001_used.sql',
      longestTransaction: { name: 'simcube test', pid: expect.any(Number) },
    });
    await reader.query('commit');
    reader.release();
    expect(await migrated).toEqual(['0001_used.sql']);
  });

  it('is aborted and rolled back on shutdown', async () => {
    const stopping = new AbortController();
    await add('0001_first.sql', 'create table first (id bigint)');
    await add('0002_long.sql', 'create table half (id bigint); select pg_sleep(600)');
    const migrated = migrate(server.pool, directory, { signal: stopping.signal });
    migrated.catch(() => undefined);
    await until(sleeps);
    stopping.abort();
    await expect(migrated).rejects.toThrow();
    expect(await tables()).toEqual(['first', 'schema_migrations']);
    await add('0002_long.sql', 'create table half (id bigint)');
    expect(await migrate(database.pool, directory)).toEqual(['0002_long.sql']);
  });

  it('stops waiting for the lock on shutdown', async () => {
    const stopping = new AbortController();
    await add('0001_long.sql', 'select pg_sleep(2)');
    const first = migrate(database.pool, directory);
    await until(sleeps);
    const second = migrate(server.pool, directory, { signal: stopping.signal });
    stopping.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(await first).toEqual(['0001_long.sql']);
  });

  it('whose connection is killed is rolled back and applied by the next process', async () => {
    await add('0001_first.sql', 'create table first (id bigint)');
    await add('0002_long.sql', 'create table half (id bigint); select pg_sleep(600)');
    const migrated = migrate(server.pool, directory);
    migrated.catch(() => undefined);
    await until(sleeps);
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'simcube test server'`,
    );
    await expect(migrated).rejects.toThrow();
    expect(await tables()).toEqual(['first', 'schema_migrations']);
    await add('0002_long.sql', 'create table half (id bigint)');
    expect(await migrate(database.pool, directory)).toEqual(['0002_long.sql']);
  });

  it('is reported as pending or unknown', async () => {
    await add('0001_first.sql', 'create table first (id bigint)');
    await add('0002_second.sql', 'create table second (id bigint)');
    const compared = () => compareMigrations(database.pool, directory);
    expect(await compared()).toEqual({
      applied: [],
      pending: ['0001_first.sql', '0002_second.sql'],
      unknown: [],
    });
    await migrate(database.pool, directory);
    await rm(join(directory, '0002_second.sql'));
    expect(await compared()).toMatchObject({ pending: [], unknown: ['0002_second.sql'] });
  });
});
