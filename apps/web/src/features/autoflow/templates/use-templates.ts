import { endpoints } from '@simcube/contract';
import type { QueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import type { TemplateSearch } from '../search.ts';

export const useTemplates = (search: TemplateSearch) =>
  usePageQuery(search, (page) => endpointQuery(endpoints.autoflow.listTemplates, { query: page }));

/** All templates: one page holds the maximum number of an organisation. */
export const useAllTemplates = () =>
  useApiQuery(endpointQuery(endpoints.autoflow.listTemplates, { query: { page_size: 100 } }));

export const refetchTemplates = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: [endpoints.autoflow.listTemplates.id] });
