import type { Sql } from '../../../platform/db/index.ts';

/**
 * Marks actions as failed whose notifications did not reach a target that is about to be removed: its deliveries, by which
 * the run history would know that, are removed with it.
 */
export const failUndelivered = async (tx: Sql, { id: targetId }: { id: number }): Promise<void> => {
  await tx.query(
    `with undelivered as (
       select a.firing_id, a.position
       from (select distinct notification_id from deliveries where target_id = $1 and state <> 1) as d
         join autoflow_firing_actions a on a.notification_id = d.notification_id and a.state = 1),
     locked as (
       select id from autoflow_firings where id in (select firing_id from undelivered)
       order by id for no key update),
     failed as (
       update autoflow_firing_actions a set state = 2, code = 'CB-09-0017' from undelivered u, locked
       where locked.id = u.firing_id and a.firing_id = u.firing_id and a.position = u.position and a.state = 1
       returning a.firing_id),
     ended as (
       update autoflow_firings f set state = 2 where f.id in (select firing_id from failed) and f.state = 1)
     insert into autoflow_rule_days (rule_id, day, failed)
     select f.rule_id, (f.fired_at at time zone 'UTC')::date, count(*)
     from failed join autoflow_firings f on f.id = failed.firing_id group by 1, 2 order by 1, 2
     on conflict (rule_id, day) do update set failed = autoflow_rule_days.failed + excluded.failed`,
    [targetId],
  );
};
