import { endpoints, limits } from '@simcube/contract';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { session } from '../../lib/session/index.ts';
import { useTimeDisplay } from '../../lib/time/index.ts';
import { usePageQuery } from '../../ui/list-screen/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';
import { auditFilterOf } from './audit-filter.ts';
import type { AuditSearch } from './search.ts';

/** One page of the audit trail, newest first. */
export const useAuditEntries = (search: AuditSearch) => {
  const filter = auditFilterOf(search, useTimeDisplay());
  return usePageQuery(search, (page) =>
    endpointQuery(endpoints.audit.list, { body: { ...filter, ...page } }),
  );
};

/** One entry, in the form of a list's response. */
export const useEntry = (number: string | undefined) =>
  useApiQuery({
    ...endpointQuery(endpoints.audit.list, { body: { number: Number(number) } }),
    enabled: number !== undefined,
  });

/** The actors to filter by: the organisation's accounts, up to one page. */
export const useActors = () =>
  useQuery({
    ...endpointQuery(endpoints.account.list, {
      params: { partnerCode: session.get('partnerCode') ?? '' },
      query: { page_size: limits.page.sizes[3], sort: 'name' },
    }),
    staleTime: 60_000,
  });
