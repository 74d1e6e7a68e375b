import { type SmsStatus, smsDirections, smsKinds, smsStatuses } from '@simcube/contract/sms';
import { useTranslation } from 'react-i18next';
import type { Filter, PeriodFilter } from '../../../ui/filter-bar/index.ts';
import { type FilterTarget, useFilterBuilder, useSimsFilter } from '../../../ui/list-screen/index.ts';
import { statusTones } from '../message-state.tsx';
import { type SmsSearch, smsSims } from '../search.ts';
import { hasDates, lastOf, lastPeriods } from './period.ts';

/** Filters of the messages of a tab; the period is always set. */
export const useMessageFilters = (filtered: FilterTarget<SmsSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(filtered);
  const period = usePeriod(filtered);
  const sims = useSimsFilter({
    ...filtered,
    of: smsSims,
    label: t('sms.fields.sim'),
    placeholder: t('sms.compose.ways.list'),
    problem: t('errors.issues.invalidIccid'),
  });
  const { tab } = filtered.search;
  if (tab === 'replies') return [period, sims];
  const status = by.some('status', {
    label: t('sms.fields.status'),
    options: smsStatuses.map((value: SmsStatus) => ({
      value,
      label: t(`sms.statuses.${value}`),
      tone: statusTones[value],
    })),
  });
  if (tab === 'instant') return [period, sims, status];
  const kind = by.one('kind', {
    label: t('sms.fields.type'),
    options: smsKinds.map((value) => ({ value, label: t(`sms.kinds.${value}`) })),
  });
  const direction = by.one('direction', {
    label: t('sms.fields.direction'),
    options: smsDirections.map((value) => ({ value, label: t(`sms.directions.${value}`) })),
  });
  return [period, sims, kind, status, direction];
};

/** A period up to now, or days, which the URL holds as instants. */
const usePeriod = (filtered: FilterTarget<SmsSearch>): PeriodFilter => {
  const { t } = useTranslation();
  const { search, onFilter } = filtered;
  const { format, onChange, ...days } = useFilterBuilder(filtered).instants(['from', 'to'], {
    id: 'period',
    label: t('sms.filters.period'),
  });
  const last = lastOf(search);
  return {
    ...days,
    permanent: true,
    format: (period) => (hasDates(search) ? format(period) : t(`sms.last.${last}`)),
    suggestions: lastPeriods.map((one) => ({
      label: t(`sms.last.${one}`),
      chosen: !hasDates(search) && one === last,
      onChoose: () => onFilter({ last: one, from: undefined, to: undefined }),
    })),
    onChange,
  };
};
