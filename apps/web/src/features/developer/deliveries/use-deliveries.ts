import { endpoints } from '@simcube/contract';
import type { WebhookLogFilter } from '@simcube/contract/webhook';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { loggedTypes } from '../event-names.ts';
import type { DeveloperSearch } from '../search.ts';
import { spanOf } from '../span.ts';
import { pollMs } from '../webhook/use-webhook.ts';

/** The search parameters in the server's format. */
export const logFilterOf = ({ search, type, state, from, to }: DeveloperSearch): WebhookLogFilter => {
  const known = loggedTypes.filter((one) => type?.includes(one));
  return {
    ...spanOf({ from, to }),
    ...(search === undefined ? {} : { search }),
    ...(known.length === 0 ? {} : { type: known }),
    ...(state === undefined ? {} : { state }),
  };
};

export const useDeliveries = (search: DeveloperSearch) =>
  usePageQuery(search, (page) => ({
    ...endpointQuery(endpoints.webhook.list, { body: { ...logFilterOf(search), ...page } }),
    refetchInterval: pollMs,
  }));

/** Counts by state, ignoring the filter's own state. */
export const useCounts = (search: DeveloperSearch) => {
  const { state: _, ...filter } = logFilterOf(search);
  return useApiQuery({
    ...endpointQuery(endpoints.webhook.counts, { body: filter }),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  });
};

export const useDelivery = (notificationId: string) =>
  useApiQuery({
    ...endpointQuery(endpoints.webhook.detail, { params: { notificationId } }),
    // A notification in a final state changes only when it is resent, here or elsewhere.
    refetchInterval: ({ state }) => (state.data?.data.state === 'waiting' ? pollMs / 5 : pollMs),
  });
