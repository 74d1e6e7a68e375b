import { useNavigate } from '@tanstack/react-router';
import { Activity, lazy, Suspense } from 'react';
import type { SimListScreenProps } from '../../features/sim/index.ts';
import { simListSearchSchema } from '../../features/sim/search.ts';
import { useKeptSearch } from './use-kept-search.ts';

const SimListScreen = lazy(async () => ({
  default: (await import('../../features/sim/index.ts')).SimListScreen,
}));

/**
 * From its first visit on the SIM list stays in the tree, hidden by `Activity`, with its effects stopped and its
 * last search, while other pages are open.
 */
export const KeptSimList = () => {
  const { here, search } = useKeptSearch({ area: 'simCard', read: simListSearchSchema.parse });
  const navigate = useNavigate();
  if (search === null) return null;
  const change: SimListScreenProps['onSearchChange'] = (next, how = 'push') =>
    void navigate({
      from: '/$lang/simCard',
      to: '/$lang/simCard',
      search: next,
      replace: how === 'replace',
    });
  return (
    <Activity mode={here ? 'visible' : 'hidden'}>
      <Suspense fallback={null}>
        <SimListScreen search={search} onSearchChange={change} />
      </Suspense>
    </Activity>
  );
};
