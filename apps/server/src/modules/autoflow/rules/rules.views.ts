import { limits } from '@simcube/contract';
import {
  type AutoflowRule,
  type RuleCondition,
  type RuleDefinition,
  type RuleSummary,
  ruleDefinitionSchema,
  runStates,
  type Scope,
  type ScopeKind,
  type TriggerKind,
} from '@simcube/contract/autoflow';
import { dayMs } from '@simcube/contract/time';
import { type SqlBool, sql } from 'kysely';
import type { Db, Sql } from '../../../platform/db/index.ts';
import type { Fragment, List } from '../../../platform/lists/index.ts';
import { countScope } from '../scopes/scope.views.ts';
import { conditionOf, daysOf, listIds } from './rule.rules.ts';
import { actionFailed, givenUpActions, runState } from './run-state.views.ts';

const { historyDays } = limits.autoflow;
/** The first of the last 30 days (UTC). */
export const firstDay = (now: Date): string =>
  new Date(now.getTime() - (historyDays - 1) * dayMs).toISOString().slice(0, 10);

interface RuleRow {
  id: number;
  name: string;
  version: number;
  enabled: boolean;
  armed_at: Date | null;
  active_from: Date | null;
  active_until: Date | null;
  created_at: Date;
  updated_at: Date;
  created_by_name: string | null;
  definition: unknown;
  last_at: Date | null;
  last_state: 0 | 1 | 2 | null;
  last_actions: number;
  last_failed: number;
}

export interface RuleFilter {
  id?: number | undefined;
  search?: string | undefined;
  condition?: RuleCondition | undefined;
  trigger?: TriggerKind | undefined;
  scope?: ScopeKind | undefined;
}

export type RuleSummaryFilter = Pick<RuleFilter, 'search' | 'trigger' | 'scope'>;

const lastFiring = (what: string) => `(select ${what} from autoflow_firings f where f.rule_id = rules.id
  order by f.fired_at desc, f.id desc limit 1)`;
const lastActions = (only: string) =>
  lastFiring(`(select count(*)::int from autoflow_firing_actions a where a.firing_id = f.id${only})`);
const lastState = lastFiring(runState);
const hasFailed = sql.raw(`coalesce(${lastState} = 2, false)`);
const isRunning = (now: Date) =>
  sql`enabled and coalesce(active_from <= ${now}, true) and coalesce(active_until > ${now}, true)`;

/** `enabled` and `disabled` are the two states; the others describe what enabled rules are doing. */
const conditions: Record<RuleCondition, (now: Date) => Fragment<SqlBool>> = {
  enabled: () => sql`enabled`,
  disabled: () => sql`not enabled`,
  waiting: (now) => sql`(enabled and active_from > ${now} and coalesce(active_until > ${now}, true))`,
  ended: (now) => sql`(enabled and active_until <= ${now})`,
  failing: (now) => sql`(${isRunning(now)} and ${hasFailed})`,
};

const search = (part: string) => sql<SqlBool>`strpos(folded(name), folded(${part})) > 0`;
const onTrigger = (kind: TriggerKind) => sql<SqlBool>`kind = ${kind}`;
const withScope = (kind: ScopeKind) =>
  sql<SqlBool>`exists (select from autoflow_rule_versions v where v.rule_id = rules.id
    and v.version = rules.version and v.definition -> 'scope' ->> 'kind' = ${kind})`;

/** Rules of an organisation, newest first. `fired` counts firings since `since`. */
export const ruleList: List<
  { orgId: number; since: string },
  RuleFilter,
  RuleRow,
  RuleRow,
  'name' | 'created_at' | 'fired'
> = {
  name: 'autoflow.rules',
  tables: [
    {
      name: 'rules',
      from: ({
        scope,
      }) => sql`(select r.*, (select coalesce(sum(d.firings), 0)::bigint from autoflow_rule_days d
        where d.rule_id = r.id and d.day >= ${scope.since}::date) as fired from autoflow_rules r) as rules`,
      inScope: ({ scope }) => sql`org_id = ${scope.orgId} and removed_at is null`,
    },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  sorts: {
    name: { column: sql`folded(name)`, type: 'text' },
    created_at: { column: 'created_at', type: 'instant' },
    fired: { column: 'fired', type: 'integer' },
  },
  order: [],
  filters: {
    id: (id) => sql`id = ${id}`,
    search,
    condition: (condition, { now }) => conditions[condition](now),
    trigger: onTrigger,
    scope: withScope,
  },
  countLimit: 'all',
  select: sql.raw(`id, name, version, enabled, armed_at, active_from, active_until, created_at, updated_at,
    (select v.definition from autoflow_rule_versions v where v.rule_id = rules.id and v.version = rules.version)
      as definition,
    (select u.first_name || ' ' || u.last_name from users u where u.id = created_by) as created_by_name,
    ${lastFiring('f.fired_at')} as last_at, ${lastState} as last_state,
    coalesce(${lastActions('')}, 0) as last_actions, coalesce(${lastActions(` and ${actionFailed}`)}, 0) as last_failed`),
  show: (rows) => rows,
};

/** The rows for display, with the URLs of API targets if the caller may read targets. */
export const showRules = async (
  from: Sql,
  rows: readonly RuleRow[],
  { orgId, withUrls, now }: { orgId: number; withUrls: boolean; now: Date },
): Promise<AutoflowRule[]> => {
  const parsed = rows.map((row) => ({ row, definition: ruleDefinitionSchema.parse(row.definition) }));
  const [targets, lists, days] = await Promise.all([
    readTargets(from, parsed, { orgId, withUrls }),
    readLists(from, parsed),
    readDays(from, { ruleIds: rows.map(({ id }) => id), since: firstDay(now) }),
  ]);
  const result: AutoflowRule[] = [];
  const simsOf = createScopeCounter(from, orgId);
  for (const { row, definition } of parsed) {
    const ids = listIds(definition);
    const counts = days.get(row.id) ?? new Map<string, number>();
    const perDay = daysOf(counts, { now, days: historyDays });
    result.push({
      ...identityOf(row, now),
      ...definition,
      targets: definition.actions.map((action) =>
        'group_id' in action ? (targets.get(action.group_id) ?? null) : null,
      ),
      scope_list: lists.get(ids.scope ?? '') ?? null,
      imei_list: lists.get(ids.imeis ?? '') ?? null,
      sims: await simsOf(definition.scope),
      fired: { total: perDay.reduce((sum, { count }) => sum + count, 0), days: perDay },
      last_run: lastRunOf(row),
    });
  }
  return result;
};

/** Counts the SIMs of a scope once for all rules that have it. */
const createScopeCounter = (from: Sql, orgId: number): ((scope: Scope) => Promise<number>) => {
  const counted = new Map<string, number>();
  return async (scope) => {
    const key = JSON.stringify(scope);
    const sims = counted.get(key) ?? (await countScope(from, { orgId, scope }));
    counted.set(key, sims);
    return sims;
  };
};

const identityOf = (row: RuleRow, now: Date) => ({
  id: String(row.id),
  name: row.name,
  version: row.version,
  enabled: row.enabled,
  condition: conditionOf(
    {
      enabled: row.enabled,
      from: row.active_from,
      until: row.active_until,
      hasFailed: row.last_state === 2,
    },
    now,
  ),
  armed_at: row.armed_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by_name,
  updated_at: row.updated_at.toISOString(),
});

const lastRunOf = ({ last_at: at, last_state: state, ...row }: RuleRow): AutoflowRule['last_run'] =>
  at === null || state === null
    ? null
    : {
        at: at.toISOString(),
        state: runStates[state],
        actions: row.last_actions,
        failed: row.last_failed,
      };

type ParsedRules = readonly { definition: RuleDefinition }[];
type Target = NonNullable<AutoflowRule['targets'][number]>;

const readTargets = async (
  from: Sql,
  parsed: ParsedRules,
  { orgId, withUrls }: { orgId: number; withUrls: boolean },
): Promise<Map<string, Target>> => {
  const ids = parsed.flatMap(({ definition }) =>
    definition.actions.flatMap((action) => ('group_id' in action ? [action.group_id] : [])),
  );
  const { rows } = await from.query<Target & { id: string }>(
    `select id::text as id, name, cardinality(addresses) as addresses,
       case when kind = 'api' and $3 then addresses[1] end as url
     from notification_targets where org_id = $1 and id = any($2::bigint[])`,
    [orgId, ids, withUrls],
  );
  return new Map(rows.map(({ id, ...target }) => [id, target]));
};

type RuleListSummary = NonNullable<AutoflowRule['scope_list']>;

const readLists = async (from: Sql, parsed: ParsedRules): Promise<Map<string, RuleListSummary>> => {
  const ids = parsed.flatMap(({ definition }) =>
    Object.values(listIds(definition)).filter((id) => id !== null),
  );
  const { rows } = await from.query<RuleListSummary & { id: string }>(
    `select id::text as id, name, digest,
       (select count(*)::int from autoflow_list_sims s where s.list_id = l.id) as rows
     from autoflow_lists l where id = any($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...list }) => [id, list]));
};

const readDays = async (
  from: Sql,
  { ruleIds, since }: { ruleIds: readonly number[]; since: string },
): Promise<Map<number, Map<string, number>>> => {
  const { rows } = await from.query<{ rule_id: number; day: string; firings: number }>(
    `select rule_id, day::text as day, firings::float8 as firings from autoflow_rule_days
     where rule_id = any($1::bigint[]) and day >= $2::date`,
    [ruleIds, since],
  );
  const byRule = new Map<number, Map<string, number>>();
  for (const { rule_id: id, day, firings } of rows) {
    const days = byRule.get(id) ?? new Map<string, number>();
    byRule.set(id, days.set(day, firings));
  }
  return byRule;
};

/** The summary above the list: counts of the rules that match a filter. */
export const readSummary = async (
  db: Db,
  { orgId, filter, now }: { orgId: number; filter: RuleSummaryFilter; now: Date },
): Promise<RuleSummary> => {
  const found = sql.join(
    [
      ...(filter.search ? [search(filter.search)] : []),
      ...(filter.trigger ? [onTrigger(filter.trigger)] : []),
      ...(filter.scope ? [withScope(filter.scope)] : []),
      sql`true`,
    ],
    sql` and `,
  );
  const { rows } = await sql<RuleSummary>`
    select count(*) filter (where found)::int as rules,
      count(*) filter (where found and enabled)::int as enabled,
      count(*) filter (where found and not enabled)::int as disabled,
      count(*) filter (where found and ${conditions.failing(now)})::int as failing,
      coalesce(sum(d.firings) filter (where found), 0)::float8 as firings,
      coalesce(sum(d.actions) filter (where found), 0)::float8 as actions,
      coalesce(sum(coalesce(d.failed, 0) + coalesce(g.actions, 0)) filter (where found), 0)::float8 as failed
    from autoflow_rules as rules
    cross join lateral (select ${found} as found) as f
    left join lateral (
      select sum(firings) as firings, sum(actions) as actions, sum(failed) as failed from autoflow_rule_days
      where rule_id = rules.id and day >= ${firstDay(now)}::date) as d on true
    left join (${givenUpActions({ orgId, since: firstDay(now) })}) as g on g.rule_id = rules.id
    where org_id = ${orgId} and removed_at is null`.execute(db);
  const [summary] = rows;
  if (!summary) throw new Error('Nothing was counted');
  return summary;
};

export const countRules = async (from: Sql, orgId: number): Promise<number> =>
  (
    await from.query<{ count: number }>(
      'select count(*)::int as count from autoflow_rules where org_id = $1 and removed_at is null',
      [orgId],
    )
  ).rows[0]?.count ?? 0;

/** Rules that notify a target, enabled or not, by name. */
export const listRulesWithTarget = async (
  from: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<string[]> => {
  const { rows } = await from.query<{ name: string }>(
    `select r.name from autoflow_rules r
     join autoflow_rule_versions v on v.rule_id = r.id and v.version = r.version
     where r.org_id = $1 and r.removed_at is null
       and v.definition @> jsonb_build_object('actions', jsonb_build_array(jsonb_build_object('group_id', $2::text)))
     order by lower(r.name)`,
    [orgId, String(id)],
  );
  return rows.map(({ name }) => name);
};

/** Whether the organisation has the rule, even if it was removed. */
export const isOwnRule = async (db: Db, { orgId, id }: { orgId: number; id: number }): Promise<boolean> =>
  (await sql`select from autoflow_rules where id = ${id} and org_id = ${orgId}`.execute(db)).rows.length > 0;

/** The version of a rule of the organisation that is the given number before the newest; null if there is none. */
export const findVersion = async (
  from: Sql,
  { orgId, id, back }: { orgId: number; id: number; back: number },
): Promise<{ version: number; definition: RuleDefinition } | null> => {
  const { rows } = await from.query<{ version: number; definition: unknown }>(
    `select v.version, v.definition from autoflow_rules r
     join autoflow_rule_versions v on v.rule_id = r.id and v.version = r.version - $3::integer
     where r.id = $1 and r.org_id = $2 and r.removed_at is null`,
    [id, orgId, back],
  );
  const [row] = rows;
  return row ? { version: row.version, definition: ruleDefinitionSchema.parse(row.definition) } : null;
};

/** ICCIDs of a list, for SIMs that the organisation owns. */
export const listIccids = async (
  from: Sql,
  { orgId, listId }: { orgId: number; listId: string },
): Promise<string[]> =>
  (
    await from.query<{ iccid: string }>(
      `select s.iccid from autoflow_list_sims l join sims s on s.id = l.sim_id
       where l.list_id = $1 and s.org_id = $2 order by s.iccid`,
      [listId, orgId],
    )
  ).rows.map(({ iccid }) => iccid);
