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

/** Those of the organisation's rules that are on data usage, in the order of their ids. */
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

/** The SIMs of a scope that have used most in their cycles, of those that it is counted over. */
export const listMostUsing = async (
  pool: pg.Pool,
  scope: RuleScope,
  { most, amongRanked }: { most: number; amongRanked: boolean },
): Promise<{ id: number; limit: number | null }[]> => {
  const ranked = amongRanked
    ? fragment`and s.id in (select k.sim_id from org_usage_rank k where k.org_id = ${scope.orgId})`
    : fragment``;
  const { rows } = await fragment<{ id: number; limit: number | null }>`
    select s.id, l.limit_bytes as limit from sims s join sim_live l on l.sim_id = s.id
    where ${inScope(scope)} ${ranked} order by l.used_bytes desc, s.id limit ${most}`.execute(typed(pool));
  return rows;
};

export interface Delay {
  ruleId: number | null;
  seconds: number;
}

/**
 * From the end of a record until the actions of firings were done, in 99 of 100, since an instant: of the rules, and of all of
 * the organisation's (`ruleId` null). What a file brought late says nothing of it.
 */
export const listDelays = async (
  from: Sql,
  { orgId, since }: { orgId: number; since: Date },
): Promise<Delay[]> =>
  (
    await from.query<Delay>(
      `select f.rule_id as "ruleId",
         percentile_cont(0.99) within group (order by extract(epoch from a.ended_at - f.happened_at))::float8 as seconds
       from autoflow_firings f join autoflow_firing_actions a on a.firing_id = f.id
       where f.org_id = $1 and f.fired_at > $2 and a.state = 1 and f.measured ->> 'unit' = 'octets'
         and f.fired_at - f.happened_at < interval '1 hour' and a.ended_at >= f.happened_at
       group by grouping sets ((f.rule_id), ()) having count(*) > 0`,
      [orgId, since],
    )
  ).rows;

/** By rule: the most that a firing stood past its threshold, since an instant. */
export const listSeen = async (
  from: Sql,
  { orgId, ruleIds, since }: { orgId: number; ruleIds: readonly number[]; since: Date },
): Promise<Map<number, number>> => {
  const { rows } = await from.query<{ id: number; bytes: number }>(
    `select rule_id as id, max((measured ->> 'value')::float8 - (measured ->> 'threshold')::float8) as bytes
     from autoflow_firings
     where rule_id = any($2::bigint[]) and org_id = $1 and fired_at > $3 and measured ->> 'unit' = 'octets' group by 1`,
    [orgId, ruleIds, since],
  );
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
};
