import { type RuleRun, type RunState, runStates } from '@simcube/contract/autoflow';
import { type SqlBool, sql } from 'kysely';
import type { Fragment } from '../../../platform/lists/index.ts';

/*
 * What a run is, wherever it is listed, filtered or counted: an action that was handed over to be delivered waits as long as its
 * delivery does, and has failed when that was given up. While any action of a run is still to be done, the run waits.
 */

/** Of an action `a`. Not by `exists`, which the planner may join: it would read all deliveries. */
const delivery = (state: 0 | 2) => `coalesce((
  select true from deliveries d where d.notification_id = a.notification_id and d.state = ${state} limit 1), false)`;
const someAction = (state: 0 | 2) =>
  `exists (select from autoflow_firing_actions a where a.firing_id = f.id and ${delivery(state)})`;

/** Whether the action `a` has failed. */
export const actionFailed = `(a.state = 2 or ${delivery(2)})`;

/** The number of the state of the firing `f`, alone. */
export const runState = `case when f.state <> 1 then f.state when ${someAction(2)} then 2
  when ${someAction(0)} then 0 else 1 end`;

/** Firings of the organisation with deliveries in that state: these few are read, and not those of each firing. */
const withDeliveries = (orgId: number, condition: string) =>
  sql`select a.firing_id from deliveries d join autoflow_firing_actions a on a.notification_id = d.notification_id
    where d.org_id = ${orgId} and ${sql.raw(condition)}`;
const givenUp = (orgId: number) => withDeliveries(orgId, 'd.state = 2');
const underWay = (orgId: number) => withDeliveries(orgId, 'd.state = 0');

/** The same of the firing's own state and what became of its deliveries. */
export const runStateOf = (
  stored: 0 | 1 | 2,
  actions: readonly { delivery: RuleRun['actions'][number]['delivery'] }[],
): RunState => {
  const has = (wanted: 'failed' | 'waiting') => actions.some(({ delivery: found }) => found === wanted);
  if (stored !== 1) return runStates[stored];
  if (has('failed')) return 'failed';
  return has('waiting') ? 'waiting' : 'done';
};

/** The same state as a condition of the firings of a list. */
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

/** Actions whose notifications were given up, by rule: they are not among the failures that were counted by day. */
export const givenUpActions = ({ orgId, since }: { orgId: number; since: string }) =>
  sql`select f.rule_id, count(*) as actions
    from (select distinct notification_id from deliveries
      where org_id = ${orgId} and state = 2 and created_at >= ${since}::date at time zone 'UTC') as d
    join autoflow_firing_actions a on a.notification_id = d.notification_id and a.state = 1
    join autoflow_firings f on f.id = a.firing_id and f.fired_at >= ${since}::date at time zone 'UTC'
    group by 1`;
