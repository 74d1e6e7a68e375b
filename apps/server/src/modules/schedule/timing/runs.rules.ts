import { limits } from '@simcube/contract';
import type { ScheduleWhen } from '@simcube/contract/schedule';
import { hourMs, minuteMs } from '@simcube/contract/time';
import { Cron } from 'croner';
import { addDays, daysFrom } from '../../../platform/clock/business-day.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import { instantsIn, wallClock, weekHourOf } from './zone.rules.ts';

/** When a schedule runs, in local times of a zone. */
export interface Timing {
  when: ScheduleWhen;
  timeZone: string;
}

/** API calls accept no instant from here on (`instantSchema`). */
const endOfTime = new Date('3000-01-01T00:00Z');

/**
 * The runs after an instant, the next one first. A local time that the clocks skip runs at the next one they
 * show; one that occurs twice runs the first time.
 */
export function* runsAfter({ when, timeZone }: Timing, after: Date): Generator<Date, void> {
  const instantOf = instantsIn(timeZone);
  let last = after;
  for (const local of when.mode === 'once' ? [when.at] : localTimes(when, wallClock(timeZone)(after))) {
    const at = instantOf(local);
    if (at >= endOfTime) return;
    // Times that the clocks skip run together.
    if (at <= last) continue;
    last = at;
    yield at;
  }
}

type Weekly = Extract<ScheduleWhen, { mode: 'weekly' }>;

/**
 * The local times of a weekly schedule, in order, from the day before a local time: that day's last one may run on the next
 * day. croner reads them as times of UTC, because in a zone it leaves out those that the clocks skip up to midnight.
 */
function* localTimes(when: Weekly, local: string): Generator<string, void> {
  const before = addDays(local.slice(0, 10), -1);
  const first = Date.parse(`${when.from > before ? when.from : before}T00:00Z`) - minuteMs;
  const times = patternsOf(when).map((pattern) => {
    const cron = new Cron(pattern, { timezone: 'UTC' });
    return { cron, next: cron.nextRun(new Date(first)) };
  });
  for (;;) {
    const next = times.reduce<Date | null>((first, time) => earlier(first, time.next), null);
    const at = next?.toISOString().slice(0, 16);
    if (!next || !at || (when.until !== null && at.slice(0, 10) > when.until)) return;
    for (const time of times) {
      if (time.next?.getTime() === next.getTime()) time.next = time.cron.nextRun(next);
    }
    yield at;
  }
}

const earlier = (a: Date | null, b: Date | null): Date | null => (a && (!b || a <= b) ? a : b);

/** Cron patterns of five fields, one per time of the day. */
const patternsOf = ({ times }: Weekly): string[] => {
  return [...groupBy(times, ({ time }) => time)].map(([time, runs]) => {
    const days = runs.map(({ day }) => day).join(',');
    return `${Number(time.slice(3, 5))} ${Number(time.slice(0, 2))} * * ${days}`;
  });
};

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
