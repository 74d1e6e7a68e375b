import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { migrate } from '../platform/db/index.ts';
import { testDatabase } from './database.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * A database as it was before a migration, to test what the migration does with its rows.
 * @param first `NNNN`: all migrations before it are applied
 */
export const databaseBefore = async (first: string) => {
  const database = await testDatabase({ empty: true });
  const directory = await mkdtemp(join(tmpdir(), 'simcube-former-'));
  for (const name of await readdir(migrations))
    if (name < first) await copyFile(join(migrations, name), join(directory, name));
  await migrate(database.pool, directory);
  return {
    pool: database.pool,
    /** Applies only these migrations. */
    apply: async (...names: string[]): Promise<void> => {
      for (const name of names) await copyFile(join(migrations, name), join(directory, name));
      expect(await migrate(database.pool, directory)).toEqual(names);
    },
    close: async (): Promise<void> => {
      await database.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
