import { bundleTypes } from '@simcube/contract/bundle';
import { lifecycles } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderEnd } from '../bundle.rules.ts';
import { mayOrder, nextStep, type OrderQueue, orderEffectOf } from './lifecycle.rules.ts';

const start = new Date('2026-01-01T00:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * dayMs);

/** An order, and on which day it was placed. */
interface Placed {
  days: number | null;
  on: number;
}

interface Stretch {
  orderId: number;
  from: Date;
  to: Date | null;
}

interface Walk {
  queue: OrderQueue;
  history: Stretch[];
  expiredAt: Date[];
}

const begin = (orders: Placed[]): Walk => ({
  queue: { lifecycle: 'active', inUse: { endsAt: orderEnd(start, orders[0]?.days ?? null) }, pending: [] },
  history: [{ orderId: 0, from: start, to: null }],
  expiredAt: [],
});

const pendingOf = (orders: Placed[]) => orders.map(({ on }, orderId) => ({ orderId, orderedAt: after(on) }));

const running = (walked: Walk, orders: Placed[], { orderId, at }: { orderId: number; at: Date }): Walk => ({
  ...walked,
  queue: {
    lifecycle: 'active',
    inUse: { endsAt: orderEnd(at, orders[orderId]?.days ?? null) },
    pending: walked.queue.pending.filter((order) => order.orderId !== orderId),
  },
  history: [...walked.history, { orderId, from: at, to: null }],
});

/** Takes all steps that are due, as the job does. */
const walk = (walked: Walk, orders: Placed[], now: Date): Walk => {
  let state = walked;
  for (let step = nextStep(state.queue, now); step; step = nextStep(state.queue, now)) {
    const { at, start: next, expires } = step;
    const { queue, history, expiredAt } = state;
    state = {
      queue: { ...queue, lifecycle: expires ? 'expired' : queue.lifecycle, inUse: null },
      history: history.map((one, index) => (index === history.length - 1 ? { ...one, to: at } : one)),
      expiredAt: expires ? [...expiredAt, at] : expiredAt,
    };
    if (next) state = running(state, orders, next);
  }
  return state;
};

/** The state at an instant if every step is taken in time, and every order has its effect when it is placed. */
const walkInTime = (orders: Placed[], now: Date): Walk => {
  let state = begin(orders);
  for (const order of pendingOf(orders).slice(1)) {
    state = walk(state, orders, new Date(order.orderedAt.getTime() - 1));
    const { queue } = state;
    state =
      queue.lifecycle === 'expired'
        ? running(state, orders, { orderId: order.orderId, at: order.orderedAt })
        : { ...state, queue: { ...queue, pending: [...queue.pending, order] } };
  }
  return walk(state, orders, now);
};

/** As if nothing had been done since the first order began. */
const walkLate = (orders: Placed[], now: Date): Walk => {
  const first = begin(orders);
  return walk({ ...first, queue: { ...first.queue, pending: pendingOf(orders).slice(1) } }, orders, now);
};

const durations = fc.array(fc.option(fc.integer({ min: 1, max: 60 }), { freq: 8 }), {
  minLength: 1,
  maxLength: 8,
});
const placed = fc
  .array(fc.record({ days: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 8 }), wait: fc.nat(60) }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((orders) => {
    let on = 0;
    return orders.map(({ days, wait }, index): Placed => {
      on += index === 0 ? 0 : wait;
      return { days, on };
    });
  });

describe('a queue of orders', () => {
  it('has the same result in time and after a long downtime', () => {
    fc.assert(
      fc.property(placed, (orders) => {
        expect(walkLate(orders, after(1000))).toEqual(walkInTime(orders, after(1000)));
      }),
    );
  });

  it('runs without gap or overlap, and expires with the last one', () => {
    fc.assert(
      fc.property(durations, (days) => {
        const orders = days.map((one) => ({ days: one, on: 0 }));
        const { history, expiredAt } = walkLate(orders, after(10_000));
        const endless = days.indexOf(null);
        expect(history).toHaveLength(endless < 0 ? days.length : endless + 1);
        history.forEach(({ orderId, from, to }, index) => {
          expect(orderId).toBe(index);
          expect(from).toEqual(index === 0 ? start : history[index - 1]?.to);
          if (to) expect(to).toEqual(orderEnd(from, days[orderId] ?? null));
        });
        const sum = days.reduce<number>((total, one) => total + (one ?? 0), 0);
        expect(expiredAt).toEqual(endless < 0 ? [after(sum)] : []);
      }),
    );
  });

  it('continues for a paused SIM, and waits for the activation of a pre-activated one', () => {
    const inUse = { endsAt: start };
    const pending = [{ orderId: 2, orderedAt: start }];
    expect(nextStep({ lifecycle: 'paused', inUse, pending }, start)).toMatchObject({ start: { orderId: 2 } });
    expect(nextStep({ lifecycle: 'paused', inUse, pending: [] }, start)).toMatchObject({ expires: true });
    expect(nextStep({ lifecycle: 'pre-activated', inUse, pending }, start)).toEqual({
      at: start,
      start: null,
      expires: false,
    });
    expect(nextStep({ lifecycle: 'active', inUse, pending }, new Date(start.getTime() - 1))).toBeNull();
  });

  it('starts an order placed at the very instant at which the one in use ends, one placed later as a renewal', () => {
    const queue = (orderedAt: Date) =>
      ({
        lifecycle: 'active',
        inUse: { endsAt: start },
        pending: [{ orderId: 2, orderedAt }],
      }) as const;
    const now = after(2);
    expect(nextStep(queue(start), now)).toEqual({
      at: start,
      expires: false,
      start: { orderId: 2, at: start },
    });
    expect(nextStep(queue(after(1)), now)).toEqual({
      at: start,
      expires: true,
      start: { orderId: 2, at: after(1) },
    });
  });

  it('starts nothing on a terminated SIM, and does not let an expired one expire again', () => {
    const inUse = { endsAt: start };
    const pending = [{ orderId: 2, orderedAt: start }];
    const ended = { at: start, start: null, expires: false };
    expect(nextStep({ lifecycle: 'terminated', inUse, pending }, start)).toEqual(ended);
    expect(nextStep({ lifecycle: 'expired', inUse, pending: [] }, start)).toEqual(ended);
  });
});

describe('a new order', () => {
  const facts = {
    lifecycle: 'active',
    inUse: null,
    pendingPlan: true,
    pendingTest: false,
    activationDue: false,
  } as const;

  it('starts immediately or waits for its turn', () => {
    expect(orderEffectOf({ ...facts, lifecycle: 'expired' })).toBe('renew');
    expect(orderEffectOf({ ...facts, lifecycle: 'expired', pendingPlan: false })).toBe('wait');
    expect(orderEffectOf(facts)).toBe('start');
    expect(orderEffectOf({ ...facts, lifecycle: 'paused' })).toBe('start');
    expect(orderEffectOf({ ...facts, inUse: 'prepaid basic' })).toBe('wait');
    expect(orderEffectOf({ ...facts, lifecycle: 'pre-activated' })).toBe('wait');
    expect(orderEffectOf({ ...facts, lifecycle: 'pre-activated', activationDue: true })).toBe('activate');
    const tested = { ...facts, lifecycle: 'pre-activated', pendingPlan: false, pendingTest: true } as const;
    expect(orderEffectOf(tested)).toBe('start-test');
    expect(orderEffectOf({ ...tested, inUse: 'test plan' })).toBe('wait');
    expect(orderEffectOf({ ...facts, lifecycle: 'terminated' })).toBe('wait');
  });

  it('is for SIMs that are not terminated', () => {
    for (const type of bundleTypes) expect(mayOrder('terminated', type)).toBe(false);
    expect(lifecycles.filter((lifecycle) => mayOrder(lifecycle, 'test plan'))).toEqual(['pre-activated']);
    expect(lifecycles.filter((lifecycle) => !mayOrder(lifecycle, 'prepaid supplementary'))).toEqual([
      'expired',
      'terminated',
    ]);
    expect(lifecycles.filter((lifecycle) => !mayOrder(lifecycle, 'prepaid basic'))).toEqual(['terminated']);
  });
});
