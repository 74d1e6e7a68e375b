import { type SmsStatus, smsDirections, smsStatuses } from '@simcube/contract/sms';
import { useTranslation } from 'react-i18next';
import type { Filter, PeriodFilter } from '../../../ui/filter-bar/index.ts';
import { type Filtered, useFiltersOf } from '../../../ui/list-screen/index.ts';
import { statusTones } from '../message-state.tsx';
import type { SmsSearch } from '../search.ts';
import { hasDates, lastOf, lastPeriods } from './period.ts';

/** Filters of the messages of a tab; the period is always set. */
export const useMessageFilters = (filtered: Filtered<SmsSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFiltersOf(filtered);
  const period = usePeriod(filtered);
  const { tab } = filtered.search;
  if (tab === 'replies') return [period];
  const status = by.some('status', {
    label: t('sms.fields.status'),
    options: smsStatuses.map((value: SmsStatus) => ({
      value,
      label: t(`sms.statuses.${value}`),
      tone: statusTones[value],
    })),
  });
  if (tab === 'instant') return [period, status];
  const direction = by.one('direction', {
    label: t('sms.fields.direction'),
    options: smsDirections.map((value) => ({ value, label: t(`sms.directions.${value}`) })),
  });
  return [period, status, direction];
};

/** A period up to now, or days, which the URL holds as instants. */
const usePeriod = (filtered: Filtered<SmsSearch>): PeriodFilter => {
  const { t } = useTranslation();
  const { search, onFilter } = filtered;
  const { read, onChange, ...days } = useFiltersOf(filtered).instants(['from', 'to'], {
    id: 'period',
    label: t('sms.filters.period'),
  });
  const last = lastOf(search);
  return {
    ...days,
    stays: true,
    read: (period) => (hasDates(search) ? read(period) : t(`sms.last.${last}`)),
    offered: lastPeriods.map((one) => ({
      label: t(`sms.last.${one}`),
      chosen: !hasDates(search) && one === last,
      onChoose: () => onFilter({ last: one, from: undefined, to: undefined }),
    })),
    onChange,
  };
};
