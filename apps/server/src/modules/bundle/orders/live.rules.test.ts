import { describe, expect, it } from 'vitest';
import { dataState } from '../../sim/index.ts';
import {
  closeCycle,
  closeOverdueCycles,
  elapsedCycles,
  type LiveBundle,
  type LiveState,
  mustNotifyNetwork,
  withBundle,
  withExtra,
  withoutBundle,
} from './live.rules.ts';

const [start, end] = [new Date('2026-10-01T00:00:00Z'), new Date('2026-10-02T00:00:00Z')];
const [dayAfter, next] = [new Date('2026-10-03T00:00:00Z'), new Date('2026-10-04T00:00:00Z')];

const bundle: LiveBundle = {
  policy: 'stop',
  slowKbps: null,
  stopAfterBytes: null,
  usesPoolLimit: false,
  quotaBytes: 100,
  resetCycle: '24h day',
  activatedAt: start,
};
const liveOf = (own: Partial<LiveState> = {}): LiveState => ({
  simId: 1,
  orgId: 2,
  iccid: '8988',
  cycleStartedAt: start,
  cycleEndsAt: end,
  used: 120,
  limit: 150,
  extra: 50,
  threshold: 150,
  overLimit: false,
  dataState: dataState.open,
  rateKbps: null,
  ...own,
});

describe('a cycle that is closed', () => {
  const close = (at: Date, own: Partial<LiveState> = {}, usedSince = 0) =>
    closeCycle(liveOf(own), { at, usedSince });

  it('keeps its usage and limit, and takes what it used of supplementary orders from the counter', () => {
    const { live, closed } = close(end);
    expect(closed).toEqual({
      simId: 1,
      used: 120,
      limit: 150,
      startedAt: start.getTime(),
      endsAt: end.getTime(),
    });
    expect(live).toEqual(liveOf({ used: 0, limit: 130, extra: 30, cycleStartedAt: null, cycleEndsAt: null }));
  });

  it('leaves usage after its end to the next one', () => {
    const { live, closed } = close(end, {}, 30);
    expect([closed?.used, live.used, live.limit, live.extra]).toEqual([90, 30, 150, 50]);
    const all = close(end, {}, 500);
    expect([all.closed?.used, all.live.used]).toEqual([0, 120]);
  });

  it('ends at the given instant, but not after its own end', () => {
    const middle = new Date('2026-10-01T12:00:00Z');
    expect([middle, end, dayAfter].map((at) => close(at).closed?.endsAt)).toEqual([
      ...[middle.getTime(), end.getTime(), end.getTime()],
    ]);
  });

  it('before it began is none, unless something was used in it: it then has its usual end', () => {
    const before = new Date(start.getTime() - 1);
    for (const at of [before, start]) {
      expect(close(at, { used: 0 }).closed).toBeNull();
      expect(close(at, { used: 7 }, 7).closed).toBeNull();
      expect(close(at).closed).toMatchObject({ used: 120, endsAt: end.getTime() });
    }
    expect(close(end, { used: 0 }).closed).toMatchObject({ used: 0 });
  });

  it('is none without a cycle', () => {
    for (const own of [{ cycleStartedAt: null }, { cycleEndsAt: null }])
      expect(close(end, own)).toEqual({ live: liveOf(own), closed: null });
  });
});

describe('a counter', () => {
  it('without a bundle is open and has no limit, and a cycle if anything was used', () => {
    const stopped = { overLimit: true, dataState: dataState.stopped, rateKbps: 128 };
    const free = {
      limit: null,
      threshold: null,
      overLimit: false,
      dataState: dataState.open,
      rateKbps: null,
    };
    expect(withoutBundle(liveOf({ ...stopped, used: 0 }), dayAfter)).toEqual(liveOf({ ...free, used: 0 }));
    expect(withoutBundle(liveOf({ ...stopped, used: 1 }), dayAfter)).toEqual(
      liveOf({ ...free, used: 1, cycleStartedAt: dayAfter, cycleEndsAt: new Date('2026-10-31T16:00:00Z') }),
    );
  });

  it('under a bundle has its quota and what supplementary orders have left, in its current cycle', () => {
    expect(withBundle(liveOf({ used: 0, limit: null }), bundle, end)).toEqual(
      liveOf({ used: 0, limit: 150, threshold: 150, cycleStartedAt: end, cycleEndsAt: dayAfter }),
    );
    expect(withBundle(liveOf({ used: 150 }), bundle, end)).toMatchObject({
      overLimit: true,
      dataState: dataState.stopped,
      threshold: null,
    });
    expect(withBundle(liveOf(), { ...bundle, quotaBytes: null }, end)).toMatchObject({ limit: null });
  });

  it('under a bundle is slowed or stopped as the bundle says', () => {
    const over = liveOf({ used: 170 });
    const slow: LiveBundle = { ...bundle, policy: 'billing and slow down', slowKbps: 256 };
    const later: LiveBundle = { ...bundle, policy: 'billing then stop after', stopAfterBytes: 30 };
    expect(withBundle(over, slow, end)).toMatchObject({ dataState: dataState.slowed, rateKbps: 256 });
    expect(withBundle(over, later, end)).toMatchObject({ dataState: dataState.open, threshold: 180 });
  });

  it('gets and loses octets of supplementary orders, never more than it has', () => {
    const brief = ({ limit, extra }: LiveState) => [limit, extra];
    expect(brief(withExtra(liveOf(), bundle, 25))).toEqual([175, 75]);
    expect(brief(withExtra(liveOf(), bundle, -50))).toEqual([100, 0]);
    expect(brief(withExtra(liveOf(), bundle, -80))).toEqual([100, 0]);
    expect(brief(withExtra(liveOf({ limit: 20 }), bundle, -50))).toEqual([0, 0]);
    expect(brief(withExtra(liveOf({ limit: null }), bundle, 25))).toEqual([null, 75]);
  });

  it('is evaluated again when its limit changes, also without a bundle', () => {
    expect(withExtra(liveOf(), bundle, -40)).toMatchObject({ overLimit: true, dataState: dataState.stopped });
    expect(withExtra(liveOf(), null, -40)).toMatchObject({ overLimit: true, dataState: dataState.open });
  });

  it('notifies the network when data is stopped, slowed or released, and when the rate changes', () => {
    const slowed = liveOf({ dataState: dataState.slowed, rateKbps: 128 });
    expect(mustNotifyNetwork(slowed, { ...slowed, used: 500 })).toBe(false);
    expect(mustNotifyNetwork(slowed, { ...slowed, rateKbps: 256 })).toBe(true);
    expect(mustNotifyNetwork(liveOf(), liveOf({ dataState: dataState.stopped }))).toBe(true);
  });
});

describe('cycles that are overdue', () => {
  it('are closed together with those in which nothing was used', () => {
    const { live, closed } = closeOverdueCycles(liveOf(), bundle, new Date(next.getTime() + 1));
    expect(closed.map(({ used, limit, startedAt }) => [used, limit, startedAt])).toEqual([
      [120, 150, start.getTime()],
      [0, 130, end.getTime()],
      [0, 130, dayAfter.getTime()],
    ]);
    expect(live).toMatchObject({ used: 0, limit: 130, extra: 30, cycleStartedAt: next });
  });

  it('are so from their last instant on, and only under a bundle', () => {
    const closedAt = (at: Date, own: Partial<LiveState> = {}, of: LiveBundle | null = bundle) =>
      closeOverdueCycles(liveOf(own), of, at).closed.length;
    expect([closedAt(new Date(end.getTime() - 1)), closedAt(end)]).toEqual([0, 1]);
    expect([closedAt(next, {}, null), closedAt(next, { cycleEndsAt: null })]).toEqual([0, 0]);
  });

  it('of a counter without a bundle or a cycle are none', () => {
    expect(elapsedCycles(liveOf(), null, start)).toEqual([]);
    expect(elapsedCycles(liveOf({ cycleStartedAt: null }), bundle, start)).toEqual([]);
    expect(elapsedCycles(liveOf({ cycleStartedAt: next }), bundle, dayAfter)).toEqual([
      { simId: 1, limit: 150, used: 0, startedAt: dayAfter.getTime(), endsAt: next.getTime() },
    ]);
  });
});
