import { lifecycleNumbers, type SimEventReason } from '@simcube/contract/sim';
import { groupBy } from '../../../platform/collections/index.ts';
import { type Sql, waitUntilWritten } from '../../../platform/db/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { type EventCause, recordSimEvents, simEvent } from '../../sim/index.ts';
import type { CycleCount } from '../bundle.cycles.ts';
import {
  bundleAllowanceChanged,
  bundleOrderEnded,
  bundleOrderStarted,
  lifecycleEndsMoved,
  simsPerFact,
} from '../bundle.events.ts';
import { BundleRefused, isBasic, isPlan, lastEnd, orderEnd } from '../bundle.rules.ts';
import { closeCycles } from './cycles.queries.ts';
import { lockLive, sumUsageSince, writeCounters } from './live.queries.ts';
import {
  closeCycle,
  closeOverdueCycles,
  elapsedCycles,
  type LiveState,
  mustNotifyNetwork,
  withBundle,
  withoutBundle,
} from './live.rules.ts';
import {
  type Cause,
  type EndedRow,
  findEnds,
  findSimsOfOrders,
  insertOrders,
  listOrders,
  lockSims,
  type NewOrder,
  type Order,
  type StartedRow,
  updateEnded,
  updateEnds,
  updateStarted,
} from './orders.queries.ts';

/**
 * Places pending orders on SIMs.
 * @throws BundleRefused when a SIM or bundle does not exist
 */
export const placeOrders = async (
  tx: Sql,
  orders: readonly NewOrder[],
): Promise<{ orderId: number; simId: number }[]> => {
  const placed = await insertOrders(tx, orders);
  if (placed.length < orders.length) throw new BundleRefused('A SIM or bundle of the orders does not exist');
  return placed;
};

export interface OrderStart {
  orderId: number;
  activatedAt: Date;
}

export interface StartedOrder extends StartedRow {}

/**
 * Starts pending basic orders: from here on the SIM has the bundle, its limit and its cycle. A cycle that ran
 * until then is closed.
 * @returns the orders that started; skipped are those no longer pending, supplementary ones, and those of SIMs
 * with another basic order in use
 */
export const startBasicOrders = async (
  tx: Sql,
  request: { starts: readonly OrderStart[]; now: Date; cause?: Cause },
): Promise<StartedOrder[]> => {
  const { starts, now, cause } = request;
  const activations = new Map(starts.map(({ orderId, activatedAt }) => [orderId, activatedAt]));
  const simIds = await findSimsOfOrders(tx, [...activations.keys()]);
  await lockSims(tx, simIds);
  const started: StartedOrder[] = [];
  for (const orders of (await listOrders(tx, simIds)).values()) {
    if (orders.some(({ type, status }) => isBasic(type) && status === 'in use')) continue;
    const order = orders.find(({ orderId, type }) => isBasic(type) && activations.has(orderId));
    const activatedAt = order && activations.get(order.orderId);
    if (!activatedAt) continue;
    started.push({ order, activatedAt, endsAt: orderEnd(activatedAt, order.durationDays) });
  }
  if (started.length === 0) return started;
  await updateStarted(tx, started);
  const bySim = new Map(started.map((row) => [row.order.simId, row.activatedAt]));
  // An order that is already over, after a downtime, ends in the cycle of its own last instant.
  const last = new Map(
    started.flatMap(({ order: { simId }, endsAt }) =>
      endsAt && endsAt <= now ? [[simId, new Date(endsAt.getTime() - 1)] as const] : [],
    ),
  );
  await changeLiveState(tx, { at: bySim, now, reason: 'bundle-started' }, (live, bundle) =>
    bundle ? withBundle(live, bundle, last.get(live.simId) ?? now) : live,
  );
  await refreshEnds(tx, [...bySim.keys()], cause);
  await publishStarted(tx, started, cause);
  return started;
};

export const publishStarted = async (
  tx: Sql,
  started: readonly StartedRow[],
  cause: Cause | undefined,
): Promise<void> => {
  const events = started.map(({ order, activatedAt }) => ({
    order,
    at: activatedAt,
    reason: cause?.reason,
  }));
  await recordOrderEvents(tx, 'bundle-started', events, cause);
  await emitMany(
    tx,
    bundleOrderStarted,
    started.map(({ order, activatedAt }) => ({
      orgId: order.orgId,
      payload: { ...orderFactOf(order), at: activatedAt.toISOString() },
    })),
  );
};

export interface BasicEnd {
  simId: number;
  at: Date;
}

/**
 * Ends the SIMs' basic orders in use: no bundle, no limit and no cycle from here on.
 * @returns those that ended
 */
export const endBasicOrders = async (
  tx: Sql,
  request: { ends: readonly BasicEnd[]; now: Date; cause: Cause },
): Promise<Order[]> => {
  const { ends, now, cause } = request;
  const at = new Map(ends.map((end) => [end.simId, end.at]));
  await lockSims(tx, [...at.keys()]);
  const ended: EndedRow[] = [];
  for (const orders of (await listOrders(tx, [...at.keys()])).values()) {
    const order = orders.find(({ type, status }) => isBasic(type) && status === 'in use');
    const endsAt = order && at.get(order.simId);
    if (endsAt) ended.push({ order, at: endsAt, reason: cause.reason });
  }
  if (ended.length === 0) return [];
  const bySim = new Map(ended.map((row) => [row.order.simId, row.at]));
  // Their cycles are known only while the orders are in use.
  await changeLiveState(tx, { at: bySim, now, reason: cause.reason, closesOverdue: true }, (live) =>
    withoutBundle(live, bySim.get(live.simId) ?? now),
  );
  await updateEnded(tx, ended);
  await publishEnded(tx, ended, cause);
  return ended.map(({ order }) => order);
};

export const publishEnded = async (tx: Sql, ended: readonly EndedRow[], cause: Cause): Promise<void> => {
  await recordOrderEvents(tx, 'bundle-ended', ended, cause);
  await emitMany(
    tx,
    bundleOrderEnded,
    ended.map(({ order, at, reason }) => ({
      orgId: order.orgId,
      payload: { ...orderFactOf(order), reason, at: at.toISOString() },
    })),
  );
};

export const recordOrderEvents = (
  tx: Sql,
  kind: 'bundle-ordered' | 'bundle-started' | 'bundle-ended',
  events: readonly { order: Order; at: Date; reason?: SimEventReason | undefined }[],
  by?: EventCause,
): Promise<unknown> =>
  recordSimEvents(
    tx,
    events.map(({ order, at, reason }) => ({
      simId: order.simId,
      orgId: order.orgId,
      at,
      ...simEvent(kind, { bundle: order.bundleName, order: order.salesOrderId ?? undefined, reason }),
    })),
    by,
  );

const orderFactOf = ({ simId, iccid, orderId, bundleCode }: Order) => ({ simId, iccid, orderId, bundleCode });

type LiveRow = LiveState & { bundle: Parameters<typeof withBundle>[1] | null };

/** Closes the running cycles at the SIMs' instants, changes the rules for the counters, and notifies the network. */
const changeLiveState = async (
  tx: Sql,
  when: {
    at: ReadonlyMap<number, Date>;
    now: Date;
    reason: SimEventReason;
    /** The running cycle is the bundle's: it may be over by then, and further ones after it. */
    closesOverdue?: boolean;
  },
  change: (live: LiveState, bundle: LiveRow['bundle']) => LiveState,
): Promise<void> => {
  const { at, now, reason, closesOverdue = false } = when;
  const rows = await lockLive(tx, [...at.keys()]);
  // The job runs a little late: usage since an instant in the past was counted in the cycle before it.
  const late = [...rows.values()].flatMap(({ simId, used, cycleStartedAt }) => {
    const since = at.get(simId);
    if (!since || !cycleStartedAt || used === 0 || since >= now) return [];
    return [{ simId, at: laterOf(since, cycleStartedAt) }];
  });
  if (late.length > 0) {
    await waitUntilWritten(
      tx,
      late.map(({ simId }) => simId),
    );
  }
  const usage = await sumUsageSince(tx, late);
  const cycles: CycleCount[] = [];
  const changed: { before: LiveState; after: LiveState }[] = [];
  for (const { bundle, ...before } of rows.values()) {
    const usedSince = usage.get(before.simId) ?? 0;
    const since = at.get(before.simId) ?? now;
    const isOver = closesOverdue && before.cycleEndsAt !== null && before.cycleEndsAt < since;
    const rolledOver = isOver ? closeOverdueCycles(before, bundle, since) : { live: before, closed: [] };
    const { live, closed } = closeCycle(rolledOver.live, { at: since, usedSince });
    cycles.push(...rolledOver.closed, ...(closed ? [closed] : []));
    const after = change(live, bundle);
    cycles.push(...elapsedCycles(after, bundle, since));
    changed.push({ before, after });
  }
  await closeCycles(tx, cycles);
  await storeLive(tx, changed, reason);
};

const laterOf = (a: Date, b: Date): Date => new Date(Math.max(a.getTime(), b.getTime()));

/** Writes the counters, and notifies the network where this opens, slows or stops data. */
export const storeLive = async (
  tx: Sql,
  changed: readonly { before: LiveState; after: LiveState }[],
  reason: SimEventReason,
): Promise<void> => {
  await writeCounters(
    tx,
    changed.map(({ after }) => after),
  );
  await emitMany(
    tx,
    bundleAllowanceChanged,
    changed
      .filter(({ before, after }) => mustNotifyNetwork(before, after))
      .map(({ after: { simId, iccid, orgId, dataState, rateKbps } }) => ({
        orgId,
        payload: { simId, iccid, dataState, rateKbps, reason },
      })),
  );
};

/**
 * Updates `sims.expires_at` from the SIMs' orders: the end of the queue behind the one in use. A SIM that was
 * not activated has no end; one whose last order ended keeps it.
 */
export const refreshEnds = async (
  tx: Sql,
  simIds: readonly number[],
  { taskId }: EventCause = {},
): Promise<void> => {
  const orders = await listOrders(tx, simIds);
  const ends = (await findEnds(tx, simIds)).map(({ simId, orgId, lifecycle, expiresAt }) => {
    const plans = (orders.get(simId) ?? []).filter(({ type }) => isPlan(type));
    const inUse = plans.find(({ status }) => status === 'in use');
    const pending = plans.filter(({ status }) => status === 'pending').map((order) => order.durationDays);
    const end = inUse ? lastEnd(inUse.expiresAt, pending) : expiresAt;
    return {
      simId,
      orgId,
      before: expiresAt,
      expiresAt: lifecycle === lifecycleNumbers['pre-activated'] ? null : end,
    };
  });
  const changed = ends.filter(({ before, expiresAt }) => before?.getTime() !== expiresAt?.getTime());
  await updateEnds(tx, changed);
  const withEnd = changed.filter(({ expiresAt }) => expiresAt !== null);
  const byOrg = groupBy(withEnd, ({ orgId }) => orgId);
  await emitMany(
    tx,
    lifecycleEndsMoved,
    factsByOrganisation(byOrg, simsPerFact, (part) => ({
      simIds: part.map(({ simId }) => simId),
      ...(taskId && { task: taskId }),
    })),
  );
};
