import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import type { ListParams, ListSearch } from '../../lib/search-params/list-search.ts';
import { dayOf, endOfDay, startOfDay } from '../../lib/time/index.ts';
import type {
  ChoiceFilter,
  NumberFilter,
  Period,
  PeriodFilter,
  PickFilter,
  RangeFilter,
  TextFilter,
  WordsFilter,
} from '../filter-bar/index.ts';
import { type Calendar, useCalendar } from '../time/index.ts';

/** A list, or the draft of a search that is not applied yet. */
export interface Filtered<S extends ListParams> {
  of: ListSearch<S>;
  search: S;
  onFilter: (filter: Partial<S>) => void;
}

/** The remaining options of a filter that has the name of its search parameter. */
type Rest<F> = F extends unknown ? Omit<F, 'kind' | 'id' | 'value' | 'onChange'> : never;
type PeriodRest = Omit<Rest<PeriodFilter>, 'read'> & { id?: string };
type Ends<S> = readonly [from: keyof S & string, to: keyof S & string];

/** Filters of a list, each bound to its search parameters: values are parsed as the URL's are. */
export const useFiltersOf = <S extends ListParams>({ of, search, onFilter }: Filtered<S>) => {
  const { t } = useTranslation();
  const { zone } = useFormat();
  const calendar = useCalendar();
  type Name = keyof S & string;
  const set = (values: Readonly<Record<string, unknown>>): void => {
    const read = Object.entries(values).map(([name, value]) => [name, of.read(name as Name, value)]);
    onFilter(Object.fromEntries(read) as Partial<S>);
  };
  const bound = <V>(name: Name) => ({
    id: name,
    value: search[name] as V | undefined,
    onChange: (value: V | undefined) => set({ [name]: value }),
  });
  const ends = (
    [from, to]: Ends<S>,
    rest: PeriodRest,
    { show, store }: { show: (of: Period) => Period; store: (of: Period) => Period },
  ): PeriodFilter => ({
    kind: 'period',
    id: from.replace(/_?from$/, '') || 'period',
    read: (period) => periodWords(period, { t, calendar }),
    value: show({ from: search[from], to: search[to] } as Period),
    onChange: (period) => {
      const kept = store(period ?? {});
      set({ [from]: kept.from, [to]: kept.to });
    },
    ...rest,
  });
  const asIs = (period: Period): Period => period;
  return {
    /** Several of a set. */
    some: (name: Name, rest: Rest<ChoiceFilter>): ChoiceFilter => ({
      kind: 'choice',
      ...bound<string[]>(name),
      ...rest,
    }),
    /** One of a set. */
    one: (name: Name, rest: Rest<ChoiceFilter>): ChoiceFilter => ({
      kind: 'choice',
      single: true,
      id: name,
      value: search[name] === undefined ? undefined : [String(search[name])],
      onChange: (value) => set({ [name]: value?.[0] }),
      ...rest,
    }),
    words: (name: Name, rest: Rest<WordsFilter>): WordsFilter => ({
      kind: 'words',
      ...bound<string[]>(name),
      ...rest,
    }),
    pick: (name: Name, rest: Rest<PickFilter>): PickFilter => ({
      kind: 'pick',
      ...bound<string[]>(name),
      ...rest,
    }),
    text: (name: Name, rest: Rest<TextFilter>): TextFilter => ({
      kind: 'text',
      ...bound<string>(name),
      ...rest,
    }),
    number: (name: Name, rest: Rest<NumberFilter>): NumberFilter => ({
      kind: 'number',
      ...bound<number>(name),
      ...rest,
    }),
    /** From a number to a number; `scale` is the number of the server's units per displayed unit. */
    range: (
      [min, max]: Ends<S>,
      { scale = 1, id, ...rest }: Rest<RangeFilter> & { id: string; scale?: number },
    ): RangeFilter => {
      const shown = (name: Name) =>
        search[name] === undefined
          ? undefined
          : Number((Number(search[name]) / scale).toFixed(rest.digits ?? 0));
      const stored = (value: number | undefined) => (value === undefined ? undefined : value * scale);
      return {
        kind: 'range',
        id,
        value: { min: shown(min), max: shown(max) },
        onChange: (range) => set({ [min]: stored(range?.min), [max]: stored(range?.max) }),
        ...rest,
      };
    },
    /** From a day to a day, in the form that URL and server use. */
    days: (names: Ends<S>, rest: PeriodRest) => ends(names, rest, { show: asIs, store: asIs }),
    /** From a day to a day, stored in the URL as instants, so that it means the same for everyone. */
    instants: (names: Ends<S>, rest: PeriodRest) =>
      ends(names, rest, {
        show: ({ from, to }) => ({ from: dayOf(from, zone), to: dayOf(to, zone) }),
        store: ({ from, to }) => ({ from: startOfDay(from, zone), to: endOfDay(to, zone) }),
      }),
  };
};

export type FiltersOf<S extends ListParams> = ReturnType<typeof useFiltersOf<S>>;

const periodWords = ({ from, to }: Period, { t, calendar }: { t: TFunction; calendar: Calendar }): string => {
  const [first, last] = [from, to].map((day) => (day === undefined ? '' : calendar.day(day)));
  if (from === undefined) return t('kit.filter.until', { day: last });
  if (to === undefined) return t('kit.filter.since', { day: first });
  return from === to ? `${first}` : t('kit.filter.between', { from: first, to: last });
};
