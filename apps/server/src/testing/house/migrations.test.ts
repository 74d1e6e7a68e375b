import { describe, expect, it } from 'vitest';
import { contractMigrations, lastBeforeRolling } from './contract-migrations.ts';
import { breaksOf } from './migration-breaks.ts';
import { sourceFiles } from './source-tree.ts';

const migrations = sourceFiles((path) => /^apps\/server\/migrations\/\d{4}_\w+\.sql$/.test(path))
  .map(({ path, text }) => ({ name: path.slice(path.lastIndexOf('/') + 1), text }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
const rolling = migrations.filter(({ name }) => name.slice(0, 4) > lastBeforeRolling);

const breaks = (text: string) =>
  breaksOf({ name: 'new.sql', text }, [{ name: 'old.sql', text: 'create unique index u on t (a);' }]);

describe('a running previous version', () => {
  it.each([
    ['drop table t', 'drops the table t'],
    ['drop view if exists v cascade', 'drops the view v'],
    ['drop function f(bigint)', 'drops the function f'],
    ['drop index u', 'drops the unique index u'],
    ['alter table t drop column a', 'drops the column a (t)'],
    ['alter table t\n  add column b int,\n  drop column if exists a', 'drops the column a (t)'],
    ['alter table t rename column a to b', 'renames (t)'],
    ['alter table t rename to s', 'renames (t)'],
    ['alter view v rename to w', 'renames'],
    ['alter table t alter column a type text', 'changes the type of a (t)'],
    ['alter table t alter column a set not null', 'wants a (t)'],
    ['alter table t alter column a drop default', 'wants a (t)'],
    ['alter table t add column b bigint not null', 'wants b (t)'],
    ['alter table t add constraint c check (a > 0)', 'adds a constraint (t)'],
    ['alter table t drop constraint c', 'drops the constraint c (t)'],
    ['create unique index x on t (b)', 'makes t unique by x'],
    ['ALTER TABLE "t" DROP COLUMN "a"', 'drops the column a (t)'],
  ])('is broken by: %s', (text, expected) => {
    expect(breaks(`create table other (id bigint);\n${text};`)).toEqual([expected]);
  });

  it.each([
    'create table t (a bigint not null, unique (a)); create unique index x on t (a); alter table t add check (a > 0)',
    'alter table t add column b bigint not null default 0, add column c text',
    'alter table t add column b bigint not null generated always as (coalesce(a, 0)) stored',
    'drop index plain_idx; create index plain_idx on t (a, b)',
    'drop view v; create view v as select 1 as a',
    'create or replace view v as select 1 as a, 2 as b',
    'alter table t drop constraint t_other_id_fkey, drop constraint t_check',
    'drop index u; create unique index u on t (a) include (b)',
    'alter table t drop constraint t_pkey; alter table t add primary key (a) include (b)',
    "-- drop table t\ncomment on table t is 'drop table t; rename'",
    'create function f() returns void language plpgsql as $$ begin drop table if exists scratch; end $$',
  ])('is not broken by: %s', (text) => {
    expect(breaks(text)).toEqual([]);
  });
});

describe('migrations', () => {
  it('do not break the previous version, unless listed with a reason', () => {
    const found = rolling
      .filter(({ name }) => !(name in contractMigrations))
      .flatMap((migration) => breaksOf(migration, migrations).map((what) => `${migration.name} ${what}`));
    expect(found).toEqual([]);
  });

  it('are listed only if they break it', () => {
    const known = new Map(rolling.map((migration) => [migration.name, migration]));
    for (const [name, why] of Object.entries(contractMigrations)) {
      const migration = known.get(name);
      expect(migration && breaksOf(migration, migrations), name).not.toEqual([]);
      expect(migration, name).toBeDefined();
      expect(why.length, name).toBeGreaterThan(20);
    }
  });

  it('of former versions are judged correctly', () => {
    const of = (name: string) =>
      migrations.filter((one) => one.name === name).flatMap((one) => breaksOf(one, migrations));
    expect(of('0201_cdr_moved_hours.sql')).toEqual(['drops the view cdr_moved_orgs']);
    expect(of('0210_sms_messages_of_sims.sql')).toEqual([]);
  });
});
