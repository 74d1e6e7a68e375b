import { limits } from '@simcube/contract';
import type { ScheduleWhen } from '@simcube/contract/schedule';
import { addDays, daysFrom } from '../../../platform/clock/business-day.ts';
import { instantsIn, wallClock, weekHourOf } from './zone.rules.ts';

/** When a schedule runs, in local times of a zone. */
export interface Timing {
  when: ScheduleWhen;
  timeZone: string;
}

const hourMs = 3_600_000;
/** API calls accept no instant from here on (`instantSchema`). */
const endOfTime = new Date('3000-01-01T00:00Z');

/**
 * The runs after an instant, the next one first. A local time that the clocks skip runs at the next one they
 * show; one that occurs twice runs the first time.
 */
export function* runsAfter({ when, timeZone }: Timing, after: Date): Generator<Date, void> {
  const instantOf = instantsIn(timeZone);
  let last = after;
  for (const locals of when.mode === 'once' ? [[when.at]] : localTimes(when, wallClock(timeZone)(after))) {
    const instants = locals.map(instantOf).toSorted((a, b) => a.getTime() - b.getTime());
    for (const at of instants) {
      if (at >= endOfTime) return;
      // Times that the clocks skip run together.
      if (at <= last) continue;
      last = at;
      yield at;
    }
  }
}

/** The times of each day of a weekly schedule, from the day before a local time: its last one may run on the next day. */
function* localTimes(
  { times, from, until }: Extract<ScheduleWhen, { mode: 'weekly' }>,
  local: string,
): Generator<string[], void> {
  const before = addDays(local.slice(0, 10), -1);
  for (let day = from > before ? from : before; until === null || day <= until; day = addDays(day, 1)) {
    const weekday = weekHourOf(day).day + 1;
    yield times.flatMap((one) => (one.day === weekday ? [`${day}T${one.time}`] : []));
  }
}

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
