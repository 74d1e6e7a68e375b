import { endpoints } from '@simcube/contract';
import type { SimBasic, SimConnection } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { type ApiResponse, endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';

/** Fast enough to show a fact within two seconds, slow enough for a SIM that never stops sending. */
const refetchIntervalMs = 1000;

/** Keeps one SIM's page up to date: the content of events is shown immediately, what only the server knows is refetched. */
export const useLiveSim = (iccid: string): void => {
  const client = useQueryClient();
  const refetch = (...targets: { id: string }[]): void => {
    for (const { id } of targets) {
      void client.invalidateQueries({
        predicate: ({ queryKey: [name, request] }) => name === id && concernsSim(request, iccid),
      });
    }
  };
  const { basic, connection, events, usage } = endpoints.sim;
  const { coverage, overusePolicy, listOrders, listCycles, simDetails } = endpoints.bundle;
  const { sessions, statusTrace } = endpoints.sim;
  const { simCost } = endpoints.price;
  // Of these, only data on screen is refetched now; the rest when its tab is opened.
  const refetchConnection = useThrottled(
    () => refetch(connection, basic, sessions, simDetails, overusePolicy),
    refetchIntervalMs,
  );
  const refetchUsage = useThrottled(
    () => refetch(usage, basic, connection, simCost, listCycles, listOrders, coverage, overusePolicy),
    refetchIntervalMs,
  );
  const refetchEvents = useThrottled(
    () => refetch(events, basic, connection, simCost, statusTrace, listOrders, listCycles, overusePolicy),
    refetchIntervalMs,
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
    refetchConnection();
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
    if (event.iccid === iccid) refetchEvents();
  });
  useLive('stream.reset', () => {
    refetchConnection();
    refetchUsage();
    refetchEvents();
  });
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
