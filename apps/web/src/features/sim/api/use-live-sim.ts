import { endpoints } from '@simcube/contract';
import type { SimBasic, SimConnection } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { type Answer, endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';

/** Fast enough to show a fact within two seconds, slow enough for a SIM that never stops sending. */
const readEveryMs = 1000;

/** Keeps one SIM's page up to date: the content of events is shown immediately, what only the server knows is refetched. */
export const useLiveSim = (iccid: string): void => {
  const client = useQueryClient();
  const again = (...calls: { id: string }[]): void => {
    for (const { id } of calls) {
      void client.invalidateQueries({
        predicate: ({ queryKey: [name, request] }) => name === id && asksAbout(request, iccid),
      });
    }
  };
  const { basic, connection, events, usage } = endpoints.sim;
  const { coverage, overusePolicy, listOrders, listCycles, simDetails } = endpoints.bundle;
  const { sessions, statusTrace } = endpoints.sim;
  const { simCost } = endpoints.price;
  // Of these, only data on screen is refetched now; the rest when its tab is opened.
  const readConnection = usePaced(() => again(connection, basic, sessions, simDetails), readEveryMs);
  const readUsage = usePaced(
    () => again(usage, basic, connection, simCost, listCycles, listOrders, coverage, overusePolicy),
    readEveryMs,
  );
  const readEvents = usePaced(
    () => again(events, basic, connection, simCost, statusTrace, listOrders, listCycles, overusePolicy),
    readEveryMs,
  );

  useLive('sim.connection', (news) => {
    if (news.iccid !== iccid) return;
    const key = endpointQuery(connection, { query: { iccid } }).queryKey;
    client.setQueryData<Answer<SimConnection>>(
      key,
      (answer) =>
        answer && {
          ...answer,
          data: {
            ...answer.data,
            connection: news.status,
            network_overdue: news.status === 'offline' ? null : answer.data.network_overdue,
          },
        },
    );
    readConnection();
  });
  useLive('sim.usage', ({ sims }) => {
    const own = sims.find((sim) => sim.iccid === iccid);
    if (!own) return;
    const { used } = own;
    if (used !== null) {
      const key = endpointQuery(basic, { query: { iccid } }).queryKey;
      client.setQueryData<Answer<SimBasic>>(key, (answer) => answer && withUsage(answer, used));
    }
    readUsage();
  });
  useLive('sim.event', (event) => {
    if (event.iccid === iccid) readEvents();
  });
  useLive('stream.reset', () => {
    readConnection();
    readUsage();
    readEvents();
  });
};

const withUsage = (answer: Answer<SimBasic>, used: number): Answer<SimBasic> => ({
  ...answer,
  data: { ...answer.data, cycle: { ...answer.data.cycle, usage_bytes: used } },
});

/** The ICCID is in the query, the body or the path, depending on the call. */
const asksAbout = (request: unknown, iccid: string): boolean => {
  const { query, body, params } = (request ?? {}) as Record<string, { iccid?: unknown } | undefined>;
  return [query, body, params].some((part) => part?.iccid === iccid);
};
