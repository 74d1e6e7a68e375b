import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import { daysUntil, hoursUntil, monthSoFar, monthsUntil } from './dashboard.rules.ts';

const at = (text: string) => new Date(text);

test('the last 24 hours end with the current one', () => {
  const hours = hoursUntil(at('2026-11-21T14:32:10Z')).map((hour) => hour.toISOString());
  expect(hours).toHaveLength(24);
  expect([hours[0], hours[23]]).toEqual(['2026-11-20T15:00:00.000Z', '2026-11-21T14:00:00.000Z']);
});

describe('days and months end at 23:59 UTC+8', () => {
  test.each([
    ['2026-11-21T15:59:59Z', '2026-11-21', '2026-11'],
    ['2026-11-21T16:00:00Z', '2026-11-22', '2026-11'],
    ['2026-11-30T16:00:00Z', '2026-12-01', '2026-12'],
  ])('%s is in %s', (now, day, month) => {
    expect(daysUntil(at(now), 7, dashboardDays).at(-1)).toBe(day);
    expect(monthsUntil(at(now), 6, dashboardDays).at(-1)).toBe(month);
  });

  test('six months cross the turn of the year', () => {
    expect(monthsUntil(at('2026-02-10T00:00:00Z'), 6, dashboardDays)).toEqual([
      '2025-09',
      '2025-10',
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ]);
  });
});

describe('the month so far', () => {
  test('is compared with the last one up to the same day and hour', () => {
    const { month, before } = monthSoFar(at('2026-11-21T12:00:00Z'), dashboardDays);
    expect([month, before.month, before.firstDay, before.partialDay]).toEqual([
      '2026-11',
      '2026-10',
      '2026-10-01',
      '2026-10-21',
    ]);
    expect(before.partialUntil.toISOString()).toBe('2026-10-21T12:00:00.000Z');
  });

  test('on a day that the previous month did not have is compared with all of it', () => {
    const { before } = monthSoFar(at('2026-03-31T00:00:00Z'), dashboardDays);
    expect([before.partialDay, before.partialUntil.toISOString()]).toEqual([
      '2026-02-28',
      '2026-02-28T16:00:00.000Z',
    ]);
  });

  test('never overlaps the current month', () => {
    fc.assert(
      fc.property(fc.date({ min: at('2020-01-01'), max: at('2060-01-01'), noInvalidDate: true }), (now) => {
        const { startsAt, endsAt, before } = monthSoFar(now, dashboardDays);
        expect(startsAt <= now && now < endsAt).toBe(true);
        expect(before.partialUntil <= startsAt && before.partialFrom <= before.partialUntil).toBe(true);
        expect(before.firstDay <= before.partialDay).toBe(true);
      }),
    );
  });
});
