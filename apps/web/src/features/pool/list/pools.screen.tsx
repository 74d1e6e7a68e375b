import { limits } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ListScreen, useList } from '../../../ui/list-screen/index.ts';
import { useLivePools, usePools } from '../api/use-pools.ts';
import { poolHref } from '../pool-display.ts';
import { type PoolSearch, poolSearch } from '../search.ts';
import { usePoolColumns } from './pool-columns.tsx';
import { usePoolFilters } from './use-pool-filters.ts';

/** The shared pools of the organisation, with the figures of their running cycles. */
export const PoolsScreen = (address: SearchScreenProps<PoolSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const list = useList({
    name: 'pools',
    of: poolSearch,
    address,
    query: usePools(address.search),
    columns: usePoolColumns(),
  });
  useLivePools();
  return (
    <ListScreen
      counted={(values) => t('pool.counted', values)}
      empty={{ title: t('pool.empty'), hint: t('pool.emptyHint') }}
      filters={usePoolFilters(list)}
      label={t('pool.label')}
      list={list}
      noMatch={{ title: t('pool.noMatch'), hint: t('pool.noMatchHint') }}
      quickSearch={{ placeholder: t('pool.search'), maxLength: limits.pools.search }}
      rowHref={({ id }) => poolHref(language, id)}
      rowKey={({ id }) => id}
      title={t('shell.menu.pools')}
    />
  );
};
