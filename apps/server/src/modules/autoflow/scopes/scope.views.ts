import type { RuleSim, Scope } from '@simcube/contract/autoflow';
import { type SqlBool, sql } from 'kysely';
import type { Db, Sql } from '../../../platform/db/index.ts';
import type { Fragment, List } from '../../../platform/lists/index.ts';
import { lifecycleOf } from '../../sim/index.ts';

/** An organisation, and which of its SIMs. */
export interface RuleScope {
  orgId: number;
  scope: Scope;
}

/** Tags of an organisation ($1) that are equal to given ones ($2), ignoring width and case. */
const spellingsSql = `(array(select t.tag from org_tags t where t.org_id = $1 and folded(t.tag) in
  (select folded(one) from unnest($2::text[]) as one)) || $2::text[])`;
const spellings = (orgId: number, tags: readonly string[]): Fragment =>
  sql`(array(select t.tag from org_tags t where t.org_id = ${orgId} and folded(t.tag) in
    (select folded(one) from unnest(${tags}::text[]) as one)) || ${tags}::text[])`;

/** Condition on SIMs, as `s`, that are currently in a scope. */
export const inScope = ({ orgId, scope }: RuleScope): Fragment<SqlBool> => {
  const own = sql<SqlBool>`s.org_id = ${orgId}`;
  switch (scope.kind) {
    case 'all':
      return own;
    case 'tags':
      return sql`${own} and s.tags && ${spellings(orgId, scope.tags)}`;
    case 'product-type':
      return sql`${own} and s.bundle_id in (select b.id from bundles b where b.type = any(${scope.types}::text[]))`;
    case 'uploaded':
    case 'manual':
      return sql`${own} and s.id in (select l.sim_id from autoflow_list_sims l where l.list_id = ${scope.list_id})`;
  }
};

const countQuery = ({ orgId, scope }: RuleScope): { text: string; values: unknown[] } => {
  switch (scope.kind) {
    // Counters have these numbers.
    case 'all':
      return {
        text: 'select coalesce(sum(sims), 0)::float8 as sims from org_sim_counts where org_id = $1',
        values: [orgId],
      };
    case 'tags':
      return scope.tags.length === 1
        ? {
            // A SIM has at most one of several spellings of a tag.
            text: `select coalesce(sum(sims), 0)::float8 as sims from org_tags
                   where org_id = $1 and folded(tag) = folded($2)`,
            values: [orgId, scope.tags[0]],
          }
        : {
            text: `select count(*)::float8 as sims from sims where org_id = $1 and tags && ${spellingsSql}`,
            values: [orgId, scope.tags],
          };
    case 'product-type':
      return {
        text: `select count(*)::float8 as sims from sims
               where org_id = $1 and bundle_id in (select id from bundles where type = any($2::text[]))`,
        values: [orgId, scope.types],
      };
    case 'uploaded':
    case 'manual':
      return {
        text: `select count(*)::float8 as sims from sims
               where org_id = $1 and id in (select sim_id from autoflow_list_sims where list_id = $2)`,
        values: [orgId, scope.list_id],
      };
  }
};

/** The current number of SIMs in a scope. */
export const countScope = async (from: Sql, scope: RuleScope): Promise<number> =>
  (await from.query<{ sims: number }>(countQuery(scope))).rows[0]?.sims ?? 0;

/** The current SIMs of a scope, by id. `sims`: of a list that is not stored. */
export const listScope = async (
  db: Db,
  { sims, ...scope }: RuleScope & { sims: readonly number[] | null },
): Promise<number[]> => {
  const own = sims ? sql`s.org_id = ${scope.orgId} and s.id = any(${sims}::bigint[])` : inScope(scope);
  const { rows } = await sql<{ ids: string | null }>`
    select string_agg(s.id::text, ' ' order by s.id) as ids from sims s where ${own}`.execute(db);
  const ids = rows[0]?.ids;
  return ids ? ids.split(' ').map(Number) : [];
};

/** The SIMs that belonged to another organisation before. */
export const listTransferred = async (from: Sql, simIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await from.query<{ id: number }>(
    'select id from sims where id = any($1::bigint[]) and ownership > 0',
    [simIds],
  );
  return new Set(rows.map(({ id }) => id));
};

interface RuleSimRow {
  id: number;
  iccid: string;
  device_name: string | null;
  lifecycle: number;
}

/** The current SIMs of a scope, by ICCID. */
export const ruleSimList: List<RuleScope, { search?: string | undefined }, RuleSimRow, RuleSimRow> = {
  name: 'autoflow.sims',
  tables: [{ name: 'sims', from: () => sql`sims s`, inScope: ({ scope }) => inScope(scope) }],
  key: { column: 'iccid', type: 'text' },
  order: [],
  filters: {
    search: (part) => sql`strpos(search_text, folded(${part})) > 0`,
  },
  countLimit: 100_000,
  select: sql`id, iccid, device_name, lifecycle`,
  show: (rows) => rows,
};

/** The rows with the rule's data about them. */
export const showRuleSims = async (
  from: Sql,
  sims: readonly RuleSimRow[],
  { ruleId, orgId, imeiList }: { ruleId: number; orgId: number; imeiList: string | null },
): Promise<RuleSim[]> => {
  const simIds = sims.map(({ id }) => id);
  const [fired, imeis] = await Promise.all([
    from.query<{ sim_id: number; at: Date }>(
      `select sim_id, max(fired_at) as at from autoflow_firings
       where rule_id = $1 and sim_id = any($2::bigint[]) and org_id = $3 group by 1`,
      [ruleId, simIds, orgId],
    ),
    from.query<{ sim_id: number; imeis: string[] }>(
      `select sim_id, array_agg(imei order by imei) as imeis from autoflow_list_sims
       where list_id = $1 and sim_id = any($2::bigint[]) group by 1`,
      [imeiList, simIds],
    ),
  ]);
  const lastFired = new Map(fired.rows.map(({ sim_id: id, at }) => [id, at]));
  const allowed = new Map(imeis.rows.map(({ sim_id: id, imeis: own }) => [id, own]));
  return sims.map(({ id, iccid, device_name, lifecycle }) => ({
    iccid,
    device_name,
    lifecycle: lifecycleOf(lifecycle),
    imeis: imeiList === null ? null : (allowed.get(id) ?? []),
    last_fired_at: lastFired.get(id)?.toISOString() ?? null,
  }));
};
