import { endpoints } from '@simcube/contract';
import type { QueryClient } from '@tanstack/react-query';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery, useFreshQuery } from '../../../ui/query/index.ts';
import type { TemplateSearch } from '../search.ts';

export const useTemplates = (search: TemplateSearch) =>
  usePageQuery(search, (page) => endpointQuery(endpoints.autoflow.listTemplates, { query: page }));

/** One page holds the maximum number of an organisation. */
const allOnOnePage = { page_size: 100 } as const;

export const useAllTemplates = () =>
  useApiQuery(endpointQuery(endpoints.autoflow.listTemplates, { query: allOnOnePage }));

/** The templates as they are now: never from the cache, because the editor keeps what it starts with. */
export const useEditedTemplates = (enabled: boolean) => {
  const { listTemplates } = endpoints.autoflow;
  return useFreshQuery({
    key: [listTemplates.id, 'edited'],
    request: (signal) => call(listTemplates, { query: allOnOnePage, signal, announce: false }),
    enabled,
  });
};

export const refetchTemplates = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: [endpoints.autoflow.listTemplates.id] });
