import type { WeekTime } from '@simcube/contract/schedule';
import type { TFunction } from 'i18next';

/** Days of the week as numbered by ISO 8601: Monday is 1. */
export const weekDays = [1, 2, 3, 4, 5, 6, 7] as const;

/** Names used in the keys of phrases. */
export const dayKey = (day: number) =>
  (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const)[day - 1] ?? 'mon';

/** Formats `1 09:00` of a Monday (ISO 8601), as in changes and audit entries. */
export const weekTimeText = (text: string, t: TFunction): string => {
  const [day = '', time = ''] = text.split(' ');
  return /^[1-7]$/.test(day) ? `${t(`schedule.days.${dayKey(Number(day))}`)} ${time}` : text;
};

/** Sorted by day and time. */
export const sortTimes = (times: readonly WeekTime[]): WeekTime[] =>
  times.toSorted((a, b) => a.day - b.day || a.time.localeCompare(b.time));

/** Groups days, in the order of the week, into spans of three or more with first and last day; others stay single. */
export const dayRanges = (days: readonly number[]): (readonly [first: number, last: number])[] => {
  const runs: [number, number][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.[1] === day - 1) run[1] = day;
    else runs.push([day, day]);
  }
  return runs.flatMap(([first, last]) =>
    last === first + 1
      ? [
          [first, first],
          [last, last],
        ]
      : [[first, last]],
  );
};

/** Time zones to choose from; UTC, which the browser does not list, is first. */
export const timeZones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

/** The usual name of a zone: its city. */
export const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export const dayIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(iso),
  );

/** The local time of an instant in a zone, `HH:MM`. */
export const timeIn = (iso: string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(iso),
  );
