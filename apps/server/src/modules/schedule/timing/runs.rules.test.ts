import type { ScheduleWhen, WeekTime } from '@simcube/contract/schedule';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRuns, dueRuns, nextRun, runsAfter, type Timing } from './runs.rules.ts';
import { nextClockChange, wallClock } from './zone.rules.ts';

const weekly = (timeZone: string, times: WeekTime[], until: string | null = null): Timing => ({
  when: { mode: 'weekly', times, from: '2026-01-01', until },
  timeZone,
});
const daily = (timeZone: string, time: string): Timing =>
  weekly(
    timeZone,
    [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, time })),
  );
const once = (timeZone: string, at: string): Timing => ({ when: { mode: 'once', at }, timeZone });
const first = (timing: Timing, after: string, count: number): string[] => {
  const runs: string[] = [];
  for (const run of runsAfter(timing, new Date(after))) {
    runs.push(run.toISOString().slice(0, 16));
    if (runs.length === count) break;
  }
  return runs;
};

describe('a weekly schedule', () => {
  it('runs in Madrid at the next existing time if its own is skipped in spring', () => {
    expect(first(daily('Europe/Madrid', '02:30'), '2027-03-27T00:00Z', 3)).toEqual([
      '2027-03-27T01:30',
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ]);
  });

  it('runs in Madrid once if its time occurs twice in autumn', () => {
    expect(first(daily('Europe/Madrid', '02:30'), '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    for (const after of ['2026-10-25T00:30Z', '2026-10-25T00:45Z', '2026-10-25T01:15Z'])
      expect(first(daily('Europe/Madrid', '02:30'), after, 1)).toEqual(['2026-10-26T01:30']);
  });

  it('runs in New York in local time across both clock changes', () => {
    expect(first(daily('America/New_York', '02:30'), '2027-03-13T00:00Z', 3)).toEqual([
      '2027-03-13T07:30',
      '2027-03-14T07:00',
      '2027-03-15T06:30',
    ]);
    expect(first(daily('America/New_York', '01:30'), '2026-10-31T12:00Z', 2)).toEqual([
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ]);
  });

  it('runs in Kathmandu at the same instant all year, three quarters past the hour of UTC', () => {
    const time = weekly('Asia/Kathmandu', [{ day: 1, time: '06:30' }]);
    expect(first(time, '2027-03-24T00:00Z', 2)).toEqual(['2027-03-29T00:45', '2027-04-05T00:45']);
    expect(first(time, '2026-10-21T00:00Z', 2)).toEqual(['2026-10-26T00:45', '2026-11-02T00:45']);
  });

  it('runs in Nuuk on the next day if the clocks skip the rest of its own, also after its last day', () => {
    const time = weekly('America/Nuuk', [{ day: 6, time: '23:30' }], '2027-03-27');
    expect(first(time, '2027-03-20T12:00Z', 3)).toEqual(['2027-03-21T01:30', '2027-03-28T01:00']);
    expect(first(daily('America/Nuuk', '00:00'), '2027-03-27T12:00Z', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T01:00',
    ]);
    expect(first(once('America/Nuuk', '2027-03-27T23:59'), '2027-03-01T00:00Z', 2)).toEqual([
      '2027-03-28T01:00',
    ]);
  });

  it('runs once if the clocks skip both of its times', () => {
    const times = [
      { day: 7, time: '02:10' },
      { day: 7, time: '02:40' },
      { day: 7, time: '03:00' },
    ];
    expect(first(weekly('Europe/Madrid', times), '2027-03-28T00:00Z', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-04-04T00:10',
    ]);
  });

  it('runs from its first day to its last in the calendar of the zone', () => {
    const when: ScheduleWhen = {
      mode: 'weekly',
      times: [{ day: 3, time: '00:15' }],
      from: '2026-12-30',
      until: '2027-01-06',
    };
    expect(first({ when, timeZone: 'Pacific/Auckland' }, '2026-11-01T00:00Z', 9)).toEqual([
      '2026-12-29T11:15',
      '2027-01-05T11:15',
    ]);
  });
});

describe('a schedule that runs once', () => {
  it('runs at its time and never again', () => {
    expect(first(once('Europe/Madrid', '2026-12-24T18:00'), '2026-01-01T00:00Z', 3)).toEqual([
      '2026-12-24T17:00',
    ]);
    expect(nextRun(once('Europe/Madrid', '2026-12-24T18:00'), new Date('2026-12-24T17:00Z'))).toBeNull();
  });

  it('runs on a leap day, at a skipped time, and at a repeated time', () => {
    expect(first(once('Asia/Kathmandu', '2028-02-29T00:00'), '2026-01-01T00:00Z', 2)).toEqual([
      '2028-02-28T18:15',
    ]);
    expect(first(once('Europe/Madrid', '2027-03-28T02:30'), '2026-01-01T00:00Z', 2)).toEqual([
      '2027-03-28T01:00',
    ]);
    expect(first(once('America/New_York', '2026-11-01T01:30'), '2026-01-01T00:00Z', 2)).toEqual([
      '2026-11-01T05:30',
    ]);
  });
});

describe('a schedule at the end of the supported calendar', () => {
  it('has no run that would be in the year 3000 (UTC)', () => {
    const last = once('Etc/GMT+11', '2999-12-31T12:59');
    expect(first(last, '2026-01-01T00:00Z', 2)).toEqual(['2999-12-31T23:59']);
    expect(nextRun(once('Etc/GMT+11', '2999-12-31T13:00'), new Date('2026-01-01T00:00Z'))).toBeNull();
    const times = [{ day: 3, time: '10:00' }];
    const when: ScheduleWhen = { mode: 'weekly', times, from: '2999-12-31', until: null };
    expect(nextRun({ when, timeZone: 'UTC' }, new Date('2026-01-01T00:00Z'))).toBeNull();
  });
});

describe('runs that are due', () => {
  const timing = daily('UTC', '06:30');
  const due = new Date('2026-11-20T06:30Z');

  it('begin at their time and up to an hour later', () => {
    const next = new Date('2026-11-21T06:30Z');
    for (const now of ['2026-11-20T06:30Z', '2026-11-20T07:30Z'])
      expect(dueRuns(timing, { due, now: new Date(now) })).toEqual({ missed: [], run: due, next });
    expect(dueRuns(timing, { due, now: new Date('2026-11-20T07:31Z') })).toEqual({
      missed: [due],
      run: null,
      next,
    });
  });

  it('are missed except for the last one after days of downtime', () => {
    const { missed, run, next } = dueRuns(timing, { due, now: new Date('2026-11-23T06:40Z') });
    expect(missed).toEqual([due, new Date('2026-11-21T06:30Z'), new Date('2026-11-22T06:30Z')]);
    expect([run, next]).toEqual([new Date('2026-11-23T06:30Z'), new Date('2026-11-24T06:30Z')]);
  });
});

describe('the number of runs', () => {
  const zones = ['Europe/Madrid', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC'];
  const clock = fc
    .tuple(fc.integer({ min: 4, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const times = fc.uniqueArray(fc.record({ day: fc.integer({ min: 1, max: 7 }), time: clock }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ day, time }) => `${day} ${time}`,
  });

  it('equals the number of runs', () => {
    const from = new Date('2026-10-20T16:00Z');
    const to = new Date('2026-11-20T16:00Z');
    fc.assert(
      fc.property(fc.constantFrom(...zones), times, (timeZone, of) => {
        const timing = weekly(timeZone, of);
        let runs = 0;
        for (const run of runsAfter(timing, new Date(from.getTime() - 1))) {
          if (run >= to) break;
          runs += 1;
        }
        expect(countRuns(timing, { from, to })).toBe(runs);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the next change of clocks', () => {
  it('is found to the minute, or is none', () => {
    const from = new Date('2026-11-23T10:00Z');
    expect(nextClockChange('Europe/Madrid', from)).toEqual({
      at: new Date('2027-03-28T01:00Z'),
      before: 60,
      after: 120,
    });
    expect(nextClockChange('America/New_York', from)?.at).toEqual(new Date('2027-03-14T07:00Z'));
    expect(nextClockChange('Asia/Kathmandu', from)).toBeUndefined();
    expect(wallClock('Asia/Kathmandu')(from)).toBe('2026-11-23T15:45');
  });
});
