import type { Language } from '@simcube/contract';

export type TimeZoneChoice = 'UTC' | 'LOCAL';
export type InstantStyle = 'date' | 'shortDate' | 'time' | 'dateTime' | 'exact';

/** Day before month in English too: `03/04` must not mean two days on two desks. */
const localeOf = (language: Language): string => (language === 'en-US' ? 'en-GB' : language);

const styles: Record<InstantStyle, Intl.DateTimeFormatOptions> = {
  date: { year: 'numeric', month: 'short', day: 'numeric' },
  shortDate: { month: 'short', day: '2-digit' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  dateTime: {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  exact: {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  },
};

/** Building an Intl formatter costs more than using it a thousand times; tables format thousands. */
const kept = new Map<string, Intl.DateTimeFormat>();
const formatter = (language: Language, zone: TimeZoneChoice, style: InstantStyle): Intl.DateTimeFormat => {
  const key = `${language} ${zone} ${style}`;
  const known = kept.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(localeOf(language), {
    ...styles[style],
    ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}),
  });
  kept.set(key, made);
  return made;
};

const relativeSteps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
];

/** Instants (ISO 8601) in a language and zone; an instant that does not parse is shown as it is. */
export const instants = (language: Language, zone: TimeZoneChoice) => ({
  format: (iso: string, style: InstantStyle): string => {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? iso : formatter(language, zone, style).format(date);
  },
  /** "31 seconds ago", from `now` in epoch milliseconds. */
  relative: (iso: string, now: number): string => {
    let amount = (new Date(iso).getTime() - now) / 1000;
    if (Number.isNaN(amount)) return iso;
    const format = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto', style: 'short' });
    for (const [unit, size] of relativeSteps) {
      if (Math.abs(amount) < size) return format.format(Math.trunc(amount), unit);
      amount /= size;
    }
    return iso;
  },
});
