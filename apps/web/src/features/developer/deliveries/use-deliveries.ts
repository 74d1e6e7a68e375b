import { endpoints } from '@simcube/contract';
import type { WebhookLogFilter } from '@simcube/contract/webhook';
import { keepPreviousData } from '@tanstack/react-query';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import { usePageOf } from '../../../ui/list-screen/index.ts';
import { loggedTypes } from '../event-names.ts';
import type { DeveloperSearch } from '../search.ts';
import { spanOf } from '../span.ts';
import { lookAgainMs } from '../webhook/use-webhook.ts';

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
  usePageOf(search, (page) => ({
    ...endpointQuery(endpoints.webhook.list, { body: { ...logFilterOf(search), ...page } }),
    refetchInterval: lookAgainMs,
  }));

/** Counts by state, ignoring the filter's own state. */
export const useCounts = (search: DeveloperSearch) => {
  const { state: _, ...filter } = logFilterOf(search);
  return useAnswer({
    ...endpointQuery(endpoints.webhook.counts, { body: filter }),
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
  });
};

export const useDelivery = (notificationId: string) =>
  useAnswer({
    ...endpointQuery(endpoints.webhook.detail, { params: { notificationId } }),
    // A notification in a final state changes only when it is resent, here or elsewhere.
    refetchInterval: ({ state }) => (state.data?.data.state === 'waiting' ? lookAgainMs / 5 : lookAgainMs),
  });
