import { CatchBoundary } from '@tanstack/react-router';
import { Activity, type ComponentType, Suspense, useEffect, useState } from 'react';
import { loadWhenReachable } from '../../lib/chunks/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { forgetSearches, rememberSearch } from '../remembered-search.ts';
import { ScreenFailed } from '../screen-failed.tsx';
import { type RouteSearch, useRouteSearch } from './use-route-search.ts';

interface KeepAliveList<S> extends RouteSearch<S> {
  load: () => Promise<ComponentType<SearchScreenProps<S>>>;
}

/**
 * A list that keeps its state when the person leaves it (specification, section 2): after its first visit it stays in the tree,
 * hidden by `Activity` with its effects stopped, and its last search string is stored for the return. If it throws, no other page
 * is affected; it is rendered again when it is reopened or its search string changes.
 */
export const keepAliveList = <S extends object>({ path, read, load }: KeepAliveList<S>) => {
  let loaded: ComponentType<SearchScreenProps<S>> | undefined;
  const loadOnce = async () => {
    loaded = await loadWhenReachable(load);
    return loaded;
  };
  /** Undefined if the script can't be fetched: the route, which fetches it too, reports that. */
  const useScreen = (isOnScreen: boolean) => {
    const [Screen, setScreen] = useState(() => loaded);
    // A list that is part of the first page is rendered with it, not after it.
    if (!Screen && isOnScreen && loaded) setScreen(() => loaded);
    const isMissing = isOnScreen && !Screen;
    useEffect(() => {
      if (!isMissing) return;
      loadOnce().then(
        (component) => setScreen(() => component),
        () => undefined,
      );
    }, [isMissing]);
    return Screen;
  };
  const List = () => {
    const { search: currentSearch, ...address } = useRouteSearch({ path, read });
    const Screen = useScreen(currentSearch !== null);
    const [lastSearch, setLastSearch] = useState<S | null>(currentSearch);
    if (currentSearch !== null && currentSearch !== lastSearch) setLastSearch(currentSearch);
    useEffect(() => {
      if (currentSearch !== null) rememberSearch(path, stringifySearch(currentSearch));
    }, [currentSearch]);
    useEffect(() => forgetSearches, []);
    const search = currentSearch ?? lastSearch;
    if (search === null || !Screen) return null;
    return (
      <Activity mode={currentSearch === null ? 'hidden' : 'visible'}>
        <Suspense fallback={null}>
          <CatchBoundary
            errorComponent={ScreenFailed}
            getResetKey={() => (currentSearch === null ? 'elsewhere' : stringifySearch(currentSearch))}
          >
            <Screen {...address} search={search} />
          </CatchBoundary>
        </Suspense>
      </Activity>
    );
  };
  return { List, load: loadOnce };
};
