import { bundleTypes, serviceStatuses } from '@simcube/contract/bundle';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { type List, useFilterBuilder } from '../../../ui/list-screen/index.ts';
import type { ServiceRow } from '../api/use-services.ts';
import type { ServiceSearch } from '../search.ts';
import { orderTone } from './order-parts.tsx';

export const useServiceFilters = (list: List<ServiceRow, ServiceSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(list);
  const { rows } = list;
  const knownBundles = useMemo(() => [...new Set(rows?.map(({ bundle }) => bundle.name))].sort(), [rows]);
  return [
    by.some('status', {
      label: t('bundle.fields.status'),
      options: serviceStatuses.map((value) => ({
        value,
        label: t(`bundle.statuses.${value}`),
        tone: orderTone(value),
      })),
    }),
    by.some('type', {
      label: t('bundle.fields.type'),
      options: bundleTypes.map((value) => ({ value, label: t(`sim.bundleType.${value}`) })),
    }),
    by.words('bundle', {
      label: t('bundle.fields.bundle'),
      placeholder: t('sim.filters.bundleHint'),
      suggestions: knownBundles,
      max: 20,
    }),
    by.days(['ordered_from', 'ordered_to'], { label: t('bundle.fields.ordered') }),
    by.days(['expires_from', 'expires_to'], { label: t('bundle.fields.expires') }),
  ];
};
