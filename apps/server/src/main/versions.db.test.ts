import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { testDatabase } from '../testing/database.ts';
import { runMain } from '../testing/run-program.ts';

let fresh: Database;
let database: Database;
beforeAll(async () => {
  [fresh, database] = [await testDatabase({ empty: true }), await testDatabase()];
});
afterAll(async () => {
  await fresh.close();
  await database.close();
});

const listOrgs = ({ url }: Database) =>
  runMain('cli', { env: { DATABASE_URL: url }, args: ['orgs', 'list', '--json'] });
const later = '9999_later.sql';

describe('a command', () => {
  it('migrates an empty database', async () => {
    expect(await listOrgs(fresh)).toMatchObject({ code: 0, out: '[]\n' });
  });

  it('rejects a database with the tables of another program, without changing it', async () => {
    const other = await testDatabase({ empty: true });
    await other.pool.query('create schema shop create table orders (id int)');
    expect(await listOrgs(other)).toMatchObject({
      code: 78,
      errors: expect.stringMatching(
        /^This database has tables, but not those of SimCube: check DATABASE_URL/,
      ),
    });
    const { rows } = await other.pool.query(
      `select count(*)::int as tables from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([{ tables: 0 }]);
    await other.close();
  });

  it('rejects a database that lacks a migration, without changing it', async () => {
    const { rows } = await database.pool.query(
      `delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum`,
    );
    const [last] = rows;
    expect(await listOrgs(database)).toMatchObject({
      code: 1,
      out: '',
      errors: expect.stringMatching(
        /^The database has not been migrated to this version yet \(migrations to apply: 1\)\. /,
      ),
    });
    await database.pool.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      last.name,
      last.checksum,
    ]);
    expect(await listOrgs(database)).toEqual({ code: 0, out: '[]\n', errors: '' });
  });

  it('works on a database of a newer version, with a warning', async () => {
    await database.pool.query(`insert into schema_migrations (name, checksum) values ($1, '')`, [later]);
    const { code, out, errors } = await listOrgs(database);
    expect({ code, out }).toEqual({ code: 0, out: '[]\n' });
    expect(JSON.parse(errors)).toMatchObject({
      migrations: 1,
      newest: later,
      msg: 'the database was migrated by a newer version than this one',
    });
  });
});
