import { type ErrorCode, type Language, limits } from '@simcube/contract';
import {
  type Measured,
  type RuleActionKind,
  type RuleRun,
  type RunState,
  runStates,
  type TriggerKind,
} from '@simcube/contract/autoflow';
import { dayMs } from '@simcube/contract/time';
import { errorText } from '@simcube/phrases';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { caseVariants, simsBy } from '../../sim/index.ts';
import { inRunState, runStateOf } from './run-state.views.ts';

interface RunRow {
  id: number;
  rule_id: number;
  version: number;
  iccid: string;
  happened_at: Date;
  fired_at: Date;
  measured: Measured;
  chain: number[];
  state: 0 | 1 | 2;
}

export interface RunFilter {
  ruleId?: number | undefined;
  iccid?: string | undefined;
  state?: RunState | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const historyMs = limits.autoflow.historyDays * dayMs;

/** Firings of an organisation's rules, latest first, within the run history. */
export const runList: List<{ orgId: number }, RunFilter, RunRow, RunRow> = {
  name: 'autoflow.runs',
  tables: [
    {
      name: 'firings',
      from: () => sql`autoflow_firings as firings`,
      inScope: ({ scope, now }) =>
        sql`org_id = ${scope.orgId} and fired_at > ${new Date(now.getTime() - historyMs)}`,
    },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  order: [{ column: 'fired_at', type: 'instant', descending: true }],
  filters: {
    ruleId: (id) => sql`rule_id = ${id}`,
    iccid: (iccid) =>
      sql`sim_id in (select i.sim_id from ${sql.raw(simsBy('iccid'))} i where i.value = any(${caseVariants(iccid)}::text[]))`,
    state: (state, { scope }) => inRunState(state, scope.orgId),
    from: (from) => sql`fired_at >= ${from}::timestamptz`,
    to: (to) => sql`fired_at < ${to}::timestamptz`,
  },
  countLimit: limits.countedTotal,
  select: sql`id, rule_id, version, happened_at, fired_at, measured, chain, state,
    (select s.iccid from sims s where s.id = sim_id) as iccid`,
  show: (rows) => rows,
};

interface ActionRow {
  firing_id: number;
  kind: RuleActionKind;
  state: 0 | 1 | 2;
  code: ErrorCode | null;
  ended_at: Date | null;
  task: string | null;
  notification_id: string | null;
  delivery: RuleRun['actions'][number]['delivery'];
}

/** The rows with their rules and the results of their actions. */
export const showRuns = async (
  from: Sql,
  rows: readonly RunRow[],
  language: Language,
): Promise<RuleRun[]> => {
  const ruleIds = [...new Set(rows.flatMap(({ rule_id: id, chain }) => [id, ...chain]))];
  const [rules, versions, actions] = await Promise.all([
    from.query<{ id: number; name: string }>(
      'select id, name from autoflow_rules where id = any($1::bigint[])',
      [ruleIds],
    ),
    from.query<{ rule_id: number; version: number; kind: TriggerKind }>(
      `select rule_id, version, definition -> 'trigger' ->> 'kind' as kind from autoflow_rule_versions
       where (rule_id, version) in (select * from unnest($1::bigint[], $2::integer[]))`,
      [rows.map(({ rule_id: id }) => id), rows.map(({ version }) => version)],
    ),
    from.query<ActionRow>(
      `select a.firing_id, a.kind, a.state, a.code, a.ended_at, a.task, a.notification_id, d.delivery
       from autoflow_firing_actions a left join lateral (
         select case when bool_or(state = 2) then 'failed' when bool_or(state = 0) then 'waiting' else 'delivered' end as delivery
         from deliveries where notification_id = a.notification_id having count(*) > 0) as d on true
       where a.firing_id = any($1::bigint[]) order by a.firing_id, a.position`,
      [rows.map(({ id }) => id)],
    ),
  ]);
  const rulesById = new Map(rules.rows.map((rule) => [rule.id, rule]));
  const kindsByVersion = new Map(
    versions.rows.map(({ rule_id: id, version, kind }) => [`${id} ${version}`, kind]),
  );
  return rows.flatMap((row) => {
    const rule = rulesById.get(row.rule_id);
    const trigger = kindsByVersion.get(`${row.rule_id} ${row.version}`);
    if (!rule || !trigger) return [];
    const own = actions.rows.filter(({ firing_id: id }) => id === row.id);
    return {
      id: String(row.id),
      rule: { id: String(rule.id), name: rule.name, version: row.version },
      trigger,
      iccid: row.iccid,
      happened_at: row.happened_at.toISOString(),
      at: row.fired_at.toISOString(),
      measured: row.measured,
      chain: row.chain.map((id) => ({ id: String(id), name: rulesById.get(id)?.name ?? '' })),
      state: runStateOf(row.state, own),
      actions: own.map((action) => toRunAction(action, language)),
    };
  });
};

const toRunAction = (
  { kind, state, code, ended_at, task, notification_id, delivery }: ActionRow,
  language: Language,
): RuleRun['actions'][number] => ({
  kind,
  state: runStates[state],
  code,
  message: code && errorText(language, code),
  at: ended_at?.toISOString() ?? null,
  task,
  notification_id,
  delivery,
});
