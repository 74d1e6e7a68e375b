import { useRef } from 'react';
import { ApiFailure, mayPass } from '../api-client/index.ts';
import { newOrderKey } from './order-key.ts';

/** Whether the outcome of an order is unknown: it may have been executed, or be running. */
export const isUnanswered = (failure: ApiFailure): boolean =>
  mayPass(failure) || failure.code === 'CB-00-0423';

/**
 * Sends an order with its own idempotency key. One whose response was lost is sent again unchanged, with its key, so that it is
 * not executed twice: the same value is the same order until it gets a response.
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
