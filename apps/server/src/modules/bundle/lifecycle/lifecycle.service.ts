import { limits } from '@simcube/contract';
import type pg from 'pg';
import {
  ensurePartitions,
  inRepeatableTransaction,
  missingPartitionTime,
  type Sql,
} from '../../../platform/db/index.ts';
import { changeLifecycle, lifecycleOf } from '../../sim/index.ts';
import { activateSims } from '../activation/activation.service.ts';
import { isBasic, isPlan } from '../bundle.rules.ts';
import { type Cause, cancelOrders, listOrders, type Order, updateEnds } from '../orders/orders.queries.ts';
import { endBasicOrders, type OrderStart, refreshEnds, startBasicOrders } from '../orders/orders.service.ts';
import { endSupplementary, startSupplementary } from '../orders/supplementary.service.ts';
import {
  endOrdersAt,
  listSimFacts,
  lockEndedGraces,
  lockEndedOrders,
  lockEndedPeriods,
  markPeriodsOver,
} from './lifecycle.queries.ts';
import { nextStep, orderEffectOf, type QueueStep } from './lifecycle.rules.ts';

/** SIMs per transaction. */
const chunk = 500;

interface JobRun {
  pool: pg.Pool;
  now: Date;
  signal?: AbortSignal | undefined;
}

/**
 * Processes chunks until no SIM is due. Changes due before the months for which events are retained (after a
 * long downtime, or because old SIMs were imported) still take effect at their own time.
 * @returns how many there were
 */
const processInChunks = async (
  { pool, signal }: JobRun,
  step: (tx: pg.PoolClient) => Promise<number>,
): Promise<number> => {
  for (let total = 0; ; ) {
    const done = await inRepeatableTransaction(pool, step).catch(async (error: unknown) => {
      const time = missingPartitionTime(error);
      if (!time) throw error;
      await ensurePartitions(pool, time, time);
      return undefined;
    });
    total += done ?? 0;
    if (done === 0 || signal?.aborted) return total;
  }
};

/**
 * At the end of the pre-activation period a SIM becomes active with its pending bundle. A SIM without one stays
 * as it is, because there is nothing to start; the next order activates it.
 */
export const endPreActivations = (run: JobRun): Promise<number> =>
  processInChunks(run, async (tx) => {
    const due = await lockEndedPeriods(tx, { now: run.now, limit: chunk });
    if (due.length === 0) return 0;
    const activated = await activateSims(tx, {
      at: new Map(due.map(({ simId, at }) => [simId, at])),
      now: run.now,
      cause: { reason: 'pre-activation-ended' },
    });
    await markPeriodsOver(
      tx,
      due.filter(({ simId }) => !activated.has(simId)),
      run.now,
    );
    return due.length;
  });

/** Ends orders whose time is over; the next ones start at that instant, or the SIM expires. */
export const endOrders = (run: JobRun): Promise<number> =>
  processInChunks(run, async (tx) => {
    const simIds = await lockEndedOrders(tx, { now: run.now, limit: chunk });
    return simIds.length > 0 ? advanceQueues(tx, { simIds, now: run.now }) : 0;
  });

/** Ends orders in use now, as if their time were over: the orders behind them start, or the SIMs expire. */
export const endOrdersInUse = async (tx: Sql, steps: QueueAdvance): Promise<void> => {
  await endOrdersAt(tx, steps.simIds, steps.now);
  await advanceQueues(tx, steps);
};

interface QueueAdvance {
  simIds: readonly number[];
  now: Date;
  /** Who ended them; omitted if their time is over. */
  by?: Omit<Cause, 'reason'>;
}

/** @returns how many orders ended */
const advanceQueues = async (tx: Sql, { simIds, now, by = {} }: QueueAdvance): Promise<number> => {
  const cause: Cause = { ...by, reason: 'order-ended' };
  const supplementary = await endSupplementary(tx, {
    simIds,
    now,
    cause,
    // One that ends with or after the basic order ends under the next one, or with the SIM's expiry.
    endOf: ({ expiresAt }, planEndsAt) =>
      expiresAt && expiresAt <= now && !(planEndsAt && planEndsAt <= expiresAt) ? expiresAt : null,
  });
  const orders = await listOrders(tx, simIds);
  const steps = new Map<number, QueueStep>();
  for (const { simId, lifecycle } of await listSimFacts(tx, simIds)) {
    const step = nextStep({ lifecycle: lifecycleOf(lifecycle), ...queueOf(orders.get(simId) ?? []) }, now);
    if (step) steps.set(simId, step);
  }
  const dueSteps = [...steps].map(([simId, step]) => ({ simId, ...step }));
  const basic = await endBasicOrders(tx, { ends: dueSteps, now, cause });
  const starts = dueSteps.flatMap(({ simId, start, expires }) =>
    start ? [{ simId, ...start, renews: expires }] : [],
  );
  await startBasicOrders(tx, {
    starts: starts.flatMap(({ orderId, at, renews }) => (renews ? [] : [{ orderId, activatedAt: at }])),
    now,
    cause: { ...by, reason: 'order-before-ended' },
  });
  const renewals = starts.filter(({ renews }) => renews);
  const expired = new Map(dueSteps.flatMap(({ simId, at, expires }) => (expires ? [[simId, at]] : [])));
  await expire(tx, expired, { now, by, renewed: new Set(renewals.map(({ simId }) => simId)) });
  await renew(tx, renewals, { now });
  return supplementary + basic.length;
};

const expire = async (
  tx: Sql,
  at: ReadonlyMap<number, Date>,
  { now, by, renewed }: { now: Date; by: Omit<Cause, 'reason'>; renewed: ReadonlySet<number> },
): Promise<void> => {
  if (at.size === 0) return;
  const simIds = [...at.keys()];
  const cause = { ...by, reason: 'last-order-ended' } as const;
  await endSupplementary(tx, {
    simIds,
    now,
    cause,
    // One that started later continues under the order that renews the SIM.
    endOf: ({ simId, activatedAt }) => {
      const endsAt = at.get(simId);
      if (!endsAt || (renewed.has(simId) && activatedAt && activatedAt > endsAt)) return null;
      return endsAt;
    },
  });
  // An order that was terminated ended early.
  await updateEnds(
    tx,
    [...at].map(([simId, expiresAt]) => ({ simId, expiresAt })),
  );
  await changeLifecycle(tx, { actor: null, ...cause, simIds, to: 'expired', at });
};

interface Renewal {
  simId: number;
  orderId: number;
  at: Date;
}

/** Makes expired SIMs active and starts their orders, each at its instant. */
const renew = async (
  tx: Sql,
  renewals: readonly Renewal[],
  { now, by = {} }: { now: Date; by?: Omit<Cause, 'reason'> },
): Promise<void> => {
  if (renewals.length === 0) return;
  await changeLifecycle(tx, {
    actor: null,
    ...by,
    reason: 'renewal',
    to: 'active',
    simIds: renewals.map(({ simId }) => simId),
    at: new Map(renewals.map(({ simId, at }) => [simId, at])),
  });
  await startBasicOrders(tx, {
    starts: renewals.map(({ orderId, at }) => ({ orderId, activatedAt: at })),
    now,
    cause: { ...by, reason: 'ordered' },
  });
};

const queueOf = (orders: readonly Order[]) => {
  const inUse = orders.find(({ type, status }) => isBasic(type) && status === 'in use');
  return {
    inUse: inUse ? { type: inUse.type, endsAt: inUse.expiresAt } : null,
    pending: orders.filter(({ type, status }) => isPlan(type) && status === 'pending'),
  };
};

/** Terminates expired SIMs whose grace period is over; SIMs renewed in the meantime are no longer expired. */
export const endGraces = (run: JobRun): Promise<number> =>
  processInChunks(run, async (tx) => {
    const due = await lockEndedGraces(tx, { now: run.now, limit: chunk, graceDays: limits.graceDays });
    if (due.length === 0) return 0;
    const at = new Map(due.map((sim) => [sim.simId, sim.at]));
    const simIds = [...at.keys()];
    await changeLifecycle(tx, { simIds, to: 'terminated', reason: 'grace-over', actor: null, at });
    return due.length;
  });

/** Ends the orders in use of terminated SIMs, and cancels pending ones. */
export const endTerminated = async (
  tx: Sql,
  { at, now, cause }: { at: ReadonlyMap<number, Date>; now: Date; cause: Cause },
): Promise<void> => {
  const simIds = [...at.keys()];
  await endSupplementary(tx, { simIds, now, cause, endOf: ({ simId }) => at.get(simId) ?? null });
  const ends = [...at].map(([simId, instant]) => ({ simId, at: instant }));
  const ended = await endBasicOrders(tx, { ends, now, cause });
  await updateEnds(
    tx,
    ended.map(({ simId }) => ({ simId, expiresAt: at.get(simId) ?? now })),
  );
  const pending = [...(await listOrders(tx, simIds)).values()].flat();
  await cancelOrders(
    tx,
    pending.map(({ orderId }) => orderId),
  );
};

/** After new orders: SIMs that only waited for one continue immediately. The SIMs are locked. */
export const applyNewOrders = async (
  tx: Sql,
  { simIds, now, by = {} }: { simIds: readonly number[]; now: Date; by?: Omit<Cause, 'reason'> },
): Promise<void> => {
  const orders = await listOrders(tx, simIds);
  const starts: OrderStart[] = [];
  const renewals: Renewal[] = [];
  const activations = new Map<number, Date>();
  for (const { simId, lifecycle, activationDue } of await listSimFacts(tx, simIds)) {
    const own = orders.get(simId) ?? [];
    const { inUse, pending } = queueOf(own);
    const test = own.find(({ type, status }) => type === 'test plan' && status === 'pending');
    const effect = orderEffectOf({
      lifecycle: lifecycleOf(lifecycle),
      inUse: inUse?.type ?? null,
      pendingPlan: pending.length > 0,
      pendingTest: test !== undefined,
      activationDue,
    });
    if (effect === 'activate') activations.set(simId, now);
    const first = effect === 'start-test' ? test : pending[0];
    if (!first) continue;
    if (effect === 'renew') renewals.push({ simId, orderId: first.orderId, at: now });
    if (effect === 'start' || effect === 'start-test')
      starts.push({ orderId: first.orderId, activatedAt: now });
  }
  await renew(tx, renewals, { now, by });
  await startBasicOrders(tx, { starts, now, cause: { ...by, reason: 'ordered' } });
  await activateSims(tx, { at: activations, now, cause: { ...by, reason: 'bundle-ordered' } });
  await startSupplementary(tx, { simIds, now, cause: { ...by, reason: 'ordered' } });
  await refreshEnds(tx, simIds);
};
