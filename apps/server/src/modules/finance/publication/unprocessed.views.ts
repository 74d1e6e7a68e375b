import { lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';

/**
 * SIMs of which a cycle, an order in use or the pre-activation period ended by an instant, and no job has processed
 * it yet: cycles and orders that begin after it, and their fees, are missing.
 */
const unprocessedSql = `
  select sim_id from sim_live_keys where cycle_ends_at <= $1
  union
  select sim_id from bundle_orders where status = 'in use' and expires_at <= $1
  union
  select id from sims where lifecycle = ${lifecycleNumbers['pre-activated']} and not pre_activation_over
    and pre_activation_ends_at <= $1`;

const countOf = async (sql: Sql, text: string, values: readonly unknown[]): Promise<number> =>
  (await sql.query<{ sims: number }>(text, [...values])).rows[0]?.sims ?? 0;

export const countUnprocessed = (sql: Sql, until: Date): Promise<number> =>
  countOf(sql, `select count(*)::int as sims from (${unprocessedSql}) as u`, [until]);

/** Those that organisations have, or had in a month until whose end everything must be processed. */
export const countUnprocessedOf = (
  sql: Sql,
  { orgIds, from, until }: { orgIds: readonly number[]; from: Date; until: Date },
): Promise<number> =>
  countOf(
    sql,
    `with unprocessed as materialized (${unprocessedSql})
     select count(*)::int as sims from (
       select u.sim_id from unprocessed u join sims s on s.id = u.sim_id where s.org_id = any($2::bigint[])
       union
       select u.sim_id from unprocessed u join sim_ownerships o on o.sim_id = u.sim_id
       where o.org_id = any($2::bigint[]) and o.until > $3) as u`,
    [until, orgIds, from],
  );
