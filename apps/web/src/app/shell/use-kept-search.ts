import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { parseSearch, stringifySearch } from '../../lib/search-params/index.ts';
import { forgetKeptSearches, keepSearch } from '../kept-search.ts';

interface KeptArea<S> {
  /** Its name among the kept ones, and its path behind the language segment. */
  area: string;
  read: (search: Record<string, string | string[]>) => S;
}

interface KeptSearch<S> {
  /** Whether the list is the page on screen. */
  here: boolean;
  /** What it shows, or showed when it was left; null before its first visit. */
  search: S | null;
}

/** A list that keeps its state when left (specification, section 2): its last search, remembered for the way back. */
export const useKeptSearch = <S extends Record<string, unknown>>({
  area,
  read,
}: KeptArea<S>): KeptSearch<S> => {
  const here = useListSearch({ area, read });
  const [last, setLast] = useState<S | null>(here);
  if (here !== null && here !== last) setLast(here);
  useEffect(() => {
    if (here !== null) keepSearch(area, stringifySearch({ ...here }));
  }, [area, here]);
  useEffect(() => forgetKeptSearches, []);
  return { here: here !== null, search: here ?? last };
};

/** The list's search when the list is the page on screen, else null. The same object as long as nothing changed. */
const useListSearch = <S extends Record<string, unknown>>({ area, read }: KeptArea<S>): S | null => {
  const text = useRouterState({
    select: ({ matches }) => {
      const match = matches.at(-1);
      return match?.fullPath === `/$lang/${area}` ? stringifySearch({ ...match.search }) : null;
    },
  });
  const parse = (of: string | null) => ({ text: of, search: of === null ? null : read(parseSearch(of)) });
  const [known, setKnown] = useState<{ text: string | null; search: S | null }>(() => parse(text));
  if (known.text === text) return known.search;
  const next = parse(text);
  setKnown(next);
  return next.search;
};
