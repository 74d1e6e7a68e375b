import { useRef } from 'react';
import { ApiFailure, isOutcomeUnknown, newWriteKey } from '../api-client/index.ts';

/**
 * Sends an order with its own idempotency key. One whose response was lost is sent again unchanged, with its key, so that it is
 * not executed twice: the same value is the same order until it gets a response.
 */
export const useSendOnce = <T>() => {
  const unresolved = useRef<{ identity: string; send: () => Promise<T> }>(undefined);
  return async (identity: object, send: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const key = newWriteKey();
    const order = { identity: JSON.stringify(identity), send: () => send(key) };
    if (unresolved.current?.identity !== order.identity) unresolved.current = order;
    try {
      const result = await unresolved.current.send();
      unresolved.current = undefined;
      return result;
    } catch (error) {
      if (!(error instanceof ApiFailure && isOutcomeUnknown(error))) unresolved.current = undefined;
      throw error;
    }
  };
};
