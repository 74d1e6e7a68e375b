import { Activity, type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { clearKeptSearches, keepSearch } from '../kept-search.ts';
import { type RouteSearch, useRouteSearch } from './use-route-search.ts';

interface KeptList<S> extends RouteSearch<S> {
  load: () => Promise<ComponentType<SearchScreenProps<S>>>;
}

/**
 * A list that keeps its state when the person leaves it (specification, section 2): from its first visit on it stays in
 * the tree, hidden by `Activity` with its effects stopped, and its last search is remembered for the way back.
 */
export const keptList = <S extends object>({ path, read, load }: KeptList<S>) => {
  let loaded: ComponentType<SearchScreenProps<S>> | undefined;
  const loadOnce = async () => {
    loaded = await load();
    return loaded;
  };
  const Later = lazy(async () => ({ default: await loadOnce() }));
  const List = () => {
    // What the first page is made of is drawn with it, not after it.
    const [Screen] = useState(() => loaded ?? Later);
    const { search: here, ...address } = useRouteSearch({ path, read });
    const [last, setLast] = useState<S | null>(here);
    if (here !== null && here !== last) setLast(here);
    useEffect(() => {
      if (here !== null) keepSearch(path, stringifySearch(here));
    }, [here]);
    useEffect(() => clearKeptSearches, []);
    const search = here ?? last;
    if (search === null) return null;
    return (
      <Activity mode={here === null ? 'hidden' : 'visible'}>
        <Suspense fallback={null}>
          <Screen {...address} search={search} />
        </Suspense>
      </Activity>
    );
  };
  return { List, load: loadOnce };
};
