import { z } from 'zod';
import { groupBy, inChunks } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { defineJob, enqueueMany } from '../../../platform/jobs/index.ts';
import { isNotification } from './actions.rules.ts';
import type { ArmedRule } from './armed-rule.rules.ts';
import type { Firing } from './firings.queries.ts';

/** Maximum number of firings in one job: a task, or a message, for this many SIMs. */
const firingsPerAction = 1000;

/** Does one action of a rule for its firings. */
export const performActionJob = defineJob({
  name: 'autoflow.act',
  payload: z.object({
    ruleId: z.number(),
    version: z.number(),
    position: z.number(),
    firingIds: z.array(z.number()).max(firingsPerAction),
  }),
  maxAttempts: 8,
  timeoutMs: 60_000,
});
export type ActionOrder = z.output<typeof performActionJob.payload>;

/**
 * Queues the actions of firings. A SIM is in one task at a time, so only the first operation is queued; each queues
 * the next. Notifications that a rule gathers are left to the job that sends them.
 */
export const queueActions = async (
  tx: Sql,
  { rules, fired }: { rules: ReadonlyMap<number, ArmedRule>; fired: readonly Firing[] },
): Promise<void> => {
  const orders = [...groupBy(fired, ({ ruleId }) => ruleId)].flatMap(([ruleId, firings]) => {
    const rule = rules.get(ruleId);
    if (!rule) return [];
    const firingIds = firings.map(({ id }) => id);
    const { version, actions, groupMinutes } = rule;
    const notifying = actions.flatMap(({ kind }, position) => (isNotification(kind) ? [position] : []));
    const first = nextOperation(actions, -1);
    const positions = [...(groupMinutes === null ? notifying : []), ...(first === undefined ? [] : [first])];
    return positions.map((position) => ({ ruleId, version, position, firingIds }));
  });
  await queueOrders(tx, orders);
};

/** The position of the next operation after the given position; undefined if there is none. */
export const nextOperation = (actions: ArmedRule['actions'], after: number): number | undefined => {
  const found = actions.findIndex(({ kind }, position) => position > after && !isNotification(kind));
  return found < 0 ? undefined : found;
};

/** Queues actions for any number of firings, in parts. */
export const queueOrders = (tx: Sql, orders: readonly ActionOrder[]): Promise<void> =>
  enqueueMany(
    tx,
    performActionJob,
    orders.flatMap(({ firingIds, ...order }) =>
      inChunks(firingIds, firingsPerAction).map((part) => ({ ...order, firingIds: part })),
    ),
  );
