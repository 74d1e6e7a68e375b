import { endpoints } from '@simcube/contract';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Answer, type ApiFailure, call, endpointQuery } from '../../../lib/api-client/index.ts';

const { sim, bundle } = endpoints;

interface PageNumber {
  page: number;
  size: number;
}

export const useSimOrders = (iccid: string, { page, size }: PageNumber) =>
  useQuery({
    ...endpointQuery(bundle.listOrders, { body: { iccid, page_no: page, page_size: size } }),
    placeholderData: keepPreviousData,
  });

export const useSimOrder = (of: { iccid: string; orderId: string; bundleCode: string }) =>
  useQuery(endpointQuery(bundle.detail, { params: of }));

export const useSimCoverage = (iccid: string) =>
  useQuery(endpointQuery(bundle.coverage, { params: { iccid } }));

export const useSimOveruse = (iccid: string) =>
  useQuery(endpointQuery(bundle.overusePolicy, { params: { iccid } }));

export const useSimCycles = (iccid: string, { page, size }: PageNumber) =>
  useQuery({
    ...endpointQuery(bundle.listCycles, { body: { iccid, page_no: page, page_size: size } }),
    placeholderData: keepPreviousData,
  });

export const useSimSessions = (iccid: string, { page, size }: PageNumber) =>
  useQuery({
    ...endpointQuery(sim.sessions, { query: { iccid, page_no: page, page_size: size } }),
    placeholderData: keepPreviousData,
  });

/** What the card is and whose: changes so rarely that once a visit is enough. */
const rarely = { staleTime: 300_000 } as const;
export const useSimSpec = (iccid: string) =>
  useQuery({ ...endpointQuery(sim.spec, { params: { iccid } }), ...rarely });
export const useSimOrganisations = (iccid: string) =>
  useQuery({ ...endpointQuery(sim.belongOrg, { params: { iccid } }), ...rarely });

export const useSimDetails = (iccid: string) =>
  useQuery(endpointQuery(bundle.simDetails, { query: { iccid } }));

type Trace = Awaited<ReturnType<typeof readTrace>>;
export type TraceEntry = Trace['data'][number];

const tracePage = 50;
const readTrace = (iccid: string, cursor: string | undefined, signal: AbortSignal) =>
  call(sim.statusTrace, { query: { iccid, page_size: tracePage, cursor }, signal, announce: false });

/** The status trace from now backwards; older entries come when asked for. */
export const useSimTrace = (iccid: string) =>
  useInfiniteQuery<Trace, ApiFailure, TraceEntry[], readonly unknown[], string | undefined>({
    queryKey: [sim.statusTrace.id, { query: { iccid } }],
    queryFn: ({ pageParam, signal }) => readTrace(iccid, pageParam, signal),
    initialPageParam: undefined,
    getNextPageParam: (page: Answer<unknown>) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    retry: false,
  });
