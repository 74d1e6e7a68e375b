import { CatchBoundary } from '@tanstack/react-router';
import { Activity, type ComponentType, Suspense, useEffect, useState } from 'react';
import { untilReachable } from '../../lib/parts/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { clearKeptSearches, keepSearch } from '../kept-search.ts';
import { ScreenFailed } from '../screen-failed.tsx';
import { type RouteSearch, useRouteSearch } from './use-route-search.ts';

interface KeptList<S> extends RouteSearch<S> {
  load: () => Promise<ComponentType<SearchScreenProps<S>>>;
}

/**
 * A list that keeps its state when the person leaves it (specification, section 2): after its first visit it stays in the tree,
 * hidden by `Activity` with its effects stopped, and its last search string is stored for the return. If it throws, no other page
 * is affected; it is rendered again when it is reopened or its search string changes.
 */
export const keptList = <S extends object>({ path, read, load }: KeptList<S>) => {
  let loaded: ComponentType<SearchScreenProps<S>> | undefined;
  const loadOnce = async () => {
    loaded = await untilReachable(load);
    return loaded;
  };
  /** Undefined if the script can't be fetched: the route, which fetches it too, reports that. */
  const useScreen = (isHere: boolean) => {
    const [Screen, setScreen] = useState(() => loaded);
    // A list that is part of the first page is rendered with it, not after it.
    if (!Screen && isHere && loaded) setScreen(() => loaded);
    const isMissing = isHere && !Screen;
    useEffect(() => {
      if (!isMissing) return;
      loadOnce().then(
        (found) => setScreen(() => found),
        () => undefined,
      );
    }, [isMissing]);
    return Screen;
  };
  const List = () => {
    const { search: here, ...address } = useRouteSearch({ path, read });
    const Screen = useScreen(here !== null);
    const [last, setLast] = useState<S | null>(here);
    if (here !== null && here !== last) setLast(here);
    useEffect(() => {
      if (here !== null) keepSearch(path, stringifySearch(here));
    }, [here]);
    useEffect(() => clearKeptSearches, []);
    const search = here ?? last;
    if (search === null || !Screen) return null;
    return (
      <Activity mode={here === null ? 'hidden' : 'visible'}>
        <Suspense fallback={null}>
          <CatchBoundary
            errorComponent={ScreenFailed}
            getResetKey={() => (here === null ? 'elsewhere' : stringifySearch(here))}
          >
            <Screen {...address} search={search} />
          </CatchBoundary>
        </Suspense>
      </Activity>
    );
  };
  return { List, load: loadOnce };
};
