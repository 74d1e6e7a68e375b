import { useFormat } from '../../lib/format/index.ts';
import type { ApiQuery } from '../../ui/query/index.ts';
import { AsOf } from '../../ui/time/index.ts';
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

const KeyFacts = () => <ListFacts query={useKeys()} />;
const CallFacts = ({ search }: Pick<FactsProps, 'search'>) => <ListFacts query={useCalls(search)} />;
const DeliveryFacts = ({ search }: Pick<FactsProps, 'search'>) => <ListFacts query={useDeliveries(search)} />;

const ListFacts = ({ query: { data } }: { query: Pick<ApiQuery<readonly unknown[]>, 'data'> }) => {
  const { count } = useFormat();
  if (!data || data.totalCount === null) return null;
  return (
    <span aria-live="polite">
      {count(data.totalCount)}
      {data.totalRelation === 'gte' ? '+' : ''}
      {data.asOf === null ? null : (
        <>
          {' · '}
          <AsOf at={data.asOf} />
        </>
      )}
    </span>
  );
};
