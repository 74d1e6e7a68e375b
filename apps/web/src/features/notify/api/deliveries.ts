import { endpoints } from '@simcube/contract';
import type { Delivery } from '@simcube/contract/notify';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type Answer,
  type ApiFailure,
  call,
  endpointQuery,
  persistent,
} from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';

const calls = endpoints.notify;
const pageSize = 20;
/** Something waits: it may be delivered at any moment. */
const waitingMs = 2000;

/** What was sent to a target, the newest first, page by page as asked for. */
export const useDeliveries = (groupId: string) => {
  const query = useInfiniteQuery<
    Answer<Delivery[]>,
    ApiFailure,
    Delivery[],
    readonly unknown[],
    string | undefined
  >({
    queryKey: [calls.listDeliveries.id, { params: { groupId } }],
    queryFn: ({ pageParam, signal }) =>
      call(calls.listDeliveries, {
        params: { groupId },
        query: { page_size: pageSize, cursor: pageParam },
        signal,
        announce: false,
      }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some((one) => one.state === 'waiting') ? waitingMs : false,
    ...persistent,
  });
  return { ...query, error: query.error ?? query.failureReason };
};

/** One delivery with its attempts. */
export const useDelivery = (deliveryId: string) =>
  useAnswer(endpointQuery(calls.delivery, { params: { deliveryId } }));

const of = (groupId: string) => ({ params: { groupId } });

export const tryTarget = (groupId: string) => call(calls.tryTarget, of(groupId));
export const removeTarget = (groupId: string) => call(calls.removeTarget, of(groupId));
export const resumeTarget = (groupId: string) => call(calls.resumeTarget, of(groupId));
export const renewSecret = async (groupId: string): Promise<string> =>
  (await call(calls.renewSecret, of(groupId))).data.secret;
