import { bundleTypes } from '@simcube/contract/bundle';
import { lifecycles } from '@simcube/contract/sim';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderEnd } from '../bundle.rules.ts';
import { mayOrder, nextStep, type OrderQueue, orderEffectOf, type QueuedOrder } from './lifecycle.rules.ts';

const dayMs = 86_400_000;
const start = new Date('2026-01-01T00:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * dayMs);

interface Stretch {
  orderId: number;
  from: Date;
  to: Date | null;
}

interface Walk {
  queue: OrderQueue;
  history: Stretch[];
  expiredAt: Date | null;
}

const planOf = (days: (number | null)[]): QueuedOrder[] =>
  days.map((_, index) => ({ orderId: index, type: 'prepaid basic' }));

const begin = (days: (number | null)[]): Walk => {
  const [first, ...pending] = planOf(days);
  const endsAt = orderEnd(start, days[0] ?? null);
  return {
    queue: { lifecycle: 'active', inUse: first ? { ...first, endsAt } : null, pending },
    history: first ? [{ orderId: first.orderId, from: start, to: null }] : [],
    expiredAt: null,
  };
};

/** Takes all steps that are due, as the job does. */
const walk = (walked: Walk, days: (number | null)[], now: Date): Walk => {
  let { queue, expiredAt } = walked;
  const history = [...walked.history];
  for (let step = nextStep(queue, now); step; step = nextStep(queue, now)) {
    const last = history.at(-1);
    if (last) history[history.length - 1] = { ...last, to: step.at };
    const next = step.start;
    if (next) history.push({ orderId: next.orderId, from: step.at, to: null });
    queue = {
      lifecycle: step.expires ? 'expired' : queue.lifecycle,
      inUse: next ? { ...next, endsAt: orderEnd(step.at, days[next.orderId] ?? null) } : null,
      pending: queue.pending.slice(1),
    };
    if (step.expires) expiredAt = step.at;
  }
  return { queue, history, expiredAt };
};

const durations = fc.array(fc.option(fc.integer({ min: 1, max: 60 }), { freq: 8 }), {
  minLength: 1,
  maxLength: 8,
});

describe('a queue of orders', () => {
  it('has the same result in time and after a long downtime', () => {
    fc.assert(
      fc.property(
        durations,
        fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 12 }),
        fc.integer({ min: 0, max: 600 }),
        (days, visits, last) => {
          const inTime = visits
            .filter((visit) => visit < last)
            .sort((a, b) => a - b)
            .reduce((walked, visit) => walk(walked, days, after(visit)), begin(days));
          expect(walk(inTime, days, after(last))).toEqual(walk(begin(days), days, after(last)));
        },
      ),
    );
  });

  it('runs without gap or overlap, and expires with the last one', () => {
    fc.assert(
      fc.property(durations, (days) => {
        const { history, expiredAt } = walk(begin(days), days, after(10_000));
        const endless = days.indexOf(null);
        expect(history).toHaveLength(endless < 0 ? days.length : endless + 1);
        history.forEach(({ orderId, from, to }, index) => {
          expect(orderId).toBe(index);
          expect(from).toEqual(index === 0 ? start : history[index - 1]?.to);
          if (to) expect(to).toEqual(orderEnd(from, days[orderId] ?? null));
        });
        const sum = days.reduce<number>((total, one) => total + (one ?? 0), 0);
        expect(expiredAt).toEqual(endless < 0 ? after(sum) : null);
      }),
    );
  });

  it('continues for a paused SIM, and waits for the activation of a pre-activated one', () => {
    const inUse = { orderId: 1, type: 'prepaid basic', endsAt: start } as const;
    const pending = [{ orderId: 2, type: 'prepaid basic' } as const];
    expect(nextStep({ lifecycle: 'paused', inUse, pending }, start)).toMatchObject({ start: { orderId: 2 } });
    expect(nextStep({ lifecycle: 'paused', inUse, pending: [] }, start)).toMatchObject({ expires: true });
    const test = { ...inUse, type: 'test plan' } as const;
    expect(nextStep({ lifecycle: 'pre-activated', inUse: test, pending }, start)).toEqual({
      at: start,
      start: null,
      expires: false,
    });
    expect(nextStep({ lifecycle: 'active', inUse, pending }, new Date(start.getTime() - 1))).toBeNull();
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
    expect(lifecycles.filter((lifecycle) => mayOrder(lifecycle, 'prepaid supplementary'))).not.toContain(
      'expired',
    );
    expect(lifecycles.filter((lifecycle) => mayOrder(lifecycle, 'prepaid basic'))).toContain('expired');
  });
});
