import { useEffect, useEffectEvent } from 'react';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { useSimViews } from '../api/use-sim-views.ts';
import { isUnknownList, type SimSearch } from '../search.ts';

type Address = Pick<SearchScreenProps<SimSearch>, 'search' | 'onSearchChange'>;

/**
 * Whether the list is limited to pasted SIMs that this tab does not have: the URL came from elsewhere. If it opens a saved view of
 * pasted SIMs, they are taken from the view; it is loading until the views are known.
 */
export const useMissingList = ({ search, onSearchChange }: Address): 'missing' | 'loading' | undefined => {
  const isUnknown = isUnknownList(search);
  const { views, error } = useSimViews();
  const view = isUnknown ? views?.find(({ id }) => id === search.view) : undefined;
  const takeFromView = useEffectEvent(() => {
    const list = view?.open().list;
    if (list !== undefined) onSearchChange({ ...search, list }, 'replace');
  });
  useEffect(() => {
    if (view) takeFromView();
  }, [view]);
  if (!isUnknown) return undefined;
  return search.view !== undefined && !views && !error ? 'loading' : 'missing';
};
