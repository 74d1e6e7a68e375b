import type { Language } from '@simcube/contract';
import { useMemo } from 'react';
import { useLanguage } from '../../lib/language/index.ts';
import { businessDays } from '../../lib/time/index.ts';

/** Formats values that are already dates, not instants: the UTC/local switch must not turn the 21st into the 20th. */
export const calendar = (language: Language) => {
  const names = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
    return (date: string): string => {
      const at = new Date(date);
      return Number.isNaN(at.getTime()) ? date : format.format(at);
    };
  };
  const timeZone = businessDays.timeZone();
  return {
    /** `YYYY-MM-DD` → Nov 21, 2026 */
    day: names({ year: 'numeric', month: 'short', day: 'numeric' }),
    /** `YYYY-MM-DD` → Nov 21 */
    shortDay: names({ month: 'short', day: 'numeric' }),
    /** `YYYY-MM` → Nov */
    month: names({ month: 'short' }),
    /** `YYYY-MM` → November 2026 */
    longMonth: names({ year: 'numeric', month: 'long' }),
    /** Instant → Sat, of the business day that it falls in. */
    businessWeekday: names({ weekday: 'short', timeZone }),
    businessDay: names({ weekday: 'short', month: 'short', day: 'numeric', timeZone }),
    /** Instant → Nov 21, 2026 */
    businessFullDate: names({ year: 'numeric', month: 'short', day: 'numeric', timeZone }),
    businessDate: names({ month: 'short', day: 'numeric', timeZone }),
  };
};
export type Calendar = ReturnType<typeof calendar>;

export const useCalendar = (): Calendar => {
  const language = useLanguage();
  return useMemo(() => calendar(language), [language]);
};
