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

/** What the address means, as the server takes it. */
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

/** By state, whatever state the filter names. */
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
    // One that has ended changes only when it is sent again, here or elsewhere.
    refetchInterval: ({ state }) => (state.data?.data.state === 'waiting' ? lookAgainMs / 5 : lookAgainMs),
  });
