import { type Pool, poolOptIns, poolPolicies, poolStates } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../ui/filter-bar/index.ts';
import { type List, useFilterBuilder } from '../../../ui/list-screen/index.ts';
import type { PoolSearch } from '../search.ts';

export const usePoolFilters = (list: List<Pool, PoolSearch>): Filter[] => {
  const { t } = useTranslation();
  const by = useFilterBuilder(list);
  return [
    by.one('state', {
      label: t('pool.fields.state'),
      options: poolStates.map((value) => ({
        value,
        label: t(`pool.states.${value}`),
        tone: value === 'over' ? 'red' : 'teal',
      })),
    }),
    by.one('policy', {
      label: t('pool.fields.policy'),
      options: poolPolicies.map((value) => ({ value, label: t(`pool.policies.${value}`) })),
    }),
    by.one('opt_in', {
      label: t('pool.fields.optIn'),
      options: poolOptIns.map((value) => ({ value, label: t(`pool.optIns.${value}`) })),
    }),
  ];
};
