import { useTranslation } from 'react-i18next';
import { CountFacts } from '../../ui/list-screen/index.ts';
import type { ApiQuery } from '../../ui/query/index.ts';
import { useCalls } from './calls/use-calls.ts';
import { useDeliveries } from './deliveries/use-deliveries.ts';
import { useKeys } from './keys/use-keys.ts';
import type { DeveloperSearch, DeveloperTab } from './search.ts';

interface FactsProps {
  tab: DeveloperTab;
  search: DeveloperSearch;
}

/** How many rows the list of a tab has, and the time of its data. */
export const Facts = ({ tab, search }: FactsProps) => {
  switch (tab) {
    case 'keys':
      return <KeyFacts />;
    case 'webhook':
      return null;
    case 'calls':
      return <CallFacts search={search} />;
    case 'deliveries':
      return <DeliveryFacts search={search} />;
  }
};

const KeyFacts = () => <ListFacts of="keys" query={useKeys()} />;
const CallFacts = ({ search }: Pick<FactsProps, 'search'>) => (
  <ListFacts of="calls" query={useCalls(search)} />
);
const DeliveryFacts = ({ search }: Pick<FactsProps, 'search'>) => (
  <ListFacts of="deliveries" query={useDeliveries(search)} />
);

interface ListFactsProps {
  of: Exclude<DeveloperTab, 'webhook'>;
  query: Pick<ApiQuery<readonly unknown[]>, 'data'>;
}

const ListFacts = ({ of, query: { data } }: ListFactsProps) => {
  const { t } = useTranslation();
  if (!data || data.totalCount === null) return null;
  return (
    <CountFacts
      asOf={data.asOf}
      counted={(values) => t(`developer.counted.${of}`, values)}
      relation={data.totalRelation}
      total={data.totalCount}
    />
  );
};
