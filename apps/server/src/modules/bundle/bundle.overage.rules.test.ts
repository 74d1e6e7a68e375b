import { overagePolicies } from '@simcube/contract/bundle';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataState } from '../sim/index.ts';
import {
  allowanceAfter,
  computeSupplies,
  consumeFrom,
  evaluateUsage,
  extraUsed,
  type OveragePolicy,
  overageOf,
  remainingBytes,
  type Supply,
} from './bundle.overage.rules.ts';

const bytes = fc.integer({ min: 0, max: 2 ** 40 });
const plain = { slowKbps: null, stopAfterBytes: null, usesPoolLimit: false };

describe('the overage policy', () => {
  const limit = 1000;
  const at = (used: number, policy: OveragePolicy, more: Partial<typeof plain | { slowKbps: number }> = {}) =>
    evaluateUsage({ used, limit, policy, ...plain, ...more });

  it('leaves data open below the limit, and is next evaluated at the limit', () => {
    for (const policy of overagePolicies) {
      expect(at(999, policy)).toEqual({
        overLimit: false,
        dataState: dataState.open,
        rateKbps: null,
        threshold: limit,
      });
    }
  });

  it('stops, slows or continues data once the quota is used up', () => {
    expect(at(1000, 'stop')).toMatchObject({
      overLimit: true,
      dataState: dataState.stopped,
      threshold: null,
    });
    expect(at(1000, 'billing and slow down', { slowKbps: 256 })).toMatchObject({
      dataState: dataState.slowed,
      rateKbps: 256,
    });
    expect(at(1000, 'billing and slow down')).toMatchObject({ dataState: dataState.slowed, rateKbps: 128 });
    expect(at(1000, 'billing')).toMatchObject({ overLimit: true, dataState: dataState.open });
    expect(at(1000, 'billing and threshold')).toMatchObject({ dataState: dataState.open, threshold: null });
  });

  it('continues up to the set amount, then stops', () => {
    const stopAt = (used: number) =>
      evaluateUsage({ ...plain, used, limit, policy: 'billing then stop after', stopAfterBytes: 500 });
    expect(stopAt(1000)).toEqual({ overLimit: true, dataState: 0, rateKbps: null, threshold: 1500 });
    expect(stopAt(1499)).toMatchObject({ dataState: 0, threshold: 1500 });
    expect(stopAt(1500)).toEqual({ overLimit: true, dataState: 2, rateKbps: null, threshold: null });
  });

  it('continues without an end if no amount is set, or the policy does not use it', () => {
    const open = { overLimit: true, dataState: dataState.open, rateKbps: null, threshold: null };
    const usage = { used: 5000, limit, slowKbps: null, usesPoolLimit: false };
    expect(evaluateUsage({ ...usage, policy: 'billing then stop after', stopAfterBytes: null })).toEqual(
      open,
    );
    for (const policy of ['billing', 'billing and threshold', null] as const)
      expect(evaluateUsage({ ...usage, policy, stopAfterBytes: 500 })).toEqual(open);
  });

  it('takes a quota of nothing for exceeded with the first octet, unless data stops there', () => {
    const of = (used: number, policy: OveragePolicy) => evaluateUsage({ used, limit: 0, policy, ...plain });
    expect(of(0, 'billing')).toEqual({ overLimit: false, dataState: 0, rateKbps: null, threshold: 1 });
    expect(of(1, 'billing')).toMatchObject({ overLimit: true, threshold: null });
    expect(of(0, 'billing and slow down')).toMatchObject({ overLimit: false, rateKbps: 128, threshold: 1 });
    expect(of(0, 'stop')).toMatchObject({ overLimit: true, dataState: dataState.stopped });
  });

  it('never exceeds a limit that does not exist', () => {
    expect(evaluateUsage({ used: 2 ** 50, limit: null, policy: 'stop', ...plain })).toEqual({
      overLimit: false,
      dataState: dataState.open,
      rateKbps: null,
      threshold: null,
    });
  });

  it('does not apply while the limit of a shared pool does', () => {
    expect(evaluateUsage({ ...plain, used: 2000, limit, policy: 'billing', usesPoolLimit: true })).toEqual({
      overLimit: false,
      dataState: dataState.open,
      rateKbps: null,
      threshold: null,
    });
  });

  it('names the lowest usage at which anything changes', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.option(bytes),
        fc.constantFrom(...overagePolicies),
        fc.option(fc.integer({ min: 1, max: 2 ** 40 })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (used, quota, policy, stopAfterBytes, share) => {
          const judge = (amount: number) =>
            evaluateUsage({ ...plain, used: amount, limit: quota, policy, stopAfterBytes });
          const now = judge(used);
          const end = now.threshold ?? used * 2 + 1;
          expect(end).toBeGreaterThan(used);
          const between = used + Math.floor((end - 1 - used) * share);
          expect(judge(between)).toEqual(now);
          if (now.threshold !== null) expect(judge(end)).not.toEqual(now);
        },
      ),
    );
  });
});

describe('supplementary orders', () => {
  const supply = (orderId: number, quotaBytes: number, usedBytes = 0): Supply => ({
    orderId,
    quotaBytes,
    usedBytes,
  });

  it('are used after the basic quota', () => {
    expect(extraUsed({ limit: 150, extra: 50, used: 100 })).toBe(0);
    expect(extraUsed({ limit: 150, extra: 50, used: 120 })).toBe(20);
    expect(extraUsed({ limit: 150, extra: 50, used: 500 })).toBe(50);
    expect(extraUsed({ limit: null, extra: 50, used: 500 })).toBe(0);
  });

  it('are reduced by what a cycle used of them, and so is its limit if it has one', () => {
    expect(allowanceAfter({ limit: 150, extra: 50, used: 120 })).toEqual({ limit: 130, extra: 30 });
    expect(allowanceAfter({ limit: null, extra: 50, used: 120 })).toEqual({ limit: null, extra: 50 });
  });

  it('are used oldest first', () => {
    const used = consumeFrom([supply(1, 10, 4), supply(2, 10), supply(3, 10)], 12);
    expect(used.map(({ usedBytes }) => usedBytes)).toEqual([10, 6, 0]);
  });

  /** Events of a SIM: usage, a new cycle, an order that starts, one that ends. */
  const happenings = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('use' as const), bytes: fc.integer({ min: 0, max: 300 }) }),
      fc.record({ kind: fc.constant('turn' as const) }),
      fc.record({ kind: fc.constant('begin' as const), bytes: fc.integer({ min: 1, max: 200 }) }),
      fc.record({ kind: fc.constant('end' as const), index: fc.nat({ max: 4 }) }),
    ),
    { maxLength: 40 },
  );

  it('give in total what a ledger of every byte gives, whatever starts, ends and renews', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), happenings, (base, events) => {
        // The code under test: a counter, and orders that are updated only when one begins or ends.
        let live = { limit: base, extra: 0, used: 0 };
        let orders: Supply[] = [];
        // The model: every byte over the quota is immediately taken from the oldest order with any left.
        let ledger: Supply[] = [];
        let ownUsed = 0;
        for (const [position, event] of events.entries()) {
          if (event.kind === 'use') {
            live.used += event.bytes;
            const over = Math.max(ownUsed + event.bytes - base, 0) - Math.max(ownUsed - base, 0);
            ownUsed += event.bytes;
            ledger = consumeFrom(ledger, over);
          } else if (event.kind === 'turn') {
            live = { ...live, ...allowanceAfter(live), used: 0 } as typeof live;
            ownUsed = 0;
          } else if (event.kind === 'begin') {
            // As if it had existed throughout this cycle: usage over the limit is taken from it.
            const uncovered = Math.max(live.used - live.limit, 0);
            orders = [...computeSupplies(orders, live).booked, supply(position, event.bytes)];
            live = { ...live, limit: live.limit + event.bytes, extra: live.extra + event.bytes };
            ledger = [...ledger, ...consumeFrom([supply(position, event.bytes)], uncovered)];
          } else {
            const ends = orders[event.index];
            if (!ends) continue;
            const { booked, running } = computeSupplies(orders, live);
            const last = running.find(({ orderId }) => orderId === ends.orderId) ?? ends;
            const gone = remainingBytes(last);
            live = { ...live, limit: live.limit - gone, extra: live.extra - gone };
            orders = booked.filter(({ orderId }) => orderId !== ends.orderId);
            expect(last.usedBytes).toBe(ledger.find(({ orderId }) => orderId === ends.orderId)?.usedBytes);
            ledger = ledger.filter(({ orderId }) => orderId !== ends.orderId);
          }
          const { running } = computeSupplies(orders, live);
          expect(running.map(({ usedBytes }) => usedBytes)).toEqual(ledger.map(({ usedBytes }) => usedBytes));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the overage policy as shown', () => {
  const amounts = { slow_kbps: 256, threshold_bytes: 100, stop_after_bytes: 50 } as const;
  const none = { slow_kbps: null, threshold_bytes: null, stop_after_bytes: null };
  it.each([
    ['stop', none],
    ['billing', none],
    ['billing and slow down', { ...none, slow_kbps: 256 }],
    ['billing and threshold', { ...none, threshold_bytes: 100 }],
    ['billing then stop after', { ...none, stop_after_bytes: 50 }],
  ] as const)('has the amounts that it uses (%s)', (policy, expected) => {
    expect(overageOf({ overage_policy: policy, ...amounts })).toEqual({ policy, ...expected });
  });

  it('has the rate in effect if the bundle defines none', () => {
    expect(overageOf({ overage_policy: 'billing and slow down', ...none }).slow_kbps).toBe(128);
  });
});
