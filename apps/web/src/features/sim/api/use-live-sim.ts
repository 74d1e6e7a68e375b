import { endpoints } from '@simcube/contract';
import type { SimBasic, SimConnection } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { type ApiResponse, endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';

/** Fast enough to show a fact within two seconds, slow enough for a SIM that never stops sending. */
const refetchIntervalMs = 1000;
/** Changes of many SIMs do not say of which: this one may not be among them. */
const bulkRefetchIntervalMs = 4000;

const { basic, connection, events, statusTrace, spec, belongOrg } = endpoints.sim;
const { overusePolicy } = endpoints.bundle;

/** Counted usage changes neither the SIM's history nor its card; its own events do. */
const unchangedByUsage: ReadonlySet<unknown> = new Set(
  [events, statusTrace, spec, belongOrg].map(({ id }) => id),
);
/** What shows which restrictions the SIM's data has. */
const ofRestrictions: ReadonlySet<unknown> = new Set([basic.id, overusePolicy.id]);

/** Keeps one SIM's page up to date: the content of events is shown immediately, what only the server knows is refetched. */
export const useLiveSim = (iccid: string): void => {
  const client = useQueryClient();
  /** Only data on screen is refetched now; the rest when its tab is opened. */
  const refetch = (isConcerned: (endpointId: unknown) => boolean = () => true): void =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [endpointId, request] }) =>
        concernsSim(request, iccid) && isConcerned(endpointId),
    });
  const refetchAll = useThrottled(() => refetch(), refetchIntervalMs);
  const refetchUsage = useThrottled(() => refetch((id) => !unchangedByUsage.has(id)), refetchIntervalMs);
  const refetchRestrictions = useThrottled(
    () => refetch((id) => ofRestrictions.has(id)),
    bulkRefetchIntervalMs,
  );

  useLive('sim.connection', (update) => {
    if (update.iccid !== iccid) return;
    const key = endpointQuery(connection, { query: { iccid } }).queryKey;
    client.setQueryData<ApiResponse<SimConnection>>(
      key,
      (response) =>
        response && {
          ...response,
          data: {
            ...response.data,
            connection: update.status,
            network_overdue: update.status === 'offline' ? null : response.data.network_overdue,
          },
        },
    );
    refetchAll();
  });
  useLive('sim.usage', ({ sims }) => {
    const update = sims.find((sim) => sim.iccid === iccid);
    if (!update) return;
    const { used } = update;
    if (used !== null) {
      const key = endpointQuery(basic, { query: { iccid } }).queryKey;
      client.setQueryData<ApiResponse<SimBasic>>(key, (response) => response && withUsage(response, used));
    }
    refetchUsage();
  });
  useLive('sim.event', (event) => {
    if (event.iccid === iccid) refetchAll();
  });
  // A shared pool stops and releases its members without an event of each.
  useLive('sim.changed', refetchRestrictions);
  useLive('stream.reset', refetchAll);
};

const withUsage = (response: ApiResponse<SimBasic>, used: number): ApiResponse<SimBasic> => ({
  ...response,
  data: { ...response.data, cycle: { ...response.data.cycle, usage_bytes: used } },
});

/** The ICCID is in the query, the body or the path, depending on the call. */
const concernsSim = (request: unknown, iccid: string): boolean => {
  const { query, body, params } = (request ?? {}) as Record<string, { iccid?: unknown } | undefined>;
  return [query, body, params].some((part) => part?.iccid === iccid);
};
