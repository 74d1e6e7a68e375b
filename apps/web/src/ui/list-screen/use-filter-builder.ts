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
export interface FilterTarget<S extends ListParams> {
  of: ListSearch<S>;
  search: S;
  onFilter: (filter: Partial<S>) => void;
}

/** The remaining options of a filter that has the name of its search parameter. */
type FilterOptions<F> = F extends unknown ? Omit<F, 'kind' | 'id' | 'value' | 'onChange'> : never;
type PeriodOptions = Omit<FilterOptions<PeriodFilter>, 'format'> & { id?: string };
type Ends<S> = readonly [from: keyof S & string, to: keyof S & string];

/** Filters of a list, each bound to its search parameters: values are parsed as the URL's are. */
export const useFilterBuilder = <S extends ListParams>({ of, search, onFilter }: FilterTarget<S>) => {
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
  const periodFilter = (
    [from, to]: Ends<S>,
    options: PeriodOptions,
    { toDisplay, toSearch }: { toDisplay: (of: Period) => Period; toSearch: (of: Period) => Period },
  ): PeriodFilter => ({
    kind: 'period',
    id: from.replace(/_?from$/, '') || 'period',
    format: (period) => periodText(period, { t, calendar }),
    value: toDisplay({ from: search[from], to: search[to] } as Period),
    onChange: (period) => {
      const stored = toSearch(period ?? {});
      set({ [from]: stored.from, [to]: stored.to });
    },
    ...options,
  });
  const unchanged = (period: Period): Period => period;
  /** What the URL's parser does not accept would be missing from the filter without a word. */
  const formatProblem = (name: Name, value: unknown): string | undefined =>
    of.read(name, value) === undefined ? t('errors.issues.invalidFormat') : undefined;
  return {
    /** Several of a set. */
    some: (name: Name, options: FilterOptions<ChoiceFilter>): ChoiceFilter => ({
      kind: 'choice',
      ...bound<string[]>(name),
      ...options,
    }),
    /** One of a set. */
    one: (name: Name, options: FilterOptions<ChoiceFilter>): ChoiceFilter => ({
      kind: 'choice',
      single: true,
      id: name,
      value: search[name] === undefined ? undefined : [String(search[name])],
      onChange: (value) => set({ [name]: value?.[0] }),
      ...options,
    }),
    words: (name: Name, options: FilterOptions<WordsFilter>): WordsFilter => ({
      kind: 'words',
      ...bound<string[]>(name),
      problem: (word) => formatProblem(name, [word]),
      ...options,
    }),
    pick: (name: Name, options: FilterOptions<PickFilter>): PickFilter => ({
      kind: 'pick',
      ...bound<string[]>(name),
      ...options,
    }),
    text: (name: Name, options: FilterOptions<TextFilter>): TextFilter => ({
      kind: 'text',
      ...bound<string>(name),
      problem: (text) => formatProblem(name, text),
      ...options,
    }),
    number: (name: Name, options: FilterOptions<NumberFilter>): NumberFilter => ({
      kind: 'number',
      ...bound<number>(name),
      ...options,
    }),
    /** From a number to a number; `scale` is the number of the server's units per displayed unit. */
    range: (
      [min, max]: Ends<S>,
      { scale = 1, id, ...options }: FilterOptions<RangeFilter> & { id: string; scale?: number },
    ): RangeFilter => {
      const shown = (name: Name) =>
        search[name] === undefined
          ? undefined
          : Number((Number(search[name]) / scale).toFixed(options.digits ?? 0));
      // An end that did not change keeps its exact value, which may be between two displayed ones.
      const stored = (name: Name, value: number | undefined) =>
        value === shown(name) ? search[name] : value && value * scale;
      return {
        kind: 'range',
        id,
        value: { min: shown(min), max: shown(max) },
        onChange: (range) => set({ [min]: stored(min, range?.min), [max]: stored(max, range?.max) }),
        ...options,
      };
    },
    /** From a day to a day, in the form that URL and server use. */
    days: (names: Ends<S>, options: PeriodOptions) =>
      periodFilter(names, options, { toDisplay: unchanged, toSearch: unchanged }),
    /** From a day to a day, stored in the URL as instants, so that it means the same for everyone. */
    instants: ([fromName, toName]: Ends<S>, options: PeriodOptions) => {
      const shown = (name: Name) => dayOf(search[name] as string | undefined, zone);
      // An end whose day did not change keeps its instant, which may be a day's in another zone.
      const stored = (name: Name, day: string | undefined, bound: typeof startOfDay) =>
        day === shown(name) ? (search[name] as string | undefined) : bound(day, zone);
      return periodFilter([fromName, toName], options, {
        toDisplay: () => ({ from: shown(fromName), to: shown(toName) }),
        toSearch: ({ from, to }) => ({
          from: stored(fromName, from, startOfDay),
          to: stored(toName, to, endOfDay),
        }),
      });
    },
  };
};

export type FilterBuilder<S extends ListParams> = ReturnType<typeof useFilterBuilder<S>>;

const periodText = ({ from, to }: Period, { t, calendar }: { t: TFunction; calendar: Calendar }): string => {
  const [first, last] = [from, to].map((day) => (day === undefined ? '' : calendar.day(day)));
  if (from === undefined) return t('kit.filter.until', { day: last });
  if (to === undefined) return t('kit.filter.since', { day: first });
  return from === to ? `${first}` : t('kit.filter.between', { from: first, to: last });
};
