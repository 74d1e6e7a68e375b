import { ruleDefinitionSchema, type TriggerKind } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';
import type { ArmedRule, ListsBySim } from './armed-rule.rules.ts';

interface CachedRules {
  state: string;
  rules: readonly ArmedRule[];
}

/** Maximum number of organisations whose rules are cached. */
const maxCachedOrganisations = 1000;
const cache = new Map<number, CachedRules>();

/**
 * The enabled rules of an organisation. They are read again only after a change: an organisation has up to thousands,
 * and every fact asks for them.
 */
export const listArmedRules = async (sql: Sql, orgId: number): Promise<readonly ArmedRule[]> => {
  const state = await readState(sql, orgId);
  const known = cache.get(orgId);
  if (known?.state === state) return known.rules;
  const rules = await readArmedRules(sql, orgId);
  if (cache.size >= maxCachedOrganisations) cache.clear();
  cache.set(orgId, { state, rules });
  return rules;
};

const readState = async (sql: Sql, orgId: number): Promise<string> =>
  (
    await sql.query<{ state: string }>({
      name: 'autoflow-armed-state',
      text: `select concat_ws(' ', current_database(), count(*), sum(id), sum(version), sum(extract(epoch from armed_at))) as state
             from autoflow_rules where org_id = $1 and enabled`,
      values: [orgId],
    })
  ).rows[0]?.state ?? '';

const readArmedRules = async (sql: Sql, orgId: number): Promise<ArmedRule[]> => {
  const { rows } = await sql.query<{ id: number; version: number; definition: unknown; since: Date }>(
    `select r.id, r.version, v.definition, greatest(r.armed_at, r.active_from) as since
     from autoflow_rules r join autoflow_rule_versions v on v.rule_id = r.id and v.version = r.version
     where r.org_id = $1 and r.enabled order by r.id`,
    [orgId],
  );
  return rows.map(({ id, version, definition, since }) => {
    const { trigger, scope, actions, active_until, group_minutes } = ruleDefinitionSchema.parse(definition);
    return {
      id,
      version,
      trigger,
      scope,
      actions,
      groupMinutes: group_minutes,
      since: since.getTime(),
      until: active_until === null ? null : Date.parse(active_until),
    };
  });
};

/** Whether the organisation has enabled rules on one of these triggers. */
export const hasArmedRules = async (
  sql: Sql,
  orgId: number,
  kinds: readonly TriggerKind[],
): Promise<boolean> =>
  (
    await sql.query<{ has: boolean }>({
      name: 'autoflow-has-armed',
      text: 'select exists (select from autoflow_rules where org_id = $1 and enabled and kind = any($2)) as has',
      values: [orgId, kinds],
    })
  ).rows[0]?.has ?? false;

/** By SIM: the lists that contain it. */
export const findListsOfSims = async (sql: Sql, simIds: readonly number[]): Promise<ListsBySim> => {
  const { rows } = await sql.query<{ sim_id: number; lists: string[] }>(
    `select sim_id, array_agg(distinct list_id::text) as lists from autoflow_list_sims
     where sim_id = any($1::bigint[]) group by 1`,
    [simIds],
  );
  return new Map(rows.map(({ sim_id, lists }) => [sim_id, new Set(lists)]));
};
