import { describe, expect, it } from 'vitest';
import { weeklyOnlineShare } from './online.rules.ts';

describe('the hours of the week in which SIMs are online', () => {
  it('are in local time, as the mean over the known weeks', () => {
    const hours = [
      { at: new Date('2026-11-09T05:00Z'), sims: 4 },
      { at: new Date('2026-11-16T05:00Z'), sims: 2 },
      { at: new Date('2026-11-17T00:00Z'), sims: 1 },
    ];
    const asked = { sims: 4, to: new Date('2026-11-23T00:00Z') };
    const madrid = weeklyOnlineShare(hours, { ...asked, timeZone: 'Europe/Madrid' });
    expect(madrid[0]?.[6]).toBe(75);
    expect(madrid[1]?.[1]).toBe(13);
    expect(madrid.flat().filter((share) => share > 0)).toHaveLength(2);
    const kathmandu = weeklyOnlineShare(hours, { ...asked, timeZone: 'Asia/Kathmandu' });
    expect([kathmandu[0]?.[10], kathmandu[1]?.[5]]).toEqual([75, 13]);
  });

  it('are zero if nothing is known', () => {
    const none = weeklyOnlineShare([], { sims: 0, to: new Date('2026-11-23T00:00Z'), timeZone: 'UTC' });
    expect(none.map((day) => day.length)).toEqual([24, 24, 24, 24, 24, 24, 24]);
    expect(none.flat().every((share) => share === 0)).toBe(true);
  });
});
