import type { Language } from '@simcube/contract';

export type TimeZoneChoice = 'UTC' | 'LOCAL';
export type InstantStyle =
  | 'date'
  | 'shortDate'
  | 'shortDateTime'
  | 'time'
  | 'seconds'
  | 'moment'
  | 'dateTime'
  | 'dateSeconds'
  | 'exact';

const shortDate = { month: 'short', day: 'numeric' } as const;
const date = { ...shortDate, year: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const dateSeconds = { ...date, ...time, second: '2-digit' } as const;

const styles: Record<InstantStyle, Intl.DateTimeFormatOptions> = {
  date,
  shortDate,
  shortDateTime: { ...shortDate, ...time },
  time,
  seconds: { ...time, second: '2-digit' },
  moment: { ...shortDate, ...time, second: '2-digit' },
  dateTime: { ...date, ...time },
  dateSeconds,
  exact: dateSeconds,
};

/** Creating an Intl formatter costs more than using it a thousand times; tables format thousands of values. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const formatter = (language: Language, zone: TimeZoneChoice, style: InstantStyle): Intl.DateTimeFormat => {
  const key = `${language} ${zone} ${style}`;
  const cached = formatters.get(key);
  if (cached) return cached;
  const created = new Intl.DateTimeFormat(language, {
    ...styles[style],
    ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}),
  });
  formatters.set(key, created);
  return created;
};

/** Name of the zone at an instant: UTC, GMT+2, EST. Separate, because some languages would put it before the time. */
const zoneName = (zone: TimeZoneChoice, at: Date): string =>
  zone === 'UTC'
    ? 'UTC'
    : (new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
        .formatToParts(at)
        .find(({ type }) => type === 'timeZoneName')?.value ?? '');

const relativeSteps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
];

/** Formats instants (ISO 8601) in a language and zone; an invalid instant is shown unchanged. */
export const instants = (language: Language, zone: TimeZoneChoice) => ({
  format: (iso: string, style: InstantStyle): string => {
    const at = new Date(iso);
    if (Number.isNaN(at.getTime())) return iso;
    const text = formatter(language, zone, style).format(at);
    return style === 'exact' ? `${text} ${zoneName(zone, at)}` : text;
  },
  /** "31s ago", relative to `now` in epoch milliseconds. */
  relative: (iso: string, now: number): string => {
    let amount = (new Date(iso).getTime() - now) / 1000;
    if (Number.isNaN(amount)) return iso;
    const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'narrow' });
    for (const [unit, size] of relativeSteps) {
      if (Math.abs(amount) < size) return format.format(Math.trunc(amount), unit);
      amount /= size;
    }
    return iso;
  },
});
