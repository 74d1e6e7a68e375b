import { type ResetCycle, resetCycles } from '@simcube/contract/bundle';
import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleAfter, cycleAt, cyclesBetween } from './bundle.cycles.ts';

const show = (cycle: { startedAt: Date; endsAt: Date }) => [
  cycle.startedAt.toISOString(),
  cycle.endsAt.toISOString(),
];
const ask = (resetCycle: ResetCycle, activatedAt: string, at: string) =>
  show(cycleAt({ resetCycle, activatedAt: new Date(activatedAt), at: new Date(at) }));

describe('reset cycles', () => {
  it('end calendar days at 23:59:59 UTC+8, the first one partial', () => {
    expect(ask('day', '2026-03-10T03:00:00Z', '2026-03-10T15:59:59Z')).toEqual([
      '2026-03-10T03:00:00.000Z',
      '2026-03-10T16:00:00.000Z',
    ]);
    expect(ask('day', '2026-03-10T03:00:00Z', '2026-03-10T16:00:00Z')).toEqual([
      '2026-03-10T16:00:00.000Z',
      '2026-03-11T16:00:00.000Z',
    ]);
  });

  it('count 24-hour days from the activation', () => {
    expect(ask('24h day', '2026-03-10T03:20:00Z', '2026-03-12T03:19:59Z')).toEqual([
      '2026-03-11T03:20:00.000Z',
      '2026-03-12T03:20:00.000Z',
    ]);
  });

  it('are calendar months, the first one partial', () => {
    expect(ask('month', '2026-01-20T00:00:00Z', '2026-01-25T00:00:00Z')).toEqual([
      '2026-01-20T00:00:00.000Z',
      '2026-01-31T16:00:00.000Z',
    ]);
    expect(ask('month', '2026-01-20T00:00:00Z', '2026-12-31T16:00:00Z')).toEqual([
      '2026-12-31T16:00:00.000Z',
      '2027-01-31T16:00:00.000Z',
    ]);
  });

  it('end full months the day before the same day of the next month, 31 becoming the last day', () => {
    const activated = '2026-01-31T01:00:00.000Z';
    expect(ask('full month', activated, '2026-02-10T00:00:00Z')).toEqual([
      activated,
      '2026-02-27T16:00:00.000Z',
    ]);
    expect(ask('full month', activated, '2026-02-27T16:00:00Z')).toEqual([
      '2026-02-27T16:00:00.000Z',
      '2026-03-30T16:00:00.000Z',
    ]);
    expect(ask('full month', activated, '2028-02-29T00:00:00Z')).toEqual([
      '2028-02-28T16:00:00.000Z',
      '2028-03-30T16:00:00.000Z',
    ]);
  });

  it('are full years, 29 February becoming the 28th', () => {
    expect(ask('full year', '2028-02-29T00:00:00Z', '2029-01-01T00:00:00Z')).toEqual([
      '2028-02-29T00:00:00.000Z',
      '2029-02-27T16:00:00.000Z',
    ]);
    expect(ask('full year', '2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z')).toEqual([
      '2032-02-28T16:00:00.000Z',
      '2033-02-27T16:00:00.000Z',
    ]);
  });

  it('use the day of the offset, not of UTC', () => {
    expect(ask('full month', '2026-04-30T20:00:00Z', '2026-05-05T00:00:00Z')).toEqual([
      '2026-04-30T20:00:00.000Z',
      '2026-05-31T16:00:00.000Z',
    ]);
    const cycle = cycleAt({
      resetCycle: 'day',
      activatedAt: new Date('2026-03-01T00:00:00Z'),
      at: new Date('2026-03-10T12:00:00Z'),
      dayOffsetMinutes: -300,
    });
    expect(show(cycle)).toEqual(['2026-03-10T05:00:00.000Z', '2026-03-11T05:00:00.000Z']);
  });

  const instant = fc.date({
    min: new Date('2015-01-01T00:00:00Z'),
    max: new Date('2045-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const situation = fc.record({
    resetCycle: fc.constantFrom(...resetCycles),
    activatedAt: instant,
    after: fc.integer({ min: 0, max: 10 * 366 * dayMs }),
    dayOffsetMinutes: fc.constantFrom(480, 0, -300, 330),
  });

  it('always contain the instant, and every instant in one has the same cycle', () => {
    fc.assert(
      fc.property(situation, fc.double({ min: 0, max: 1, noNaN: true }), ({ after, ...rest }, share) => {
        const at = new Date(rest.activatedAt.getTime() + after);
        const cycle = cycleAt({ ...rest, at });
        expect(cycle.startedAt.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(cycle.endsAt.getTime()).toBeGreaterThan(at.getTime());
        const length = cycle.endsAt.getTime() - cycle.startedAt.getTime();
        const inside = new Date(cycle.startedAt.getTime() + Math.floor(share * (length - 1)));
        expect(cycleAt({ ...rest, at: inside })).toEqual(cycle);
      }),
      { numRuns: 2000 },
    );
  });

  it('follow one another without gap or overlap, as many as there are months or days', () => {
    fc.assert(
      fc.property(situation, ({ after, ...rest }) => {
        let cycle = cycleAt({ ...rest, at: new Date(rest.activatedAt.getTime() + after) });
        for (let step = 0; step < 30; step += 1) {
          const next = cycleAfter({ ...rest, cycle });
          expect(next.startedAt).toEqual(cycle.endsAt);
          const days = (next.endsAt.getTime() - next.startedAt.getTime()) / dayMs;
          const [least, most] = {
            day: [1, 1],
            '24h day': [1, 1],
            month: [28, 31],
            'full month': [28, 31],
            'full year': [365, 366],
          }[rest.resetCycle] as [number, number];
          expect(days).toBeGreaterThanOrEqual(least);
          expect(days).toBeLessThanOrEqual(most);
          cycle = next;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('begin no earlier than the order: two of one day have cycles of their own', () => {
    fc.assert(
      fc.property(situation, ({ after, ...rest }) => {
        const at = new Date(rest.activatedAt.getTime() + after);
        expect(cycleAt({ ...rest, at }).startedAt.getTime()).toBeGreaterThanOrEqual(
          rest.activatedAt.getTime(),
        );
      }),
    );
  });

  it('passed in a row up to the one that holds an instant, those of the last 400 days', () => {
    fc.assert(
      fc.property(situation, ({ after, ...rest }) => {
        const from = rest.activatedAt;
        const running = cycleAt({ ...rest, at: new Date(from.getTime() + after) });
        const passed = cyclesBetween({ ...rest, from, until: running.startedAt });
        expect(passed.length).toBeLessThanOrEqual(401);
        for (const [index, cycle] of passed.entries()) {
          expect(cycle.endsAt).toEqual((passed[index + 1] ?? running).startedAt);
        }
        if (after > 399 * dayMs) return;
        expect((passed[0] ?? running).startedAt).toEqual(cycleAt({ ...rest, at: from }).startedAt);
      }),
    );
  });

  it('assign usage from before the activation to the first cycle', () => {
    fc.assert(
      fc.property(situation, ({ after, ...rest }) => {
        const first = cycleAt({ ...rest, at: rest.activatedAt });
        expect(cycleAt({ ...rest, at: new Date(rest.activatedAt.getTime() - after) })).toEqual(first);
      }),
    );
  });
});
