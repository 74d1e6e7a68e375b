import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { isShortSearch, ListScreen, useList } from '../../ui/list-screen/index.ts';
import { useLiveServices, useServices } from './api/use-services.ts';
import { ExportOrders } from './components/export-orders.tsx';
import { orderHref, useServiceColumns, useServiceMatches } from './components/service-columns.tsx';
import { useServiceFilters } from './components/use-service-filters.ts';
import { type ServiceSearch, serviceSearch } from './search.ts';

/** SIM cellular service: the bundle orders of all SIMs of the organisation. */
export const ServiceScreen = (address: SearchScreenProps<ServiceSearch>) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const list = useList({
    name: 'services',
    of: serviceSearch,
    address,
    query: useServices(address.search),
    columns: useServiceColumns(),
  });
  useLiveServices(list.rows);
  return (
    <ListScreen
      actions={<ExportOrders none={list.rows?.length === 0} search={list.search} />}
      empty={{ title: t('bundle.empty'), hint: t('bundle.emptyHint') }}
      filters={useServiceFilters(list)}
      label={t('bundle.label')}
      list={list}
      matches={useServiceMatches(list.search.search)}
      noMatch={{
        title: t('bundle.noMatch'),
        hint: t(isShortSearch(list.search.search) ? 'bundle.shortSearchHint' : 'bundle.noMatchHint'),
      }}
      quickSearch={{ placeholder: t('bundle.search'), maxLength: 60 }}
      rowHref={(order) => orderHref(language, order)}
      rowKey={({ order_id }) => order_id}
      title={t('bundle.title')}
    />
  );
};
