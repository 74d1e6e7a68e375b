import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { demoDevices } from './demo-devices.ts';
import { type DeviceKindName, deviceKindNames, deviceKinds } from './device-kinds.ts';
import { usageOf } from './device-usage.ts';
import { history } from './history.ts';
import { Random } from './random.ts';
import { hourMs } from './time.ts';
import { Traffic, type TrafficShare } from './traffic.ts';

const seed = 7;
const devices = demoDevices(400, seed);
const joinMs = Date.parse('2025-06-11T09:17:00Z');

interface Played {
  /** Usage by hour of the wall clock and kind, in mean days. */
  hours: Map<string, number>;
  octets: number;
}

const octetsOf = (kind: DeviceKindName, days: number): number =>
  days * (deviceKinds[kind].dailyUpBytes + deviceKinds[kind].dailyDownBytes);

/**
 * Simulates sessions: half of the devices, at most `most` at a time, each open for its kind's hours divided by the speed. They
 * take their traffic every twenty seconds and at their ends.
 */
function play({ speed, most, hours }: { speed: number; most: number; hours: number }): Played {
  const sources = devices.map((device) => ({ usage: usageOf(device, seed), isRejected: false }));
  const traffic = new Traffic(sources);
  const random = new Random(speed, most);
  const open: { share: TrafficShare; endsMs: number }[] = [];
  const played: Played = { hours: new Map(), octets: 0 };
  const stepMs = 20_000;
  let next = 0;
  traffic.begin(joinMs);
  for (let nowMs = joinMs; nowMs <= joinMs + hours * hourMs; nowMs += stepMs) {
    const isLast = nowMs + stepMs > joinMs + hours * hourMs;
    for (let index = open.length - 1; index >= 0; index -= 1) {
      const session = open[index];
      if (session === undefined) continue;
      const taken = traffic.take(session.share, nowMs);
      const key = keyOf(session.share.kind, nowMs - 1);
      played.hours.set(key, (played.hours.get(key) ?? 0) + taken);
      played.octets += octetsOf(session.share.kind, taken);
      if (session.endsMs > nowMs && !isLast) continue;
      traffic.leave(session.share);
      open.splice(index, 1);
    }
    while (open.length < most) {
      const { usage } = sources[next % sources.length] ?? fail();
      next += 1;
      const { name, sessionHours } = usage.kind;
      const share = traffic.join(name, random.between(0.5, 2), nowMs);
      open.push({ share, endsMs: nowMs + (sessionHours * hourMs) / speed });
    }
  }
  return played;
}

const fail = (): never => {
  throw new Error('no devices');
};
const keyOf = (kind: DeviceKindName, ms: number): string => `${kind} ${Math.floor(ms / hourMs)}`;

/** Usage of the history in the hours after the live network took over. */
function historyAfter(hours: number): Played {
  const kindOf = new Map(devices.map(({ imsi, kind }) => [imsi, kind]));
  const played: Played = { hours: new Map(), octets: 0 };
  const until = (ms: number) => history({ devices, seed, untilMs: ms, days: 2, detailDays: 2 });
  const add = (ms: number, sign: number) => {
    for (const { imsi, ended_at, up_bytes, down_bytes } of until(ms)) {
      const kind = kindOf.get(imsi) ?? fail();
      const octets = sign * (up_bytes + down_bytes);
      const key = keyOf(kind, Date.parse(ended_at) - 1);
      played.hours.set(key, (played.hours.get(key) ?? 0) + octets / octetsOf(kind, 1));
      played.octets += octets;
    }
  };
  add(joinMs + hours * hourMs, 1);
  add(joinMs, -1);
  return played;
}

describe('live traffic', () => {
  it.each([1, 60, 3_600])('continues the history by hour and kind, at %s times the speed', (speed) => {
    const live = play({ speed, most: 200, hours: 4 });
    const expected = historyAfter(4);
    expect(live.octets / expected.octets).toBeCloseTo(1, 2);
    // The first and last hours are incomplete.
    for (const hour of [9, 10, 11, 12, 13]) {
      const at = joinMs - (joinMs % hourMs) + (hour - 9) * hourMs;
      for (const kind of ['camera', 'kiosk', 'truck'] as const) {
        const key = keyOf(kind, at);
        const ratio = (live.hours.get(key) ?? 0) / (expected.hours.get(key) ?? 0);
        expect(ratio, key).toBeGreaterThan(0.93);
        expect(ratio, key).toBeLessThan(1.07);
      }
    }
  });

  it('sums up to the fleet’s usage, independent of sessions', () => {
    const sources = devices.map((device) => ({ usage: usageOf(device, seed), isRejected: false }));
    const stretch = fc.record({
      seconds: fc.integer({ min: 1, max: 200 }),
      kind: fc.constantFrom(...deviceKindNames),
      weight: fc.constantFrom(0, 0.1, 1, 5),
      stays: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 30 }), (steps) => {
        const traffic = new Traffic(sources);
        const open: TrafficShare[] = [];
        let nowMs = joinMs;
        let carried = 0;
        traffic.begin(nowMs);
        for (const { seconds, kind, weight, stays } of steps) {
          open.push(traffic.join(kind, weight, nowMs));
          nowMs += seconds * 1_000;
          for (const share of open) carried += traffic.take(share, nowMs);
          for (const share of open.splice(stays)) traffic.leave(share);
        }
        for (const kind of deviceKindNames) {
          const last = traffic.join(kind, 1, nowMs);
          nowMs += 1;
          open.push(last);
        }
        for (const share of open) carried += traffic.take(share, nowMs);
        const used = sources.reduce((sum, { usage }) => sum + usage.shareOf(joinMs, nowMs), 0);
        expect(carried / used).toBeCloseTo(1, 3);
      }),
      { numRuns: 50 },
    );
  });

  it('is not lost to ended sessions or sessions without weight', () => {
    const traffic = new Traffic(
      devices.map((device) => ({ usage: usageOf(device, seed), isRejected: false })),
    );
    traffic.begin(joinMs);
    const idle = traffic.join('camera', 0, joinMs);
    const ended = [1, 0.1].map((weight) => traffic.join('camera', weight, joinMs));
    for (const share of ended) traffic.leave(share);
    const nowMs = joinMs + 60_000;
    const next = traffic.join('camera', 1, nowMs);
    expect(traffic.take(next, nowMs + 1)).toBeGreaterThan(0.01);
    expect(traffic.take(idle, nowMs + 1)).toBe(0);
  });

  it('excludes rejected devices, machine sleep and gateway downtime', () => {
    const [source] = devices.filter(({ kind }) => kind === 'camera').map((device) => usageOf(device, seed));
    const usage = source ?? fail();
    const minutes = (from: number, to: number) => usage.shareOf(joinMs + from * 60_000, joinMs + to * 60_000);
    const run = (source: { isRejected: boolean }) => {
      const traffic = new Traffic([{ usage, ...source }]);
      traffic.begin(joinMs);
      return { traffic, share: traffic.join('camera', 1, joinMs) };
    };
    const kept = run({ isRejected: true });
    expect(kept.traffic.take(kept.share, joinMs + 60_000)).toBe(0);
    const slept = run({ isRejected: false });
    expect(slept.traffic.take(slept.share, joinMs + 600 * 60_000)).toBeCloseTo(minutes(595, 600), 9);
    const down = run({ isRejected: false });
    down.traffic.end();
    expect(down.traffic.take(down.share, joinMs + 60_000)).toBe(0);
    down.traffic.begin(joinMs + 120_000);
    const back = down.traffic.join('camera', 2, joinMs + 120_000);
    expect(down.traffic.take(back, joinMs + 180_000)).toBeCloseTo(minutes(2, 3), 9);
  });
});
