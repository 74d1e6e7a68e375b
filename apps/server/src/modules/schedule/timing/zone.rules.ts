import { dayMs, minuteMs } from '@simcube/contract/time';

/** Local date and time in a zone: `YYYY-MM-DDTHH:MM`. */
export const wallClock = (timeZone: string): ((at: Date) => string) => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}`;
  };
};

/**
 * The instant of a local time in a zone. One that the clocks skip is the next one they show, even if that is on the next
 * day; of one that occurs twice it is the first.
 */
export const instantsIn = (timeZone: string): ((local: string) => Date) => {
  const wall = wallClock(timeZone);
  return (local) => {
    const asUtc = Date.parse(`${local}Z`);
    const withOffsetAt = (ms: number): number => asUtc - (Date.parse(`${wall(new Date(ms))}Z`) - ms);
    const [one, other] = [withOffsetAt(asUtc - dayMs), withOffsetAt(asUtc + dayMs)];
    let [low, high] = [Math.min(one, other), Math.max(one, other)];
    for (const ms of [low, high]) if (wall(new Date(ms)) === local) return new Date(ms);
    while (high - low > minuteMs) {
      const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
      if (wall(new Date(middle)) < local) low = middle;
      else high = middle;
    }
    return new Date(high);
  };
};

/** Day of the week (0 is Monday) and hour of a local time. */
export const weekHourOf = (wall: string): { day: number; hour: number } => ({
  day: (new Date(`${wall.slice(0, 10)}T00:00Z`).getUTCDay() + 6) % 7,
  hour: Number(wall.slice(11, 13)),
});

export interface ClockChange {
  at: Date;
  /** Minutes ahead of UTC. */
  before: number;
  after: number;
}

/** The next change of a zone's clocks within a year, to the minute; undefined if there is none. */
export const nextClockChange = (timeZone: string, from: Date): ClockChange | undefined => {
  const wall = wallClock(timeZone);
  const offset = (ms: number): number => (Date.parse(`${wall(new Date(ms))}Z`) - ms) / minuteMs;
  let low = Math.floor(from.getTime() / minuteMs) * minuteMs;
  const before = offset(low);
  const end = low + 366 * dayMs;
  while (low < end && offset(low + dayMs) === before) low += dayMs;
  if (low >= end) return undefined;
  let high = low + dayMs;
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
    if (offset(middle) === before) low = middle;
    else high = middle;
  }
  return { at: new Date(high), before, after: offset(high) };
};
