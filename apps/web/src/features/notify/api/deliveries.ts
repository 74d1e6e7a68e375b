import { endpoints } from '@simcube/contract';
import type { Delivery } from '@simcube/contract/notify';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer, useMore } from '../../../ui/answer/index.ts';

const calls = endpoints.notify;
const pageSize = 20;
/** Something waits: it may be delivered at any moment. */
const waitingMs = 2000;

/** What was sent to a target, the newest first, page by page as asked for. */
export const useDeliveries = (groupId: string) =>
  useMore<Delivery>({
    key: [calls.listDeliveries.id, { params: { groupId } }],
    ask: ({ cursor, signal }) =>
      call(calls.listDeliveries, {
        params: { groupId },
        query: { page_size: pageSize, cursor },
        signal,
        announce: false,
      }),
    againAfterMs: (first) => (first.some(({ state }) => state === 'waiting') ? waitingMs : false),
  });

/** One delivery with its attempts. */
export const useDelivery = (deliveryId: string) =>
  useAnswer(endpointQuery(calls.delivery, { params: { deliveryId } }));

const of = (groupId: string) => ({ params: { groupId } });

export const tryTarget = (groupId: string) => call(calls.tryTarget, of(groupId));
export const removeTarget = (groupId: string) => call(calls.removeTarget, of(groupId));
export const resumeTarget = (groupId: string) => call(calls.resumeTarget, of(groupId));
export const renewSecret = async (groupId: string): Promise<string> =>
  (await call(calls.renewSecret, of(groupId))).data.secret;
