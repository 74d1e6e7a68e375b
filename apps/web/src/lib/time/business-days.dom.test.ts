import { beforeEach, describe, expect, test } from 'vitest';
import { signedInAs } from '../../testing/people.ts';
import { calendar } from '../../ui/time/calendar.ts';
import { session } from '../session/index.ts';
import { businessDays } from './business-days.ts';

beforeEach(() => session.clear());

describe('business days', () => {
  test.each([
    [8, 'UTC+8', '2026-11-21T16:00:00Z'],
    [-5, 'UTC-5', '2026-11-22T05:00:00Z'],
    [0, 'UTC', '2026-11-22T00:00:00Z'],
    [14, 'UTC+14', '2026-11-21T10:00:00Z'],
    [-12, 'UTC-12', '2026-11-22T12:00:00Z'],
  ])('have the offset of the sign-in: %d hours ahead of UTC', (dayOffset, zone, start) => {
    signedInAs('admin', { dayOffset });
    expect(businessDays.zone()).toBe(zone);
    expect(Date.parse('2026-11-22T00:00:00Z') - businessDays.offsetMs()).toBe(Date.parse(start));
    expect(businessDays.endOf('2026-11-21')).toBe(Date.parse(start));
    const { businessDate } = calendar('en-US');
    expect(businessDate(start)).toBe('Nov 22');
    expect(businessDate(new Date(Date.parse(start) - 1).toISOString())).toBe('Nov 21');
  });

  test('are at UTC+8 for a session without an offset', () => {
    signedInAs('admin');
    session.remove('dayOffset');
    expect([businessDays.zone(), businessDays.timeZone()]).toEqual(['UTC+8', 'Etc/GMT-8']);
  });
});
