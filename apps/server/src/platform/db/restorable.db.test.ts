import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type Database, inTransaction, type Sql } from './index.ts';

/** As in pg_restore: no schema is on the search path; a dump names all of them. */
const asRestored = <T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T> =>
  inTransaction(database.pool, async (tx) => {
    await tx.query(`set local search_path = ''`);
    return work(tx);
  });

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('a dump of the database', () => {
  it('has immutable functions that work with an empty search_path', async () => {
    const { rows } = await database.pool.query<{ call: string }>(
      `select format('select public.%I(%s)', p.proname, string_agg(format('%s::%s',
           case t.typname when 'text' then '''Ñ b''' when '_text' then '''{a}'''
             when 'timestamptz' then '''2026-11-21''' else '7' end, t.oid::regtype), ', '
           order by a.place)) as call
       from pg_proc p
         cross join unnest(p.proargtypes::oid[]) with ordinality as a (type, place)
         join pg_type t on t.oid = a.type
       where p.pronamespace = 'public'::regnamespace and p.provolatile = 'i'
         and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       group by p.oid, p.proname order by 1`,
    );
    expect(rows.map(({ call }) => call).join()).toContain('sim_search_text');
    for (const { call } of rows) await asRestored(database, (sql) => sql.query(call));
  });
});
