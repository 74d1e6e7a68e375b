import type { Sql } from '../../../platform/db/index.ts';
import type { ActionOrder } from '../engine/perform-action.job.ts';

/** Notifications of rules that gather firings, if the first firing has waited as long as the rule says. */
export const listGathered = async (sql: Sql, now: Date): Promise<ActionOrder[]> =>
  (
    await sql.query<ActionOrder>(
      `select f.rule_id as "ruleId", f.version, a.position, array_agg(f.id::float8 order by f.id) as "firingIds"
       from autoflow_firing_actions a join autoflow_firings f on f.id = a.firing_id
         join autoflow_rule_versions v on v.rule_id = f.rule_id and v.version = f.version
       where a.gathered and a.state = 0 and a.notification_id is null and a.kind in ('mail', 'api', 'sms')
         and v.definition -> 'group_minutes' <> 'null'
       group by 1, 2, 3, v.definition -> 'group_minutes'
       having min(f.fired_at) <= $1::timestamptz - (v.definition -> 'group_minutes')::int * interval '1 minute'`,
      [now],
    )
  ).rows;
