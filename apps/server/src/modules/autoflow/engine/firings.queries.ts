import type { Measured, TriggerKind } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';

export interface NewFiring {
  ruleId: number;
  version: number;
  simId: number;
  key: string;
  at: number;
  keptUntil: number;
  measured: Measured;
  chain: readonly number[];
  /** The rule's actions in order, and which of them are gathered with later ones. */
  actions: readonly { kind: string; gathered: boolean }[];
}

export interface Firing {
  id: number;
  ruleId: number;
  simId: number;
  iccid: string;
  /** Name of the rule. */
  rule: string;
  trigger: TriggerKind;
  /** Milliseconds. */
  at: number;
  measured: Measured;
}

/**
 * Records firings of rules, with their actions. Occasions for which a rule has already fired are skipped.
 * @returns the new firings
 */
export const insertFirings = async (
  tx: Sql,
  { orgId, firings, now }: { orgId: number; firings: readonly NewFiring[]; now: Date },
): Promise<Firing[]> => {
  const { rows } = await tx.query<Firing>(
    `with given as (
       select * from jsonb_to_recordset($2) as v ("ruleId" bigint, version integer, "simId" bigint, key text, at float8,
         "keptUntil" float8, measured jsonb, chain bigint[], actions jsonb)),
     fired as (
       insert into autoflow_firings (org_id, rule_id, version, sim_id, key, happened_at, fired_at, measured, chain, kept_until)
       select $1, "ruleId", version, "simId", key, to_timestamp(at / 1000), $3, measured, chain,
         to_timestamp("keptUntil" / 1000)
       from given order by "ruleId", "simId", key
       on conflict (rule_id, sim_id, key) do nothing
       returning id, rule_id, sim_id, key, happened_at, measured),
     acting as (
       insert into autoflow_firing_actions (firing_id, position, kind, gathered)
       select f.id, a.position - 1, a.action ->> 'kind', (a.action -> 'gathered')::boolean
       from fired f join given g on g."ruleId" = f.rule_id and g."simId" = f.sim_id and g.key = f.key
       cross join lateral jsonb_array_elements(g.actions) with ordinality as a (action, position)),
     counted as (
       insert into autoflow_rule_days (rule_id, day, firings, actions, beyond_bytes)
       select f.rule_id, ($3::timestamptz at time zone 'UTC')::date, count(*), sum(jsonb_array_length(g.actions)),
         max(((f.measured ->> 'value')::float8 - (f.measured ->> 'threshold')::float8)::bigint)
           filter (where f.measured ->> 'unit' = 'octets')
       from fired f join given g on g."ruleId" = f.rule_id and g."simId" = f.sim_id and g.key = f.key
       group by 1 order by 1
       on conflict (rule_id, day) do update set firings = autoflow_rule_days.firings + excluded.firings,
         actions = autoflow_rule_days.actions + excluded.actions,
         beyond_bytes = greatest(autoflow_rule_days.beyond_bytes, excluded.beyond_bytes))
     select f.id, f.rule_id as "ruleId", f.sim_id as "simId", s.iccid, r.name as rule, r.kind as trigger,
       (extract(epoch from f.happened_at) * 1000)::float8 as at, f.measured
     from fired f join autoflow_rules r on r.id = f.rule_id join sims s on s.id = f.sim_id order by f.id`,
    [orgId, JSON.stringify(firings), now],
  );
  return rows;
};

/** Deletes expired run history in parts. @returns how many firings were deleted */
export const removeOldFirings = async (
  sql: Sql,
  { now, limit }: { now: Date; limit: number },
): Promise<number> =>
  (
    await sql.query<{ firings: number }>(
      `with old as (
         delete from autoflow_firings where id in (
           select id from autoflow_firings where kept_until < $1 order by kept_until limit $2) returning id),
       acting as (
         delete from autoflow_firing_actions a using old where a.firing_id = old.id)
       select count(*)::int as firings from old`,
      [now, limit],
    )
  ).rows[0]?.firings ?? 0;
