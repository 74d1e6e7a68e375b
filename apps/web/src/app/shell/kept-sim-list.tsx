import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Activity, lazy, Suspense, useEffect, useState } from 'react';
import type { SimListScreenProps } from '../../features/sim/index.ts';
import { type SimListSearch, simListSearchSchema } from '../../features/sim/search.ts';
import { parseSearch, stringifySearch } from '../../lib/search-params/index.ts';
import { forgetKeptSearches, keepSearch } from '../kept-search.ts';

const SimListScreen = lazy(async () => ({
  default: (await import('../../features/sim/index.ts')).SimListScreen,
}));

/**
 * The SIM list keeps its state when left (specification, section 2): from its first visit on it stays in the
 * tree, hidden by `Activity`, with its effects stopped and its last search, while other pages are open.
 */
export const KeptSimList = () => {
  const here = useListSearch();
  const [last, setLast] = useState<SimListSearch | null>(here);
  if (here !== null && here !== last) setLast(here);
  const navigate = useNavigate();
  useEffect(() => {
    if (here !== null) keepSearch('simCard', stringifySearch(here));
  }, [here]);
  useEffect(() => forgetKeptSearches, []);
  const search = here ?? last;
  if (search === null) return null;
  const change: SimListScreenProps['onSearchChange'] = (next, how = 'push') =>
    void navigate({
      from: '/$lang/simCard',
      to: '/$lang/simCard',
      search: next,
      replace: how === 'replace',
    });
  return (
    <Activity mode={here === null ? 'hidden' : 'visible'}>
      <Suspense fallback={null}>
        <SimListScreen search={search} onSearchChange={change} />
      </Suspense>
    </Activity>
  );
};

/** The list's search when the list is the page on screen, else null. The same object as long as nothing changed. */
const useListSearch = (): SimListSearch | null => {
  const text = useRouterState({
    select: ({ matches }) => {
      const match = matches.at(-1);
      return match?.fullPath === '/$lang/simCard' ? stringifySearch(match.search) : null;
    },
  });
  const [read, setRead] = useState<{ text: string | null; search: SimListSearch | null }>(() => parse(text));
  if (read.text === text) return read.search;
  const next = parse(text);
  setRead(next);
  return next.search;
};

const parse = (text: string | null): { text: string | null; search: SimListSearch | null } => ({
  text,
  search: text === null ? null : simListSearchSchema.parse(parseSearch(text)),
});
