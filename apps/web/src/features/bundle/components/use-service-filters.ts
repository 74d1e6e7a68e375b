import { bundleTypes, serviceStatuses } from '@simcube/contract/bundle';
import { useTranslation } from 'react-i18next';
import type { Filter, Period } from '../../../ui/filter-bar/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import type { ServiceSearch } from '../search.ts';
import { orderTone } from './order-parts.tsx';

interface ServiceFilters {
  search: ServiceSearch;
  /** Codes of bundles seen on screen are offered. */
  seen: readonly string[];
  onFilter: (filter: Partial<ServiceSearch>) => void;
}

const only = <T extends string>(all: readonly T[], chosen: readonly string[] | undefined): T[] | undefined =>
  chosen && all.filter((one) => chosen.includes(one));

export const useServiceFilters = ({ search, seen, onFilter }: ServiceFilters): Filter[] => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const read = ({ from, to }: Period): string => {
    if (from === undefined) return t('bundle.period.until', { day: calendar.day(to ?? '') });
    if (to === undefined) return t('bundle.period.since', { day: calendar.day(from) });
    if (from === to) return calendar.day(from);
    return t('bundle.period.between', { from: calendar.day(from), to: calendar.day(to) });
  };
  return [
    {
      kind: 'choice',
      id: 'status',
      label: t('bundle.fields.status'),
      options: serviceStatuses.map((value) => ({
        value,
        label: t(`bundle.statuses.${value}`),
        tone: orderTone(value),
      })),
      value: search.status,
      onChange: (status) => onFilter({ status: only(serviceStatuses, status) }),
    },
    {
      kind: 'choice',
      id: 'type',
      label: t('bundle.fields.type'),
      options: bundleTypes.map((value) => ({ value, label: t(`sim.bundleType.${value}`) })),
      value: search.type,
      onChange: (type) => onFilter({ type: only(bundleTypes, type) }),
    },
    {
      kind: 'words',
      id: 'bundle',
      label: t('bundle.fields.bundle'),
      placeholder: t('bundle.filters.bundleHint'),
      offered: seen,
      max: 20,
      maxLength: 40,
      value: search.bundle,
      onChange: (bundle) => onFilter({ bundle }),
    },
    {
      kind: 'period',
      id: 'ordered',
      label: t('bundle.fields.ordered'),
      read,
      value: { from: search.ordered_from, to: search.ordered_to },
      onChange: (period) => onFilter({ ordered_from: period?.from, ordered_to: period?.to }),
    },
    {
      kind: 'period',
      id: 'expires',
      label: t('bundle.fields.expires'),
      read,
      value: { from: search.expires_from, to: search.expires_to },
      onChange: (period) => onFilter({ expires_from: period?.from, expires_to: period?.to }),
    },
  ];
};
