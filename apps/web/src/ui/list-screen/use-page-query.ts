import { limits } from '@simcube/contract';
import { keepPreviousData, type UseQueryOptions } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ApiFailure, ApiResponse } from '../../lib/api-client/index.ts';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { useApiQuery } from '../query/index.ts';

/** The page parameters of every list's call. */
export interface PageRequest<S extends ListParams> {
  page_no: number;
  page_size: number;
  sort: S['sort'];
  cursor: string | undefined;
}

/**
 * One page of a list; the previous page stays on screen while the next one is loading. If the previous page was read, its cursor
 * is used, which is fast at any depth; a URL opened at a later page uses the page number.
 *
 * @param queryFor the call with the page in it: `(page) => endpointQuery(list, { body: { ...filter, ...page } })`
 */
export const usePageQuery = <S extends ListParams, Sent, Shown = Sent>(
  { page = 1, size = limits.page.default, sort }: S,
  queryFor: (page: PageRequest<S>) => UseQueryOptions<ApiResponse<Sent[]>, ApiFailure, ApiResponse<Shown[]>>,
) => {
  const cursors = useRef(new Map<string, string>());
  const pageQuery = (number: number, cursor?: string) =>
    queryFor({ page_no: number, page_size: size, sort, cursor });
  const keyOf = (number: number): string => JSON.stringify(pageQuery(number).queryKey);
  const query = useApiQuery({
    ...pageQuery(page, cursors.current.get(keyOf(page))),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = query;
  if (data?.nextCursor && !isPlaceholderData) cursors.current.set(keyOf(page + 1), data.nextCursor);
  return query;
};
