import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  basicLimit,
  countVolume,
  cycleOf,
  elapsedSpans,
  findLateUsageCycle,
  runningSince,
  spanOf,
} from './usage.rules.ts';

const octets = fc.integer({ min: 0, max: 2 ** 50 });
const volume = fc.record({ up: octets, down: octets });

describe('counters of volume', () => {
  it('are combined with gigawords', () => {
    const counted = countVolume({ up: 4_294_967_000, down: 0 }, { up: 4_294_968_000, down: 5 });
    expect(counted).toEqual({
      total: { up: 4_294_968_000, down: 5 },
      added: { up: 1000, down: 5 },
      regressed: false,
    });
  });

  it('are ignored and reported when lower, per direction', () => {
    expect(countVolume({ up: 10, down: 10 }, { up: 4, down: 12 })).toEqual({
      total: { up: 10, down: 12 },
      added: { up: 0, down: 2 },
      regressed: true,
    });
  });

  it('are ignored and reported when implausibly high', () => {
    expect(countVolume({ up: 10, down: 10 }, { up: 2 ** 52, down: 12 })).toEqual({
      total: { up: 10, down: 12 },
      added: { up: 0, down: 2 },
      regressed: true,
    });
  });

  it('are plausible up to the largest step, and when they repeat', () => {
    const largest = 10 + 2 ** 50;
    expect(countVolume({ up: 10, down: 10 }, { up: largest, down: 10 })).toEqual({
      total: { up: largest, down: 10 },
      added: { up: 2 ** 50, down: 0 },
      regressed: false,
    });
    expect(countVolume({ up: 10, down: 10 }, { down: largest + 1 })).toMatchObject({ regressed: true });
  });

  it('are unchanged when absent', () => {
    expect(countVolume({ up: 7, down: 8 }, {})).toEqual({
      total: { up: 7, down: 8 },
      added: { up: 0, down: 0 },
      regressed: false,
    });
  });

  it('count the highest report once, in any order and with repetitions', () => {
    fc.assert(
      fc.property(fc.array(volume, { minLength: 1, maxLength: 20 }), (reports) => {
        let accepted = { up: 0, down: 0 };
        const sum = { up: 0, down: 0 };
        for (const report of [...reports, ...reports]) {
          const counted = countVolume(accepted, report);
          accepted = counted.total;
          sum.up += counted.added.up;
          sum.down += counted.added.down;
        }
        expect(sum).toEqual({
          up: Math.max(...reports.map((report) => report.up)),
          down: Math.max(...reports.map((report) => report.down)),
        });
      }),
    );
  });
});

describe('the cycle of usage', () => {
  const bundle = { resetCycle: '24h day' } as const;
  const [activated, day] = [Date.parse('2026-10-10T06:00:00Z'), 24 * 3_600_000];
  const at = new Date('2026-10-12T07:00:00Z');
  const shown = (subject: Parameters<typeof cycleOf>[0]) => {
    const { startedAt, endsAt } = cycleOf(subject, at);
    return [startedAt.toISOString(), endsAt.toISOString()];
  };

  it('is that of the bundle, without one a calendar month that begins with the end of the last order', () => {
    expect(shown({ bundle, activatedAt: activated })).toEqual([
      ...['2026-10-12T06:00:00.000Z', '2026-10-13T06:00:00.000Z'],
    ]);
    expect(shown({ bundle: null, activatedAt: activated })).toEqual([
      ...['2026-10-10T06:00:00.000Z', '2026-10-31T16:00:00.000Z'],
    ]);
    const month = ['2026-09-30T16:00:00.000Z', '2026-10-31T16:00:00.000Z'];
    expect(shown({ bundle: null, activatedAt: null })).toEqual(month);
    expect(shown({ bundle, activatedAt: null })).toEqual(month);
  });

  it('has others before it that elapsed without usage, each with the bundle in use', () => {
    const between = { from: activated, until: activated + 2 * day };
    expect(elapsedSpans({ bundle, activatedAt: activated }, between)).toEqual([
      { startedAt: activated, endsAt: activated + day },
      { startedAt: activated + day, endsAt: activated + 2 * day },
    ]);
    expect(elapsedSpans({ bundle: null, activatedAt: activated }, between)).toEqual([]);
    expect(elapsedSpans({ bundle, activatedAt: null }, between)).toEqual([]);
    expect(elapsedSpans({ bundle, activatedAt: activated }, { from: activated, until: activated })).toEqual(
      [],
    );
  });

  it('began with the running one, else with the end of the last order, else never', () => {
    const since = (own: Partial<Parameters<typeof runningSince>[0]>) =>
      runningSince({ bundle, activatedAt: 5, cycleStartedAt: null, ...own });
    expect([since({ cycleStartedAt: 9 }), since({ bundle: null })]).toEqual([9, 5]);
    expect([since({}), since({ bundle: null, activatedAt: null })]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]);
  });

  it('has the basic limit where nothing was counted', () => {
    expect([basicLimit({ limit: 150, extra: 50 }), basicLimit({ limit: null, extra: 50 })]).toEqual([
      ...[100, null],
    ]);
  });

  describe('that is over', () => {
    const closed = [
      { startedAt: 10, endsAt: 20 },
      { startedAt: 15, endsAt: 20 },
      { startedAt: 5, endsAt: 20 },
    ];
    const byRule = spanOf({ startedAt: new Date(0), endsAt: new Date(30) });
    const find = (time: number, cycleEndsAt: number | null) =>
      findLateUsageCycle({ at: time, closed, cycleByRule: () => byRule, running: { cycleEndsAt } });

    it('is the latest closed one that contains it, from its first instant until before its last', () => {
      expect([5, 10, 14, 15, 19].map((time) => find(time, 40)?.startedAt)).toEqual([5, 10, 10, 15, 15]);
      expect([find(4, 40), find(20, 40)]).toEqual([byRule, byRule]);
    });

    it('is that of the rule if it ends before the running one', () => {
      expect([find(25, 31), find(25, 30), find(25, null)]).toEqual([byRule, null, null]);
    });
  });
});
