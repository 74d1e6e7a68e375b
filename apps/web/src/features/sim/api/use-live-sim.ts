import { endpoints } from '@simcube/contract';
import type { SimBasic, SimConnection } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { type Answer, endpointQuery } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';

/** Fast enough to be seen within two seconds of the fact, slow enough for a SIM that never stops talking. */
const readEveryMs = 1000;

/** Keeps one SIM's page true: what the event says is shown at once, what only the server knows is read again. */
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
  // Of these only what is on screen is read now; the rest when its tab is opened.
  const readConnection = usePaced(() => again(connection, basic, sessions, simDetails), readEveryMs);
  const readUsage = usePaced(
    () => again(usage, basic, connection, listCycles, listOrders, coverage, overusePolicy),
    readEveryMs,
  );
  const readEvents = usePaced(
    () => again(events, basic, connection, statusTrace, listOrders, listCycles, overusePolicy),
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
    const bytes = sims.filter((sim) => sim.iccid === iccid).reduce((sum, sim) => sum + sim.bytes, 0);
    if (bytes === 0) return;
    const key = endpointQuery(basic, { query: { iccid } }).queryKey;
    client.setQueryData<Answer<SimBasic>>(key, (answer) => answer && withUsage(answer, bytes));
    readUsage();
  });
  useLive('sim.event', (event) => {
    if (event.iccid === iccid) readEvents();
  });
  // Names, notes and tags change without an event of the SIM.
  useLive('sim.changed', () => readEvents());
  useLive('stream.reset', () => {
    readConnection();
    readUsage();
    readEvents();
  });
};

const withUsage = (answer: Answer<SimBasic>, bytes: number): Answer<SimBasic> => {
  const { cycle } = answer.data;
  return {
    ...answer,
    data: { ...answer.data, cycle: { ...cycle, usage_bytes: cycle.usage_bytes + bytes } },
  };
};

/** The ICCID stands in the query, the body or the path, as the call has it. */
const asksAbout = (request: unknown, iccid: string): boolean => {
  const { query, body, params } = (request ?? {}) as Record<string, { iccid?: unknown } | undefined>;
  return [query, body, params].some((part) => part?.iccid === iccid);
};
