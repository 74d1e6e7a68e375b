import { endpoints } from '@simcube/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { session } from '../../../lib/session/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { type AccountSearch, accountSearch } from '../search.ts';

const partnerCode = (): string => session.get('partnerCode') ?? '';

/** One page of the accounts. */
export const useAccounts = (search: AccountSearch) =>
  usePageQuery(search, (page) =>
    endpointQuery(endpoints.account.list, {
      params: { partnerCode: partnerCode() },
      query: { ...accountSearch.filterOf(search), ...page },
    }),
  );

export const useAccount = (userId: string) =>
  useApiQuery(endpointQuery(endpoints.account.get, { params: { partnerCode: partnerCode(), userId } }));

export const usePartners = (userId: string) =>
  useApiQuery(endpointQuery(endpoints.account.listPartners, { params: { userId } }));

export const permissionsQuery = (userId: string) =>
  endpointQuery(endpoints.account.getPermissions, { params: { userId } });

export const usePermissions = (userId: string) => useApiQuery(permissionsQuery(userId));

export const useSeats = () =>
  useApiQuery(endpointQuery(endpoints.org.getSeats, { params: { orgCode: partnerCode() } }));

/**
 * Whether accounts of the current organisation can have oversight (specification, section 6): in those of the first level and
 * the operator's. False until known.
 */
export const useCanOversee = (): boolean => {
  const { data } = useApiQuery(
    endpointQuery(endpoints.org.getEnterprise, { params: { orgCode: partnerCode() } }),
  );
  return data !== undefined && (data.data.first_level || data.data.parent_code === null);
};

const { list, get, listPartners, getPermissions } = endpoints.account;

/** Refetches everything on screen about accounts. */
export const refetchAccounts = (queries: QueryClient): void => {
  for (const { id } of [list, get, listPartners, getPermissions, endpoints.org.getSeats]) {
    void queries.invalidateQueries({ queryKey: [id] });
  }
};

/** Refetches accounts that other people change. */
export const useLiveAccounts = (): void => {
  const queries = useQueryClient();
  useLive('account.changed', () => refetchAccounts(queries));
};
