import { describe, expect, it } from 'vitest';
import { dataState } from '../sim/index.ts';
import { allocateUsage, gapsOf, type LiveUsage, restateUsage } from './live-usage.rules.ts';
import type { CycleUsage } from './usage.rules.ts';

/** The running cycle is from 100 to 200, with 30 of its limit of 130 from supplementary orders. */
const liveOf = (own: Partial<LiveUsage> = {}): LiveUsage => ({
  simId: 1,
  orgId: 2,
  iccid: '8988',
  cycleStartedAt: 100,
  cycleEndsAt: 200,
  used: 50,
  limit: 130,
  extra: 30,
  threshold: 130,
  overLimit: false,
  dataState: dataState.open,
  rateKbps: null,
  isPooled: false,
  usesPoolLimit: false,
  policy: 'stop',
  slowKbps: null,
  stopAfterBytes: null,
  ...own,
});
const part = (startedAt: number, used: number, own: Partial<CycleUsage> = {}): CycleUsage => ({
  simId: 1,
  startedAt,
  endsAt: startedAt + 100,
  used,
  limit: null,
  ...own,
});

describe('usage', () => {
  it('of the running cycle is added to the counter', () => {
    expect(allocateUsage(liveOf(), [part(100, 7), part(100, 3)])).toEqual({
      live: liveOf({ used: 60 }),
      closed: [],
      late: [],
      crossed: null,
      wasOver: false,
      reopened: null,
    });
  });

  it('that is older belongs to the cycle that is over, with the limit of the bundle', () => {
    const { live, late } = allocateUsage(liveOf(), [part(0, 1), part(0, 0)]);
    expect(live).toEqual(liveOf());
    expect(late).toEqual([part(0, 1, { limit: 100 })]);
  });

  it('from before the first cycle by the rule belongs to the closed cycle that contains it, else to the running one', () => {
    const closedCycles = [{ startedAt: 40, endsAt: 90 }];
    const { live, late } = allocateUsage(
      liveOf(),
      [part(100, 7, { before: 50 }), part(100, 1, { before: 95 })],
      closedCycles,
    );
    expect(late).toEqual([part(40, 7, { endsAt: 90, limit: 100, before: 50 })]);
    expect(live.used).toBe(51);
  });

  it('that is newer closes the running cycle, and begins the next one without what was used of supplementary orders', () => {
    const { live, closed } = allocateUsage(liveOf({ used: 110 }), [part(100, 5), part(300, 20)]);
    expect(closed).toEqual([part(100, 115, { limit: 130 })]);
    expect(live).toEqual(
      liveOf({ used: 20, limit: 115, extra: 15, threshold: 115, cycleStartedAt: 300, cycleEndsAt: 400 }),
    );
  });

  it('without a running cycle begins one, and keeps what was counted before', () => {
    const before = liveOf({ cycleStartedAt: null, cycleEndsAt: null });
    expect(allocateUsage(before, [part(300, 20)])).toMatchObject({
      live: { used: 70, limit: 130, extra: 30, cycleStartedAt: 300, cycleEndsAt: 400 },
      closed: [],
    });
  });

  it('crosses the threshold when it reaches it', () => {
    expect(allocateUsage(liveOf(), [part(100, 79)])).toMatchObject({ crossed: null });
    expect(allocateUsage(liveOf(), [part(100, 80)])).toMatchObject({
      crossed: { thresholdBytes: 130, usedBytes: 130 },
      wasOver: false,
      reopened: null,
      live: { overLimit: true, dataState: dataState.stopped, threshold: null },
    });
    expect(allocateUsage(liveOf({ threshold: null }), [part(100, 80)])).toMatchObject({ crossed: null });
  });

  it('beyond the limit crosses the amount after which data stops', () => {
    const billed = liveOf({
      policy: 'billing then stop after',
      stopAfterBytes: 40,
      used: 140,
      overLimit: true,
      threshold: 170,
    });
    expect(allocateUsage(billed, [part(100, 35)])).toMatchObject({
      crossed: { thresholdBytes: 170, usedBytes: 175 },
      wasOver: true,
      live: { dataState: dataState.stopped },
    });
  });

  it('of a new cycle opens data that was stopped, unless it stops it again', () => {
    const stopped = liveOf({ used: 140, overLimit: true, dataState: dataState.stopped, threshold: null });
    expect(allocateUsage(stopped, [part(200, 0)])).toMatchObject({
      reopened: dataState.stopped,
      crossed: null,
      live: { used: 0, limit: 100, extra: 0, threshold: 100, overLimit: false, dataState: dataState.open },
    });
    expect(allocateUsage(stopped, [part(200, 100)])).toMatchObject({
      reopened: null,
      crossed: { thresholdBytes: 100, usedBytes: 100 },
      live: { dataState: dataState.stopped },
    });
    expect(allocateUsage(liveOf(), [part(200, 0)]).reopened).toBeNull();
  });

  it('never exceeds the exact numbers', () => {
    const { live } = allocateUsage(liveOf({ limit: null, threshold: null }), [
      part(100, Number.MAX_SAFE_INTEGER),
    ]);
    expect(live.used).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('gaps between cycles', () => {
  it('are from the end of each closed one to the start of the next, with its limit', () => {
    const allocation = allocateUsage(liveOf(), []);
    const closed = [part(0, 1), part(100, 1, { limit: 5 }), part(300, 1, { limit: 7 })];
    const gaps = (cycleStartedAt: number | null) =>
      gapsOf({ ...allocation, closed, live: liveOf({ cycleStartedAt }) });
    const between = { from: 200, until: 300, limit: 7 };
    expect(gaps(450)).toEqual([between, { from: 400, until: 450, limit: 130 }]);
    expect([gaps(400), gaps(null)]).toEqual([[between], [between]]);
  });
});

describe('a restated counter', () => {
  it('has the sum of the records, and the state that follows from it', () => {
    expect(restateUsage(liveOf(), 129)).toEqual({
      live: liveOf({ used: 129 }),
      closed: [],
      late: [],
      crossed: null,
      wasOver: false,
      reopened: null,
    });
    expect(restateUsage(liveOf(), 130)).toMatchObject({
      crossed: { thresholdBytes: 130, usedBytes: 130 },
      reopened: null,
      live: { overLimit: true, dataState: dataState.stopped },
    });
    expect(restateUsage(liveOf({ threshold: null }), 130)).toMatchObject({ crossed: null });
  });

  it('opens data that was stopped if it is within the limit after all', () => {
    const stopped = liveOf({ overLimit: true, dataState: dataState.stopped, threshold: null });
    expect(restateUsage(stopped, 20)).toMatchObject({
      reopened: dataState.stopped,
      wasOver: true,
      live: { dataState: dataState.open, threshold: 130 },
    });
    expect(restateUsage(stopped, 140).reopened).toBeNull();
  });
});
