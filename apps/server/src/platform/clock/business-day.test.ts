import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  dashboardDays,
  daysAt,
  daysFrom,
  setDayOffset,
  usageDays,
} from './business-day.ts';

describe('business days', () => {
  it('end at 23:59 UTC+8 on the dashboard and at 23:59 UTC+0 in SIM usage', () => {
    expect(dashboardDays.dayOf(new Date('2026-05-31T15:59:59Z'))).toBe('2026-05-31');
    expect(dashboardDays.dayOf(new Date('2026-05-31T16:00:00Z'))).toBe('2026-06-01');
    expect(usageDays.dayOf(new Date('2026-05-31T23:59:59Z'))).toBe('2026-05-31');
    expect(usageDays.dayOf(new Date('2026-06-01T00:00:00Z'))).toBe('2026-06-01');
    expect(dashboardDays.startOf('2026-06-01').toISOString()).toBe('2026-05-31T16:00:00.000Z');
    expect(dashboardDays.monthOf(new Date('2026-05-31T16:00:00Z'))).toBe('2026-06');
    expect(dashboardDays.startOfMonth('2026-06').toISOString()).toBe('2026-05-31T16:00:00.000Z');
  });

  it('end at the installation’s offset on the dashboard, but still at UTC+0 in SIM usage', () => {
    setDayOffset(-5);
    expect(dashboardDays.dayOf(new Date('2026-06-01T04:59:59Z'))).toBe('2026-05-31');
    expect(dashboardDays.startOfMonth('2026-06').toISOString()).toBe('2026-06-01T05:00:00.000Z');
    expect(dashboardDays.endOf('2026-05-31').toISOString()).toBe('2026-06-01T05:00:00.000Z');
    expect([dashboardDays.offsetMinutes, dashboardDays.zone]).toEqual([-300, 'UTC-5']);
    expect(usageDays.dayOf(new Date('2026-05-31T23:59:59Z'))).toBe('2026-05-31');
    setDayOffset(8);
    expect([dashboardDays.zone, usageDays.zone, daysAt(330).zone]).toEqual(['UTC+8', 'UTC', 'UTC+5:30']);
  });

  it('assign every instant to exactly one day', () => {
    const instants = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2090-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, fc.constantFrom(dashboardDays, usageDays), (at, days) => {
        const day = days.dayOf(at);
        expect(days.startOf(day).getTime()).toBeLessThanOrEqual(at.getTime());
        expect(days.endOf(day).getTime()).toBeGreaterThan(at.getTime());
        expect(days.endOf(day)).toEqual(days.startOf(addDays(day, 1)));
      }),
    );
  });

  it('follow one another across months and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addMonths('2026-11', 3)).toBe('2027-02');
    expect(addMonths('2026-01', -1)).toBe('2025-12');
    expect(daysFrom('2026-12-30', '2027-01-02')).toEqual([
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
    ]);
    expect(daysFrom('2026-01-02', '2026-01-01')).toEqual([]);
  });

  it('are days of the calendar', () => {
    for (const text of ['rubbish', '', '2026-02-30', '2027-02-29', '2026-04-31', '2026-13-01', '2026-01-00'])
      expect(() => addDays(text, 1), text).toThrow('Not a calendar day');
    expect(addDays('2028-02-29', 0)).toBe('2028-02-29');
  });
});
