import type { RuleDefinition } from '@simcube/contract/autoflow';
import type pg from 'pg';
import { withClient } from './cluster.ts';
import type { Fleet } from './fleet.ts';

type RuleDraft = Pick<RuleDefinition, 'trigger' | 'actions'> & Partial<RuleDefinition>;

const ruleDefaults = {
  scope: { kind: 'all' },
  active_from: null,
  active_until: null,
  group_minutes: null,
} as const;

/** Inserts enabled rules of the organisation as the console would, owned by its only person. @returns their ids */
export const armRules = async (
  client: pg.Client,
  { orgId }: Fleet,
  drafts: readonly RuleDraft[],
): Promise<number[]> => {
  const definitions = drafts.map((draft) => ({ ...ruleDefaults, ...draft }));
  const { rows } = await client.query<{ id: number }>(
    `with given as (select gen_random_uuid()::text as name, v.definition
       from jsonb_array_elements($2) as v (definition)),
     made as (
       insert into autoflow_rules (org_id, name, kind, enabled, armed_at, owner_id, created_at, updated_at)
       select $1, name, definition -> 'trigger' ->> 'kind', true, now(),
         (select user_id from memberships where org_id = $1 limit 1), now(), now()
       from given returning id, name)
     insert into autoflow_rule_versions (rule_id, version, definition, created_at)
     select made.id, 1, given.definition, now() from made join given using (name) returning rule_id::int as id`,
    [orgId, JSON.stringify(definitions)],
  );
  if (!drafts.some(({ trigger }) => trigger.kind === 'data-usage')) return rows.map(({ id }) => id);
  await client.query(
    `insert into usage_watches (org_id, version) values ($1, nextval('usage_watch_versions'))
     on conflict (org_id) do update set version = excluded.version`,
    [orgId],
  );
  await client.query(`notify usage_watches`);
  return rows.map(({ id }) => id);
};

const periods = ['cycle', 'day', 'month'] as const;
const scopes = [
  { kind: 'all' },
  { kind: 'tags', tags: ['site-1', 'site-2'] },
  { kind: 'product-type', types: ['prepaid basic'] },
] as const satisfies readonly RuleDefinition['scope'][];

/** Rules on usage in all periods and scopes, with thresholds that the measured usage does not reach. */
export const distantRules = (count: number): RuleDraft[] =>
  Array.from({ length: count }, (_, index) => ({
    trigger: {
      kind: 'data-usage',
      period: periods[index % periods.length] ?? 'day',
      threshold: { unit: 'GB', amount: 1 + (index % 1024) },
    },
    scope: { ...scopes[Math.floor(index / periods.length) % scopes.length] } as RuleDefinition['scope'],
    actions: [{ kind: 'add-tag', tag: 'over' }],
  }));

export const ruleCount = 1000;
/** The lowest threshold of the far rules, octets. */
const nearestThreshold = 2 ** 30;

export const armDistantRules = async (fleet: Fleet): Promise<void> => {
  await withClient(fleet.databaseUrl, (client) => armRules(client, fleet, distantRules(ruleCount)));
};

/** Arms the rules as after the first record of each SIM: the usage from which it must be checked is known. */
export const armEvaluatedRules = async (fleet: Fleet): Promise<void> => {
  await armDistantRules(fleet);
  await withClient(fleet.databaseUrl, async (client) => {
    await client.query(
      `update sim_live l set watch_bytes = l.used_bytes + $1, watch_version = w.version
       from usage_watches w where w.org_id = l.org_id`,
      [nearestThreshold],
    );
    await client.query('vacuum full sim_live');
    await client.query('analyze sim_live');
  });
};
