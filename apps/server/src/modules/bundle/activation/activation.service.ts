import { lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import { changeLifecycle } from '../../sim/index.ts';
import { isPlan } from '../bundle.rules.ts';
import { type Cause, cancelOrders, findEnds, listOrders, lockSims } from '../orders/orders.queries.ts';
import { endBasicOrders, startBasicOrders } from '../orders/orders.service.ts';
import { startSupplementary } from '../orders/supplementary.service.ts';

/**
 * Makes pre-activated SIMs active, each at its instant: the test plan ends, the first pending plan and
 * supplementary orders start. The only way to activate SIMs.
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
  const firstPlans = new Map(
    (await findEnds(tx, requestedIds)).flatMap(({ simId, lifecycle }) => {
      if (lifecycle !== lifecycleNumbers['pre-activated']) return [];
      const plan = orders.get(simId)?.find(({ type, status }) => isPlan(type) && status === 'pending');
      return plan ? [[simId, plan.orderId] as const] : [];
    }),
  );
  if (firstPlans.size === 0) return new Set();
  const { reason, actor = null, taskId, traceId } = cause;
  const changed = await changeLifecycle(tx, {
    simIds: [...firstPlans.keys()],
    to: 'active',
    reason,
    actor,
    at,
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
