import { limits } from '@simcube/contract';
import type { ScheduleWhen } from '@simcube/contract/schedule';
import { Cron } from 'croner';
import { addDays, daysFrom } from '../../../platform/clock/business-day.ts';
import { wallClock, weekHourOf } from './zone.rules.ts';

/** When a schedule runs, in local times of a zone. */
export interface Timing {
  when: ScheduleWhen;
  timeZone: string;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** API calls accept no instant from here on (`instantSchema`). */
const endOfTime = new Date('3000-01-01T00:00Z');

/**
 * The runs after an instant, the next one first. A local time that the clocks skip runs at the next one they
 * show; one that occurs twice runs the first time.
 */
export function* runsAfter({ when, timeZone }: Timing, after: Date): Generator<Date, void> {
  const wall = wallClock(timeZone);
  // Two days of margin before the first possible run, wherever the zone's midnight is.
  const earliest =
    Date.parse(`${(when.mode === 'once' ? when.at : when.from).slice(0, 10)}T00:00Z`) - 2 * dayMs;
  const from = new Date(Math.max(after.getTime(), earliest));
  const times = patternsOf(when).map((pattern) => {
    const cron = new Cron(pattern, { timezone: timeZone });
    return { cron, next: cron.nextRun(from) };
  });
  for (;;) {
    const next = times.reduce<Date | null>((first, time) => earlier(first, time.next), null);
    if (!next || next >= endOfTime) return;
    for (const time of times) {
      if (time.next?.getTime() === next.getTime()) time.next = time.cron.nextRun(next);
    }
    const day = wall(next).slice(0, 10);
    if (hasEnded(when, day)) return;
    if (when.mode === 'once' || day >= when.from) yield next;
    if (when.mode === 'once') return;
  }
}

const earlier = (a: Date | null, b: Date | null): Date | null => (a && (!b || a <= b) ? a : b);

/** Whether nothing runs on that day or later; a pattern for one day has no year, so it would recur every year. */
const hasEnded = (when: ScheduleWhen, day: string): boolean =>
  when.mode === 'once' ? day > addDays(when.at.slice(0, 10), 1) : when.until !== null && day > when.until;

/** Cron patterns of five fields: one for a single time, or one per time of the week. */
const patternsOf = (when: ScheduleWhen): string[] => {
  if (when.mode === 'once') {
    const [month, day] = [when.at.slice(5, 7), when.at.slice(8, 10)];
    return [`${fieldsOf(when.at.slice(11))} ${Number(day)} ${Number(month)} *`];
  }
  const days = new Map<string, number[]>();
  for (const { day, time } of when.times) days.set(time, [...(days.get(time) ?? []), day]);
  return [...days].map(([time, ofWeek]) => `${fieldsOf(time)} * * ${ofWeek.join(',')}`);
};

const fieldsOf = (time: string): string => `${Number(time.slice(3, 5))} ${Number(time.slice(0, 2))}`;

/** The next run after an instant; null if there is none. */
export const nextRun = (timing: Timing, after: Date): Date | null =>
  runsAfter(timing, after).next().value ?? null;

/** What to do with a schedule that has due runs. */
export interface DueRuns {
  /** Runs that are too late, the oldest first. */
  missed: Date[];
  /** The run that begins now. */
  run: Date | null;
  next: Date | null;
}

/** A run is made up for within an hour; if several are due in that hour, only the last one is. */
export const dueRuns = (timing: Timing, { due, now }: { due: Date; now: Date }): DueRuns => {
  const dueTimes = [due];
  let next: Date | null = null;
  for (const at of runsAfter(timing, due)) {
    if (at > now) {
      next = at;
      break;
    }
    dueTimes.push(at);
  }
  const last = dueTimes.at(-1) ?? due;
  const isInTime = now.getTime() - last.getTime() <= limits.schedules.lateHours * hourMs;
  return { missed: isInTime ? dueTimes.slice(0, -1) : dueTimes, run: isInTime ? last : null, next };
};

/** The number of runs from one instant on and before another, counted in local time. */
export const countRuns = ({ when, timeZone }: Timing, { from, to }: { from: Date; to: Date }): number => {
  const wall = wallClock(timeZone);
  const [first, end] = [wall(from), wall(to)];
  const isWithin = (at: string): boolean => at >= first && at < end;
  if (when.mode === 'once') return isWithin(when.at) ? 1 : 0;
  return daysFrom(first.slice(0, 10), end.slice(0, 10))
    .filter((day) => day >= when.from && (when.until === null || day <= when.until))
    .flatMap((day) => {
      const weekday = weekHourOf(day).day + 1;
      return when.times.filter((time) => time.day === weekday).map(({ time }) => `${day}T${time}`);
    })
    .filter(isWithin).length;
};
