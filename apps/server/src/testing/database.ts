import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Database } from '../platform/db/index.ts';
import { closeDatabase, databaseAt, withClient } from './cluster.ts';

/** A fresh copy of the migrated database, or an empty one, for one test file; `close` drops it. */
export const testDatabase = async (options: { max?: number; empty?: boolean } = {}): Promise<Database> => {
  const servers = inject('databaseServers');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (statement: string) => {
    // A cluster's database has a counterpart with the same name on every node.
    for (const server of servers) {
      await withClient(databaseAt(server, 'postgres'), async (client) => {
        // Copies of one template exclude each other; files that start together take turns.
        await client.query('select pg_advisory_lock(1)');
        await client.query(statement);
      });
    }
  };
  // Copying the files takes a third of the time of copying through the write-ahead log.
  const template = options.empty ? 'template1' : 'simcube';
  await admin(`create database ${name} template ${template} strategy file_copy`);
  const url = databaseAt(inject('databaseUrl'), name);
  const database = connect({ url, max: options.max ?? 8, name: 'simcube test', onError: () => undefined });
  return {
    ...database,
    close: async () => {
      await database.close();
      if (servers.length > 1) await closeDatabase(servers, name);
      await admin(`drop database ${name} with (force)`);
    },
  };
};
