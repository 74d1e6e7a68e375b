import { lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import { changeLifecycle } from '../../sim/index.ts';
import { isPlan } from '../bundle.rules.ts';
import { type Cause, cancelOrders, findEnds, listOrders, lockSims } from '../orders/orders.queries.ts';
import { endBasicOrders, startBasicOrders } from '../orders/orders.service.ts';
import { startSupplementary } from '../orders/supplementary.service.ts';

/**
 * Makes pre-activated SIMs active, each at its instant, or when its plan was ordered if that is later: the test plan
 * ends, the first pending plan and supplementary orders start. The only way to activate SIMs.
 * @returns the SIMs that became active; those without a pending plan, or no longer pre-activated, are left
 * unchanged
 */
export const activateSims = async (
  tx: Sql,
  activation: { at: ReadonlyMap<number, Date>; now: Date; cause: Cause },
): Promise<Set<number>> => {
  const { at, now, cause } = activation;
  if (at.size === 0) return new Set();
  const requestedIds = [...at.keys()].sort((a, b) => a - b);
  await lockSims(tx, requestedIds);
  const orders = await listOrders(tx, requestedIds);
  const firstPlans = new Map<number, number>();
  const begins = new Map<number, Date>();
  for (const { simId, lifecycle } of await findEnds(tx, requestedIds)) {
    if (lifecycle !== lifecycleNumbers['pre-activated']) continue;
    const plan = orders.get(simId)?.find(({ type, status }) => isPlan(type) && status === 'pending');
    const dueAt = at.get(simId);
    if (!plan || !dueAt) continue;
    firstPlans.set(simId, plan.orderId);
    begins.set(simId, plan.orderedAt > dueAt ? plan.orderedAt : dueAt);
  }
  if (firstPlans.size === 0) return new Set();
  const { reason, actor = null, taskId, traceId } = cause;
  const changed = await changeLifecycle(tx, {
    simIds: [...firstPlans.keys()],
    to: 'active',
    reason,
    actor,
    at: begins,
    taskId,
    traceId,
  });
  const instants = changed.map((sim) => ({ simId: sim.id, at: sim.at }));
  const simIds = instants.map(({ simId }) => simId);
  await endBasicOrders(tx, { ends: instants, now, cause: { ...cause, reason: 'activated' } });
  const testPlans = simIds
    .flatMap((simId) => orders.get(simId) ?? [])
    .filter(({ type }) => type === 'test plan');
  await cancelOrders(
    tx,
    testPlans.map(({ orderId }) => orderId),
  );
  await startBasicOrders(tx, {
    starts: instants.map((sim) => ({ orderId: firstPlans.get(sim.simId) ?? 0, activatedAt: sim.at })),
    now,
    cause,
  });
  await startSupplementary(tx, { simIds, now, cause });
  return new Set(simIds);
};
