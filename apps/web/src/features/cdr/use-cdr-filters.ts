import { endpoints, limits } from '@simcube/contract';
import { cdrRadioTypes, cdrSources } from '@simcube/contract/cdr';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { now } from '../../lib/time/index.ts';
import type { Filter, Period, PeriodFilter } from '../../ui/filter-bar/index.ts';
import { type FilterTarget, useFilterBuilder, useSimsFilter } from '../../ui/list-screen/index.ts';
import { useCalendar } from '../../ui/time/index.ts';
import { useCdrNames } from './cdr-names.ts';
import {
  type CdrFilterParams,
  cdrSims,
  completePeriod,
  hasDates,
  lastPeriods,
  maxSessionLength,
  spanProblem,
  withFilter,
} from './filter.ts';

const staleTime = 300_000;

type Instants = Pick<CdrFilterParams, 'since' | 'until'>;

/**
 * Every filter of usage records; the period is always set.
 * @param past what a period up to now means, if it does not end now
 */
export const useCdrFilters = <S extends ListParams & CdrFilterParams>(
  target: FilterTarget<S>,
  past?: Instants,
): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(target);
  const names = useCdrNames();
  const { data: countries } = useQuery({ ...endpointQuery(endpoints.cdr.listCountries), staleTime });
  const { data: operators } = useQuery({ ...endpointQuery(endpoints.cdr.listOperators), staleTime });
  const { language } = useFormat();
  const byName = (one: { label: string }, other: { label: string }) =>
    one.label.localeCompare(other.label, language);
  return [
    usePeriod(target, past),
    // Including those of former owners.
    useSimsFilter({
      ...target,
      of: cdrSims,
      label: t('cdr.filters.sims'),
      placeholder: t('cdr.filters.simsHint'),
      problem: t('errors.issues.invalidFormat'),
    }),
    by.pick('country', {
      label: t('cdr.fields.country'),
      options: (countries?.data ?? [])
        .map(({ country }) => ({ value: country, label: names.country(country) }))
        .sort(byName),
      max: 250,
    }),
    by.pick('operator', {
      label: t('cdr.fields.operator'),
      options: (operators?.data ?? [])
        .map(({ operator, name, country }) => ({
          value: operator,
          label: names.operator(operator, name, country),
        }))
        .sort(byName),
      max: 50,
    }),
    by.some('radio', {
      label: t('cdr.fields.radio'),
      options: cdrRadioTypes.map((value) => ({ value, label: names.radio(value) })),
    }),
    by.words('apn', {
      label: t('cdr.fields.apn'),
      placeholder: t('cdr.filters.apnHint'),
      suggestions: [],
      max: 20,
    }),
    by.text('session', {
      label: t('cdr.fields.session'),
      maxLength: maxSessionLength,
    }),
    by.some('source', {
      label: t('cdr.fields.source'),
      options: cdrSources.map((value) => ({ value, label: t(`cdr.sources.${value}`) })),
    }),
  ];
};

/** A period up to now, or days; a span that the server would refuse is rejected in the editor. */
const usePeriod = <S extends ListParams & CdrFilterParams>(
  target: FilterTarget<S>,
  past: Instants | undefined,
): PeriodFilter => {
  const { t } = useTranslation();
  const { search, onFilter } = target;
  const { format, ...days } = useFilterBuilder(target).days(['from', 'to'], {
    id: 'period',
    label: t('cdr.filters.period'),
  });
  const { shortDay } = useCalendar();
  const { since, until } = past ?? search;
  const hasDays = hasDates(search);
  const last = search.last ?? lastPeriods[0];
  /** A first day that was just entered brings a last one; a last one that was just removed stays so. */
  const completed = (period: Period): Period =>
    period.from === search.from ? period : completePeriod(period, new Date(now()));
  return {
    ...days,
    permanent: true,
    format: (period) => {
      if (since !== undefined || until !== undefined) return instantsText({ since, until }, shortDay);
      return hasDays ? format(period) : t(`cdr.last.${last}`);
    },
    suggestions: lastPeriods.map((one) => ({
      label: t(`cdr.last.${one}`),
      chosen: !hasDays && one === last,
      onChoose: () => onFilter(withFilter({}, { last: one }) as Partial<S>),
    })),
    problem: (period) => {
      const problem = spanProblem(completed(period), new Date(now()));
      return problem && t(`errors.issues.${problem}`, { max: limits.cdrs.days });
    },
    onChange: (period = {}) => {
      const { from, to } = completed(period);
      onFilter(withFilter({}, { from, to }) as Partial<S>);
    },
  };
};

/** "Nov 22, 14:00 – 15:00", in UTC as the label says: the day only once, unless the end is on another. */
const instantsText = ({ since = '', until = '' }: Instants, shortDay: (day: string) => string): string => {
  const [day, other] = [since.slice(0, 10), until.slice(0, 10)];
  const read = (instant: string) => `${shortDay(instant.slice(0, 10))}, ${instant.slice(11, 16)}`;
  const end = day === other ? until.slice(11, 16) : until && read(until);
  return `${since && read(since)} – ${end}`;
};
