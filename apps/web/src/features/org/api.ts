import { endpoints } from '@simcube/contract';
import type { QueryClient } from '@tanstack/react-query';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { readMemberships } from '../../lib/memberships/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';

export const useEnterprise = (orgCode: string) =>
  useApiQuery(endpointQuery(endpoints.org.getEnterprise, { params: { orgCode } }));

export const useSubOrganisations = (orgCode: string) =>
  useApiQuery(endpointQuery(endpoints.org.verifySubOrganisations, { params: { orgCode } }));

export const useSeats = (orgCode: string) =>
  useApiQuery(endpointQuery(endpoints.org.getSeats, { params: { orgCode } }));

/** After a deletion: sends no requests about the deleted organisation, which may still be on screen. */
export const refetchOrganisationList = (queries: QueryClient): void => {
  void queries.invalidateQueries({ queryKey: [endpoints.org.listMine.id] });
  readMemberships().catch(() => undefined);
};

/** After a creation or change: refetches what is on screen and what switcher and menu use. */
export const refetchOrganisations = (queries: QueryClient): void => {
  const { listMine, getEnterprise, verifySubOrganisations, getSeats } = endpoints.org;
  for (const { id } of [listMine, getEnterprise, verifySubOrganisations, getSeats]) {
    void queries.invalidateQueries({ queryKey: [id] });
  }
  // If it fails, the next sign-in loads them.
  readMemberships().catch(() => undefined);
};
