import { type RuleRun, type RunState, runStates } from '@simcube/contract/autoflow';
import { type SqlBool, sql } from 'kysely';
import type { Fragment } from '../../../platform/lists/index.ts';

/*
 * The state of a run, wherever it is listed, filtered or counted. A notification that was handed to `notify` waits as
 * long as its delivery and fails if that is given up. A run waits while any of its actions is still to be done.
 */

/** For an action `a`. Does not use `exists`, because the planner may turn it into a join that reads all deliveries. */
const delivery = (state: 0 | 2) => `coalesce((
  select true from deliveries d where d.notification_id = a.notification_id and d.state = ${state} limit 1), false)`;
const hasActionDelivery = (state: 0 | 2) =>
  `exists (select from autoflow_firing_actions a where a.firing_id = f.id and ${delivery(state)})`;

/** Whether the action `a` has failed. */
export const actionFailed = `(a.state = 2 or ${delivery(2)})`;

/** The number of the state of one firing `f`. */
export const runState = `case when f.state <> 1 then f.state when ${hasActionDelivery(2)} then 2
  when ${hasActionDelivery(0)} then 0 else 1 end`;

/** Firings of the organisation with deliveries in that state: only these few are read, not the deliveries of each firing. */
const withDeliveries = (orgId: number, condition: string) =>
  sql`select a.firing_id from deliveries d join autoflow_firing_actions a on a.notification_id = d.notification_id
    where d.org_id = ${orgId} and ${sql.raw(condition)}`;
const givenUp = (orgId: number) => withDeliveries(orgId, 'd.state = 2');
const underWay = (orgId: number) => withDeliveries(orgId, 'd.state = 0');

/** The same from the firing's own state and its deliveries. */
export const runStateOf = (
  stored: 0 | 1 | 2,
  actions: readonly { delivery: RuleRun['actions'][number]['delivery'] }[],
): RunState => {
  const has = (state: 'failed' | 'waiting') =>
    actions.some(({ delivery: deliveryState }) => deliveryState === state);
  if (stored !== 1) return runStates[stored];
  if (has('failed')) return 'failed';
  return has('waiting') ? 'waiting' : 'done';
};

/** The same state as a condition on the firings of a list. */
export const inRunState = (state: RunState, orgId: number): Fragment<SqlBool> => {
  switch (state) {
    case 'failed':
      return sql`(state = 2 or state = 1 and id in (${givenUp(orgId)}))`;
    case 'waiting':
      return sql`(state = 0 or state = 1 and id in (${underWay(orgId)}) and id not in (${givenUp(orgId)}))`;
    case 'done':
      return sql`(state = 1 and id not in (${givenUp(orgId)}) and id not in (${underWay(orgId)}))`;
  }
};

/** Actions whose notifications were given up, by rule; the daily counts of failures don't include them. */
export const givenUpActions = ({ orgId, since }: { orgId: number; since: string }) =>
  sql`select f.rule_id, count(*) as actions
    from (select distinct notification_id from deliveries
      where org_id = ${orgId} and state = 2 and created_at >= ${since}::date at time zone 'UTC') as d
    join autoflow_firing_actions a on a.notification_id = d.notification_id and a.state = 1
    join autoflow_firings f on f.id = a.firing_id and f.fired_at >= ${since}::date at time zone 'UTC'
    group by 1`;
