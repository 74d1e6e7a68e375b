import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { pageOf } from '../../lib/language/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { parseSearch, stringifySearch } from '../../lib/search-params/index.ts';

export interface RouteSearch<S> {
  /** The route's path without the language segment. */
  path: string;
  read: (search: unknown) => S;
}

const notOnScreen = { pathname: '', text: null };

/**
 * The search of a route while it is on screen, else null, and a function to change it. The object keeps its identity while
 * nothing changes, so that screens can compare it.
 */
export const useRouteSearch = <S extends object>({ path, read }: RouteSearch<S>) => {
  const router = useRouter();
  const fullPath = `/$lang/${path}`;
  const { pathname, text } = useRouterState({
    select: ({ matches }) => {
      const match = matches.at(-1);
      return match?.fullPath === fullPath
        ? { pathname: match.pathname, text: stringifySearch({ ...match.search }) }
        : notOnScreen;
    },
    structuralSharing: true,
  });
  const parse = (searchText: string | null) => ({
    text: searchText,
    search: searchText === null ? null : read(parseSearch(searchText)),
  });
  const [parsed, setParsed] = useState<{ text: string | null; search: S | null }>(() => parse(text));
  const current = parsed.text === text ? parsed : parse(text);
  if (current !== parsed) setParsed(current);
  const hrefOf = useCallback((next: S): string => pathname + stringifySearch(next), [pathname]);
  const onSearchChange: SearchScreenProps<S>['onSearchChange'] = (next, how = 'push') => {
    // A response may arrive after the person has left the page, and must not bring them back.
    const { pathname: currentPathname } = router.state.location;
    if (pageOf(currentPathname) !== pageOf(pathname)) return;
    // The page stays where it is, or is scrolled by its list.
    void router.navigate({
      href: currentPathname + stringifySearch(next),
      replace: how === 'replace',
      resetScroll: false,
    });
  };
  return { search: current.search, onSearchChange, hrefOf };
};
