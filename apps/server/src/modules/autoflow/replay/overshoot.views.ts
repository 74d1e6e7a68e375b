import { type DataThreshold, ruleDefinitionSchema, type Scope } from '@simcube/contract/autoflow';
import { sql as fragment } from 'kysely';
import type pg from 'pg';
import { type Sql, typed } from '../../../platform/db/index.ts';
import { inScope, type RuleScope } from '../scopes/scope.views.ts';

export interface ThresholdRule {
  id: number;
  version: number;
  threshold: DataThreshold;
  scope: Scope;
}

/** The organisation's rules on data usage among the given ones, in the order of ids. */
export const listThresholdRules = async (
  from: Sql,
  { orgId, ruleIds }: { orgId: number; ruleIds: readonly number[] },
): Promise<ThresholdRule[]> => {
  const { rows } = await from.query<{ id: number; version: number; definition: unknown }>(
    `select r.id, r.version, v.definition from autoflow_rules r
     join autoflow_rule_versions v on v.rule_id = r.id and v.version = r.version
     where r.id = any($2::bigint[]) and r.org_id = $1 and r.kind = 'data-usage' and r.removed_at is null order by r.id`,
    [orgId, ruleIds],
  );
  return rows.flatMap(({ id, version, definition }) => {
    const { trigger, scope } = ruleDefinitionSchema.parse(definition);
    return trigger.kind === 'data-usage' ? [{ id, version, threshold: trigger.threshold, scope }] : [];
  });
};

/**
 * The SIMs of a scope with the most usage in their cycles, among the organisation's ranked SIMs and `sorted` others;
 * all of them if the scope has no more.
 */
export const listMostUsing = async (
  pool: pg.Pool,
  scope: RuleScope,
  { limit, sorted }: { limit: number; sorted: number },
): Promise<{ id: number; limit: number | null }[]> => {
  const { rows } = await fragment<{ id: number; limit: number | null }>`
    with chosen as (
      (select s.id from sims s where ${inScope(scope)} limit ${sorted})
      union
      select s.id from org_usage_rank k join sims s on s.id = k.sim_id where k.org_id = ${scope.orgId} and ${inScope(scope)})
    select l.sim_id as id, l.limit_bytes as limit from chosen join sim_live l on l.sim_id = chosen.id
    order by l.used_bytes desc, l.sim_id limit ${limit}`.execute(typed(pool));
  return rows;
};

/** Maximum number of firings used; older ones say less about the present. */
const newestFirings = 1000;

/**
 * The 99th percentile of the time from the end of a record until the actions of its firing were done, since an
 * instant: by rule, and for all of the organisation's rules (null). Late records from files are excluded.
 */
export const listDelays = async (
  from: Sql,
  { orgId, ruleIds, since }: { orgId: number; ruleIds: readonly number[]; since: Date },
): Promise<Map<number | null, number>> => {
  const { rows } = await from.query<{ ruleId: number | null; seconds: number }>(
    `select asked.rule_id as "ruleId",
       percentile_cont(0.99) within group (order by extract(epoch from a.ended_at - f.happened_at))::float8 as seconds
     from unnest($2::bigint[] || null::bigint) as asked (rule_id)
     cross join lateral (
       (select id, happened_at, fired_at, measured from autoflow_firings
        where rule_id = asked.rule_id and org_id = $1 and fired_at > $3
        order by fired_at desc, id desc limit ${newestFirings})
       union all
       (select id, happened_at, fired_at, measured from autoflow_firings
        where asked.rule_id is null and org_id = $1 and fired_at > $3
        order by fired_at desc, id desc limit ${newestFirings})) as f
     join autoflow_firing_actions a on a.firing_id = f.id
     where a.state = 1 and f.measured ->> 'unit' = 'octets'
       and f.fired_at - f.happened_at < interval '1 hour' and a.ended_at >= f.happened_at
     group by 1`,
    [orgId, ruleIds, since],
  );
  return new Map(rows.map(({ ruleId, seconds }) => [ruleId, seconds]));
};

/** By rule: how far a firing was past its threshold at most, on days (UTC) since an instant. */
export const listWorstOvershoots = async (
  from: Sql,
  { ruleIds, since }: { ruleIds: readonly number[]; since: Date },
): Promise<Map<number, number>> => {
  const { rows } = await from.query<{ id: number; bytes: number }>(
    `select rule_id as id, max(beyond_bytes)::float8 as bytes from autoflow_rule_days
     where rule_id = any($1::bigint[]) and day > ($2::timestamptz at time zone 'UTC')::date and beyond_bytes is not null
     group by 1`,
    [ruleIds, since],
  );
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
};
