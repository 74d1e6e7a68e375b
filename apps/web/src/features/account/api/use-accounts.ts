import { endpoints } from '@simcube/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { session } from '../../../lib/session/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import { usePageOf } from '../../../ui/list-screen/index.ts';
import { type AccountSearch, accountSearch } from '../search.ts';

const partnerCode = (): string => session.get('partnerCode') ?? '';

/** One page of the accounts. */
export const useAccounts = (search: AccountSearch) =>
  usePageOf(search, (page) =>
    endpointQuery(endpoints.account.list, {
      params: { partnerCode: partnerCode() },
      query: { ...accountSearch.filterOf(search), ...page },
    }),
  );

export const useAccount = (userId: string) =>
  useAnswer(endpointQuery(endpoints.account.get, { params: { partnerCode: partnerCode(), userId } }));

export const usePartners = (userId: string) =>
  useAnswer(endpointQuery(endpoints.account.listPartners, { params: { userId } }));

export const usePermissions = (userId: string) =>
  useAnswer(endpointQuery(endpoints.account.getPermissions, { params: { userId } }));

export const useSeats = () =>
  useAnswer(endpointQuery(endpoints.org.getSeats, { params: { orgCode: partnerCode() } }));

const { list, get, listPartners, getPermissions } = endpoints.account;

/** Refetches everything on screen about accounts. */
export const readAccountsAgain = (queries: QueryClient): void => {
  for (const { id } of [list, get, listPartners, getPermissions, endpoints.org.getSeats]) {
    void queries.invalidateQueries({ queryKey: [id] });
  }
};

/** Refetches accounts that other people change. */
export const useLiveAccounts = (): void => {
  const queries = useQueryClient();
  useLive('account.changed', () => readAccountsAgain(queries));
};
