import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, migrate, renderTypes, type Sql } from '../../platform/db/index.ts';
import { testDatabase } from '../database.ts';
import { projectRoot } from './source-tree.ts';

const migrations = join(projectRoot, 'apps/server/migrations');
const opened: Database[] = [];
let directory: string;
let names: string[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-migrations-'));
  names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
});

afterAll(async () => {
  for (const database of opened) await database.close();
  await rm(directory, { recursive: true, force: true });
});

const emptyDatabase = async (): Promise<Database> => {
  const database = await testDatabase({ max: 2, empty: true });
  opened.push(database);
  return database;
};

/** A directory with the first `count` migrations, as an earlier version had them. */
const earlier = async (count: number): Promise<string> => {
  const home = await mkdtemp(join(directory, 'first-'));
  for (const name of names.slice(0, count)) await copyFile(join(migrations, name), join(home, name));
  return home;
};

/** Everything that defines a schema, in comparable form: relations, columns, indexes, constraints, functions. */
const snapshot = async (sql: Sql): Promise<Record<string, unknown[]>> => {
  const queries = {
    relations: `select relname, relkind, reloptions, pg_get_partkeydef(oid) as partitioned from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') order by 1`,
    columns: `select table_name, ordinal_position, column_name, data_type, udt_name, is_nullable, column_default,
        is_identity, identity_generation, is_generated, generation_expression, character_maximum_length
      from information_schema.columns where table_schema = 'public' order by 1, 2`,
    indexes: `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
    constraints: `select conrelid::regclass::text as on_table, conname, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    functions: `select p.proname, pg_get_functiondef(p.oid) as definition from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1, 2`,
    triggers: `select tgrelid::regclass::text as on_table, tgname, pg_get_triggerdef(oid) as definition
      from pg_trigger where not tgisinternal order by 1, 2`,
    extensions: `select extname from pg_extension order by 1`,
    migrations: `select name, checksum from schema_migrations order by 1`,
  };
  const results: Record<string, unknown[]> = {};
  for (const [name, query] of Object.entries(queries)) results[name] = (await sql.query(query)).rows;
  return results;
};

describe('the schema', () => {
  it('is the same whether created at once or version by version', async () => {
    const [atOnce, grown] = [await emptyDatabase(), await emptyDatabase()];
    expect(await migrate(atOnce.pool, migrations)).toEqual(names);
    for (const [index, name] of names.entries()) {
      expect(await migrate(grown.pool, await earlier(index + 1))).toEqual([name]);
    }
    const expected = await snapshot(atOnce.pool);
    const { relations = [], functions = [] } = expected;
    expect(relations.length).toBeGreaterThan(20);
    expect(functions.length).toBeGreaterThan(0);
    expect(await snapshot(grown.pool)).toEqual(expected);
  });

  it('is migrated from the last version, and keeps rows', async () => {
    const [fresh, used] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(fresh.pool, migrations);
    await migrate(used.pool, await earlier(names.length - 1));
    const before = await fill(used.pool);
    expect(await migrate(used.pool, migrations)).toEqual(names.slice(-1));
    expect(await snapshot(used.pool)).toEqual(await snapshot(fresh.pool));
    expect(await read(used.pool)).toEqual(before);
  });

  it('is created once by concurrent processes', async () => {
    const database = await emptyDatabase();
    const done = await Promise.all([1, 2].map(() => migrate(database.pool, migrations)));
    expect(done.flat()).toEqual(names);
  });

  it('is not migrated if an applied migration was changed', async () => {
    const database = await emptyDatabase();
    const home = await earlier(2);
    await migrate(database.pool, home);
    const file = join(home, names[0] ?? '');
    await writeFile(file, `${await readFile(file, 'utf8')}\n-- one more word`);
    await expect(migrate(database.pool, home)).rejects.toThrow('was changed after it had been applied');
  });

  it('is unchanged when a migration fails', async () => {
    const database = await emptyDatabase();
    const home = await earlier(2);
    await migrate(database.pool, home);
    const before = await snapshot(database.pool);
    await writeFile(join(home, '0003_broken.sql'), 'create table half_done (id bigint);\nselect 1 / 0;');
    await expect(migrate(database.pool, home)).rejects.toThrow('division by zero');
    expect(await snapshot(database.pool)).toEqual(before);
  });

  it('matches the generated types', async () => {
    const database = await emptyDatabase();
    await migrate(database.pool, migrations);
    const written = await readFile(join(projectRoot, 'apps/server/src/platform/db/schema.gen.ts'), 'utf8');
    expect(written, 'Run npm run generate:types').toBe(await renderTypes(database.pool));
  });
});

/** Adds a row to what every version has. */
const fill = async (sql: Sql) => {
  await sql.query(`insert into organisations (code, name, country) values ('northwind', 'Northwind', 'GB')`);
  await sql.query(
    `insert into users (email, first_name, last_name, password_hash) values ('a@example.com', 'A', 'B', 'x')`,
  );
  await sql.query(
    `insert into memberships (user_id, org_id, role) select u.id, o.id, 'admin' from users u, organisations o`,
  );
  return read(sql);
};

const read = async (sql: Sql) =>
  (
    await sql.query(
      'select * from memberships join users on users.id = user_id join organisations o on o.id = org_id',
    )
  ).rows;
