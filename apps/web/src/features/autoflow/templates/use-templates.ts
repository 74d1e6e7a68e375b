import { endpoints } from '@simcube/contract';
import type { QueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import { usePageOf } from '../../../ui/list-screen/index.ts';
import type { TemplateSearch } from '../search.ts';

export const useTemplates = (search: TemplateSearch) =>
  usePageOf(search, (page) => endpointQuery(endpoints.autoflow.listTemplates, { query: page }));

/** All templates: one page holds the maximum number of an organisation. */
export const useAllTemplates = () =>
  useAnswer(endpointQuery(endpoints.autoflow.listTemplates, { query: { page_size: 100 } }));

export const readTemplatesAgain = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: [endpoints.autoflow.listTemplates.id] });
