import { Activity, type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { serviceSearchSchema } from '../../features/bundle/search.ts';
import { simListSearchSchema } from '../../features/sim/search.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { forgetKeptSearches, keepSearch } from '../kept-search.ts';
import { type RouteSearch, useRouteSearch } from './use-route-search.ts';

interface KeptList<S> extends RouteSearch<S> {
  load: () => Promise<ComponentType<SearchScreenProps<S>>>;
}

/**
 * A list that keeps its state when the person leaves it (specification, section 2): from its first visit on it stays in
 * the tree, hidden by `Activity` with its effects stopped, and its last search is remembered for the way back.
 */
const keptList = <S extends Record<string, unknown>>({ path, read, load }: KeptList<S>) => {
  const Screen = lazy(async () => ({ default: await load() }));
  return () => {
    const { search: here, onSearchChange } = useRouteSearch({ path, read });
    const [last, setLast] = useState<S | null>(here);
    if (here !== null && here !== last) setLast(here);
    useEffect(() => {
      if (here !== null) keepSearch(path, stringifySearch(here));
    }, [here]);
    useEffect(() => forgetKeptSearches, []);
    const search = here ?? last;
    if (search === null) return null;
    return (
      <Activity mode={here === null ? 'hidden' : 'visible'}>
        <Suspense fallback={null}>
          <Screen search={search} onSearchChange={onSearchChange} />
        </Suspense>
      </Activity>
    );
  };
};

export const KeptSimList = keptList({
  path: 'simCard',
  read: simListSearchSchema.parse,
  load: async () => (await import('../../features/sim/index.ts')).SimListScreen,
});

export const KeptServiceList = keptList({
  path: 'service',
  read: serviceSearchSchema.parse,
  load: async () => (await import('../../features/bundle/index.ts')).ServiceScreen,
});
