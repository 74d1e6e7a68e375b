import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { connect, type Database } from '../platform/db/index.ts';

/** A fresh copy of the migrated database, or an empty one, for one test file; `close` drops it. */
export const testDatabase = async (options: { max?: number; empty?: boolean } = {}): Promise<Database> => {
  const server = new URL(inject('databaseUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: new URL('/postgres', server).href });
    await client.connect();
    try {
      // Copies of one template exclude each other; files that start together take turns.
      await client.query('select pg_advisory_lock(1)');
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name} template ${options.empty ? 'template1' : 'simcube'}`);
  const url = new URL(`/${name}`, server).href;
  const database = connect({ url, max: options.max ?? 8, name: 'simcube test', onError: () => undefined });
  return {
    ...database,
    close: async () => {
      await database.close();
      await admin(`drop database ${name} with (force)`);
    },
  };
};
