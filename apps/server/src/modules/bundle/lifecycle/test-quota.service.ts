import type { Sql } from '../../../platform/db/index.ts';
import { activateSims } from '../activation/activation.service.ts';
import { isPlan } from '../bundle.rules.ts';
import { listOrders, lockSims } from '../orders/orders.queries.ts';
import { listSimFacts } from './lifecycle.queries.ts';

/**
 * A pre-activated SIM whose test quota is used up becomes active with its pending bundle. A SIM without one
 * stays as it is, without service, until one is ordered.
 */
export const endTestQuotas = async (
  tx: Sql,
  { simIds, now }: { simIds: readonly number[]; now: Date },
): Promise<void> => {
  await lockSims(tx, simIds);
  const due = (await listSimFacts(tx, simIds)).filter(({ activationDue }) => activationDue);
  await activateSims(tx, {
    at: new Map(due.map(({ simId }) => [simId, now])),
    now,
    cause: { reason: 'test-quota-used' },
  });
};

/** Whether a SIM is on a test plan that a pending bundle follows: it goes on with that when the test quota is used up. */
export const goesOnAfterTest = async (sql: Sql, simId: number): Promise<boolean> => {
  const orders = (await listOrders(sql, [simId])).get(simId) ?? [];
  return (
    orders.some(({ type, status }) => type === 'test plan' && status === 'in use') &&
    orders.some(({ type, status }) => isPlan(type) && status === 'pending')
  );
};
