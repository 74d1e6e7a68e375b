import { limits } from '@simcube/contract';
import { keepPreviousData, type UseQueryOptions } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Answer, ApiFailure } from '../../lib/api-client/index.ts';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { useAnswer } from '../answer/index.ts';

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
 * @param ask the call with the page in it: `(page) => endpointQuery(list, { body: { ...filter, ...page } })`
 */
export const usePageOf = <S extends ListParams, Sent, Shown = Sent>(
  { page = 1, size = limits.page.default, sort }: S,
  ask: (page: PageRequest<S>) => UseQueryOptions<Answer<Sent[]>, ApiFailure, Answer<Shown[]>>,
) => {
  const cursors = useRef(new Map<string, string>());
  const at = (number: number, cursor?: string) => ask({ page_no: number, page_size: size, sort, cursor });
  const keyOf = (number: number): string => JSON.stringify(at(number).queryKey);
  const answer = useAnswer({
    ...at(page, cursors.current.get(keyOf(page))),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = answer;
  if (data?.nextCursor && !isPlaceholderData) cursors.current.set(keyOf(page + 1), data.nextCursor);
  return answer;
};
