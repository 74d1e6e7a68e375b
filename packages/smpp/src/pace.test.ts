import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

/** Sends as fast as the pace allows, in milliseconds of a simulated clock. */
function* simulateSends(pace: Pace, untilMs: number): Generator<number> {
  for (let now = 1; now < untilMs; ) {
    const waitMs = pace.take(now);
    if (waitMs === 0) yield now;
    else now += Math.max(1, Math.ceil(waitMs));
  }
}

const maxPerSecond = (times: readonly number[]): number =>
  Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 1_000).length));

/** Accepts `rate` messages in each second of its clock, and throttles the rest. */
function againstSmsc(pace: Pace, rate: number, untilMs: number): { accepted: number; throttled: number } {
  const perSecond = new Map<number, number>();
  let accepted = 0;
  let throttled = 0;
  for (const now of simulateSends(pace, untilMs)) {
    const second = Math.floor(now / 1_000);
    const count = perSecond.get(second) ?? 0;
    if (count < rate) {
      perSecond.set(second, count + 1);
      accepted += 1;
      pace.accepted(now);
    } else {
      throttled += 1;
      pace.throttled(now);
    }
  }
  return { accepted, throttled };
}

describe('the pace of a connection', () => {
  it('does not exceed its rate in any second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), (rate) => {
        const times = [...simulateSends(new Pace({ rate, random: () => 0.5 }), 4_000)];
        expect(maxPerSecond(times)).toBeLessThanOrEqual(rate);
        expect(times.length).toBeGreaterThanOrEqual(0.9 * 4 * rate - 1);
      }),
      { numRuns: 30 },
    );
  });

  it('does not accumulate unused capacity', () => {
    const pace = new Pace({ rate: 100, random: () => 0.5 });
    pace.take(1);
    const later = [10_000, 10_000, 10_000, 10_000].map((now) => pace.take(now) === 0);
    expect(later).toEqual([true, true, false, false]);
  });

  it.each([undefined, 1_000])('adapts to the rate of a throttling SMSC (configured: %s)', (rate) => {
    const { accepted, throttled } = againstSmsc(new Pace({ rate, random: () => 0.5 }), 100, 120_000);
    expect(accepted).toBeGreaterThan(0.6 * 100 * 120);
    expect(throttled).toBeLessThan(0.01 * accepted);
  });

  it('backs off while the SMSC accepts nothing, then returns to its rate', () => {
    const pace = new Pace({ rate: 50, random: () => 0.5 });
    const { throttled } = againstSmsc(pace, 0, 300_000);
    // 1, 2, 4, 8, 16, then every 30 s.
    expect(throttled).toBeLessThan(16);
    pace.accepted(300_000);
    expect(pace.rate(300_000)).toBeLessThan(10);
    expect(pace.rate(400_000)).toBe(50);
  });
});
