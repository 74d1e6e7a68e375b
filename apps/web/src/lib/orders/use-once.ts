import { useRef } from 'react';
import { ApiFailure, mayPass } from '../api-client/index.ts';
import { newOrderKey } from './order-key.ts';

/** Whether the server has not said what became of an order: it may have been done, or be done right now. */
export const isUnanswered = (failure: ApiFailure): boolean =>
  mayPass(failure) || failure.code === 'CB-00-0423';

/**
 * Sends an order with a key of its own. One whose answer was lost is sent again as it was, with its key, so that it is not done
 * twice: the same again is the same order, until it was answered.
 */
export const useOnce = <T>() => {
  const unanswered = useRef<{ what: string; send: () => Promise<T> }>(undefined);
  return async (what: object, send: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const key = newOrderKey();
    const order = { what: JSON.stringify(what), send: () => send(key) };
    if (unanswered.current?.what !== order.what) unanswered.current = order;
    try {
      const answer = await unanswered.current.send();
      unanswered.current = undefined;
      return answer;
    } catch (error) {
      if (!(error instanceof ApiFailure && isUnanswered(error))) unanswered.current = undefined;
      throw error;
    }
  };
};
