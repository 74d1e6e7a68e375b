import { limits, unknownCountry } from '@simcube/contract';
import { radioTypeSchema, radioTypes } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { now } from '../../../lib/time/index.ts';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { type Days, daysOfSuggestion, periodProblem, suggestedPeriods } from '../period.ts';
import type { HeatmapSearch } from '../search.ts';
import { useDays } from './use-days.ts';

/** The name of a country, or of the group of networks whose country is unknown. */
export const useCountryName = (): ((code: string) => string) => {
  const { t } = useTranslation();
  const { country } = useFormat();
  return (code) => (code === unknownCountry ? t('heatmap.unknownCountry') : country(code));
};

/** Period, country, network and radio type; their values are in the URL. */
export const useHeatmapFilters = (options: {
  search: HeatmapSearch;
  period: Days;
  /** Countries to choose from: those with figures, and the current choice. */
  countries: readonly string[];
  onChange: (next: Partial<HeatmapSearch>) => void;
}): Filter[] => {
  const { search, period, countries, onChange } = options;
  const { t } = useTranslation();
  const nameOf = useCountryName();
  const days = useDays();
  return [
    {
      id: 'period',
      kind: 'period',
      label: t('heatmap.period'),
      permanent: true,
      value: { from: search.from, to: search.to },
      format: () => days.period(period),
      suggestions: suggestedPeriods.map((suggestion) => {
        const suggested = daysOfSuggestion(suggestion, now());
        return {
          label: t(`heatmap.periods.${suggestion}`),
          chosen: search.from === suggested?.from && search.to === suggested?.to,
          onChoose: () => onChange({ from: suggested?.from, to: suggested?.to }),
        };
      }),
      problem: (requested) => {
        const problem = periodProblem(requested);
        return problem && t(`errors.issues.${problem}`, { max: limits.heatmap.days });
      },
      onChange: (value) => onChange({ from: value?.from, to: value?.to }),
    },
    {
      id: 'country',
      kind: 'pick',
      label: t('heatmap.country'),
      options: countries.map((value) => ({ value, label: nameOf(value) })),
      max: 1,
      value: search.country ? [search.country] : undefined,
      onChange: (value) => onChange({ country: value?.at(-1) }),
    },
    {
      id: 'network',
      kind: 'text',
      label: t('heatmap.network'),
      placeholder: t('heatmap.networkHint'),
      maxLength: 7,
      problem: (text) => (/^\d{3}-\d{2,3}$/.test(text) ? undefined : t('heatmap.networkProblem')),
      value: search.network,
      onChange: (network) => onChange({ network }),
    },
    {
      id: 'radio',
      kind: 'choice',
      label: t('heatmap.radio'),
      single: true,
      options: radioTypes.map((value) => ({
        value,
        label: value === 'other' ? t('sim.otherRadio') : value,
      })),
      value: search.radio ? [search.radio] : undefined,
      onChange: (value) =>
        onChange({ radio: radioTypeSchema.optional().catch(undefined).parse(value?.at(-1)) }),
    },
  ];
};
