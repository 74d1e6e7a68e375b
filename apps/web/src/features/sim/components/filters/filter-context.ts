import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { type Format, useFormat } from '../../../../lib/format/index.ts';
import type { Period, PeriodFilter, Range } from '../../../../ui/filter-bar/index.ts';
import { type Calendar, useCalendar } from '../../../../ui/time/index.ts';
import type { SimListSearch } from '../../search.ts';

/** What stands on screen and may be offered as a choice. */
export interface Seen {
  tags: readonly string[];
  bundles: readonly string[];
  operators: readonly string[];
}

export interface SimFilters {
  search: SimListSearch;
  seen: Seen;
  onFilter: (filter: Partial<SimListSearch>) => void;
}

export interface FilterContext extends SimFilters {
  t: TFunction;
  format: Format;
  calendar: Calendar;
}

export const useFilterContext = (filters: SimFilters): FilterContext => {
  const { t } = useTranslation();
  return { ...filters, t, format: useFormat(), calendar: useCalendar() };
};

/** Choices come back from the page as any text. */
export const only = <T>(schema: z.ZodType<T>, values: readonly string[] | undefined): T[] | undefined => {
  const fitting = values?.flatMap((value) => schema.safeParse(value).data ?? []);
  return fitting?.length ? fitting : undefined;
};

export const periodOf = (
  { t, calendar }: Pick<FilterContext, 't' | 'calendar'>,
  filter: Pick<PeriodFilter, 'id' | 'label' | 'value' | 'onChange'>,
): PeriodFilter => ({
  kind: 'period',
  quiet: true,
  read: ({ from, to }: Period) => {
    const first = from === undefined ? '' : calendar.day(from);
    const last = to === undefined ? '' : calendar.day(to);
    if (from === undefined) return t('simList.period.until', { day: last });
    if (to === undefined) return t('simList.period.since', { day: first });
    return from === to ? first : t('simList.period.between', { from: first, to: last });
  },
  ...filter,
});

/** "> 80 %", "≤ 5 MB", "1–5 MB". */
export const readRange = ({ min, max }: Range, show: (value: number) => string): string => {
  if (min === undefined) return `≤ ${show(max ?? 0)}`;
  return max === undefined ? `> ${show(min)}` : `${show(min)}–${show(max)}`;
};
