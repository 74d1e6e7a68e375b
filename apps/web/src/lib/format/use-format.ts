import type { Language } from '@simcube/contract';
import { useLanguage } from '../language/index.ts';
import { instants, type TimeZoneChoice, useTimeDisplay } from '../time/index.ts';
import { numbers } from './numbers.ts';
import { places } from './places.ts';

export type Format = ReturnType<typeof makeFormat>;

/** Formats all numbers, times and countries on screen, by the language and the UTC/local switch. */
export const useFormat = (): Format => {
  const language = useLanguage();
  return formatFor(language, useTimeDisplay());
};

const formats = new Map<string, Format>();

/** Shared by all callers: a list has hundreds of them. */
const formatFor = (language: Language, zone: TimeZoneChoice): Format => {
  const key = `${language} ${zone}`;
  const format = formats.get(key) ?? makeFormat(language, zone);
  formats.set(key, format);
  return format;
};

const makeFormat = (language: Language, zone: TimeZoneChoice) => {
  const { format, relative } = instants(language, zone);
  return {
    language,
    zone,
    ...numbers(language),
    ...places(language),
    date: (iso: string) => format(iso, 'date'),
    shortDate: (iso: string) => format(iso, 'shortDate'),
    /** For times of the last or next days. */
    shortDateTime: (iso: string) => format(iso, 'shortDateTime'),
    time: (iso: string) => format(iso, 'time'),
    /** Time of day with seconds. */
    seconds: (iso: string) => format(iso, 'seconds'),
    /** Date and time with seconds, without the year: Nov 22, 14:26:40. */
    moment: (iso: string) => format(iso, 'moment'),
    dateTime: (iso: string) => format(iso, 'dateTime'),
    /** Date and time with seconds: Nov 22, 2026, 14:26:40. */
    dateSeconds: (iso: string) => format(iso, 'dateSeconds'),
    /** With seconds and the name of the time zone, for details and tooltips. */
    exact: (iso: string) => format(iso, 'exact'),
    relative,
  };
};
