import { endpoints } from '@simcube/contract';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import type { PagesSearch } from '../../../lib/search-params/list-search.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import type { Granularity } from '../search.ts';

export const useSimBasic = (iccid: string) =>
  useApiQuery(endpointQuery(endpoints.sim.basic, { query: { iccid } }));

export const useSimConnection = (iccid: string) =>
  useApiQuery(endpointQuery(endpoints.sim.connection, { query: { iccid } }));

export interface UsageSpan {
  /** First and last day, inclusive, UTC+0. */
  from: string;
  to: string;
  granularity: Granularity;
}

export const useSimUsage = (iccid: string, span: UsageSpan) =>
  useApiQuery({
    ...endpointQuery(endpoints.sim.usage, { query: { iccid, ...span } }),
    placeholderData: keepPreviousData,
  });

export const useSimEvents = (iccid: string, search: PagesSearch) =>
  usePageQuery(search, (page) => endpointQuery(endpoints.sim.events, { query: { iccid, ...page } }));
