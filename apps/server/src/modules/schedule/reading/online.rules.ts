import { hourMs } from '@simcube/contract/time';
import { wallClock, weekHourOf } from '../timing/zone.rules.ts';

const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));

/**
 * The percentage of SIMs online in each hour of a week in local time: the mean over the hours (UTC) that begin
 * in it. Hours before the first known one are ignored.
 */
export const weeklyOnlineShare = (
  hours: readonly { at: Date; sims: number }[],
  { sims, to, timeZone }: { sims: number; to: Date; timeZone: string },
): number[][] => {
  const [first] = hours;
  if (!first || sims === 0) return week.map((day) => [...day]);
  const wall = wallClock(timeZone);
  const online = new Map(hours.map(({ at, sims: count }) => [at.getTime(), count]));
  const sums = week.map((day) => day.map(() => ({ online: 0, hours: 0 })));
  for (let at = first.at.getTime(); at < to.getTime(); at += hourMs) {
    const { day, hour } = weekHourOf(wall(new Date(at)));
    const cell = sums[day]?.[hour];
    if (!cell) continue;
    cell.online += online.get(at) ?? 0;
    cell.hours += 1;
  }
  return sums.map((day) =>
    day.map((cell) => (cell.hours === 0 ? 0 : Math.round((100 * cell.online) / (cell.hours * sims)))),
  );
};
