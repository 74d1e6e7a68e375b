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

/** Enough to go back to recent pages and filters: each key contains its filter, and a filter up to now changes every minute. */
const maxCursors = 50;

/**
 * One page of a list; the previous page stays on screen while the next one is loading. If the previous page was read, its cursor
 * is used, which is fast at any depth; a URL opened at a later page uses the page number.
 *
 * @param queryFor the call with the page in it: `(page) => endpointQuery(list, { body: { ...filter, ...page } })`
 * @param subject what is requested apart from the time, for calls that name it (`useApiQuery`)
 */
export const usePageQuery = <S extends ListParams, Sent, Shown = Sent>(
  { page = 1, size = limits.page.default, sort }: S,
  queryFor: (page: PageRequest<S>) => UseQueryOptions<ApiResponse<Sent[]>, ApiFailure, ApiResponse<Shown[]>>,
  subject?: string,
) => {
  const cursors = useRef(new Map<string, string>());
  const pageQuery = (number: number, cursor?: string) =>
    queryFor({ page_no: number, page_size: size, sort, cursor });
  const keyOf = (number: number): string => JSON.stringify(pageQuery(number).queryKey);
  const query = useApiQuery(
    { ...pageQuery(page, cursors.current.get(keyOf(page))), placeholderData: keepPreviousData },
    subject,
  );
  const { data, isPlaceholderData } = query;
  if (data?.nextCursor && !isPlaceholderData) remember(cursors.current, keyOf(page + 1), data.nextCursor);
  return query;
};

/** The oldest is forgotten. */
const remember = (cursors: Map<string, string>, key: string, cursor: string): void => {
  cursors.delete(key);
  cursors.set(key, cursor);
  const [oldest] = cursors.keys();
  if (cursors.size > maxCursors && oldest !== undefined) cursors.delete(oldest);
};
