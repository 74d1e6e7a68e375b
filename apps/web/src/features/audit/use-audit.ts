import { endpoints, limits } from '@simcube/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { session } from '../../lib/session/index.ts';
import { useTimeDisplay } from '../../lib/time/index.ts';
import { auditFilterOf } from './audit-filter.ts';
import type { AuditSearch } from './search.ts';

/** One page of the trail, the newest first. */
export const useAuditEntries = (search: AuditSearch) => {
  const zone = useTimeDisplay();
  return useQuery({
    ...endpointQuery(endpoints.audit.list, {
      body: {
        ...auditFilterOf(search, zone),
        page_no: search.page ?? 1,
        page_size: search.size ?? limits.page.default,
      },
    }),
    placeholderData: keepPreviousData,
  });
};

/** Whose entries may be asked for: the organisation's accounts, as many as one page carries. */
export const useActors = () =>
  useQuery({
    ...endpointQuery(endpoints.account.list, {
      params: { partnerCode: session.get('partnerCode') ?? '' },
      query: { page_size: limits.page.sizes[3], sort: 'name' },
    }),
    staleTime: 60_000,
  });
