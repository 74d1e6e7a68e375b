import { useRouter, useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { parseSearch, stringifySearch } from '../../lib/search-params/index.ts';

export interface RouteSearch<S> {
  /** The route's path behind the language segment. */
  path: string;
  read: (search: Record<string, string | string[]>) => S;
}

type Search = Record<string, unknown>;

/**
 * The search of a route while it is the page on screen, else null, and how it is changed. The same object as long as
 * nothing changed, so that screens may compare it.
 */
export const useRouteSearch = <S extends Search>({ path, read }: RouteSearch<S>) => {
  const router = useRouter();
  const text = useRouterState({
    select: ({ matches }) => {
      const match = matches.at(-1);
      return match?.fullPath === `/$lang/${path}` ? stringifySearch({ ...match.search }) : null;
    },
  });
  const parse = (of: string | null) => ({ text: of, search: of === null ? null : read(parseSearch(of)) });
  const [known, setKnown] = useState<{ text: string | null; search: S | null }>(() => parse(text));
  const current = known.text === text ? known : parse(text);
  if (current !== known) setKnown(current);
  const onSearchChange: SearchScreenProps<S>['onSearchChange'] = (next, how = 'push') => {
    const href = router.state.location.pathname + stringifySearch(next);
    void router.navigate({ href, replace: how === 'replace' });
  };
  return { search: current.search, onSearchChange };
};
