import { endpoints } from '@simcube/contract';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import type { PagesSearch } from '../../../lib/search-params/list-search.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery, useLoadMore } from '../../../ui/query/index.ts';

const sim = endpoints.sim;
const bundle = endpoints.bundle;

export const useSimOrders = (iccid: string, search: PagesSearch) =>
  usePageQuery(search, (page) => endpointQuery(bundle.listOrders, { body: { iccid, ...page } }));

export const useSimOrder = (params: { iccid: string; orderId: string; bundleCode: string }, enabled = true) =>
  useApiQuery({ ...endpointQuery(bundle.detail, { params }), enabled });

export const useSimCoverage = (iccid: string) =>
  useApiQuery(endpointQuery(bundle.coverage, { params: { iccid } }));

export const useSimOveruse = (iccid: string) =>
  useApiQuery(endpointQuery(bundle.overusePolicy, { params: { iccid } }));

export const useSimCost = (iccid: string) =>
  useApiQuery(endpointQuery(endpoints.price.simCost, { query: { iccid } }));

export const useSimCycles = (iccid: string, search: PagesSearch) =>
  usePageQuery(search, (page) => endpointQuery(bundle.listCycles, { body: { iccid, ...page } }));

export const useSimSessions = (iccid: string, search: PagesSearch) =>
  usePageQuery(search, (page) => endpointQuery(sim.sessions, { query: { iccid, ...page } }));

/** Details of the card and its owner: they change so rarely that one request per visit is enough. */
const rarelyStale = { staleTime: 300_000 } as const;
export const useSimSpec = (iccid: string) =>
  useApiQuery({ ...endpointQuery(sim.spec, { params: { iccid } }), ...rarelyStale });
export const useSimOrganisations = (iccid: string) =>
  useApiQuery({ ...endpointQuery(sim.belongOrg, { params: { iccid } }), ...rarelyStale });

export const useSimDetails = (iccid: string) =>
  useApiQuery(endpointQuery(bundle.simDetails, { query: { iccid } }));

const tracePageSize = 50;

/** The status trace, newest first; older entries on demand. */
export const useSimTrace = (iccid: string) =>
  useLoadMore({
    key: [sim.statusTrace.id, { query: { iccid } }],
    request: ({ cursor, signal }) =>
      call(sim.statusTrace, { query: { iccid, page_size: tracePageSize, cursor }, signal, announce: false }),
  });
export type TraceEntry = NonNullable<ReturnType<typeof useSimTrace>['rows']>[number];
