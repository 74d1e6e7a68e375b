import { endpoints } from '@simcube/contract';
import type { Delivery } from '@simcube/contract/notify';
import { keepPreviousData } from '@tanstack/react-query';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery, useLoadMore } from '../../../ui/query/index.ts';

const calls = endpoints.notify;
const pageSize = 20;
/** Polling interval while deliveries are pending. */
const pollIntervalMs = 2000;

/** Deliveries to a target, newest first; more pages on demand. */
export const useDeliveries = (groupId: string) =>
  useLoadMore<Delivery>({
    key: [calls.listDeliveries.id, { params: { groupId } }],
    request: ({ cursor, signal }) =>
      call(calls.listDeliveries, {
        params: { groupId },
        query: { page_size: pageSize, cursor },
        signal,
        announce: false,
      }),
    refetchAfterMs: (first) => (first.some(({ state }) => state === 'waiting') ? pollIntervalMs : false),
  });

/** One delivery with its attempts, requested again when the list shows another state of it. */
export const useDelivery = ({ id: deliveryId, state, attempts }: Delivery) => {
  const query = endpointQuery(calls.delivery, { params: { deliveryId } });
  return useApiQuery({
    ...query,
    queryKey: [...query.queryKey, state, attempts],
    placeholderData: keepPreviousData,
  });
};

const paramsOf = (groupId: string) => ({ params: { groupId } });

export const testTarget = (groupId: string) => call(calls.tryTarget, paramsOf(groupId));
export const removeTarget = (groupId: string) => call(calls.removeTarget, paramsOf(groupId));
export const resumeTarget = (groupId: string) => call(calls.resumeTarget, paramsOf(groupId));
export const renewSecret = async (groupId: string): Promise<string> =>
  (await call(calls.renewSecret, paramsOf(groupId))).data.secret;
