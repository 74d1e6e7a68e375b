import { endpoints } from '@simcube/contract';
import type { OperationAnswer } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, messageOf } from '../api-client/index.ts';
import { followTask } from '../followed-tasks/index.ts';
import { useOnce } from './use-once.ts';

export { newOrderKey } from './order-key.ts';
export { isUnanswered, useOnce } from './use-once.ts';

type Started = NonNullable<OperationAnswer['task']>;

export interface Order {
  sending: boolean;
  /** Why the server did not take it, in words. */
  refusal: string | undefined;
  /**
   * Once, however often it is asked for: while one is on its way nothing else is sent, and one whose answer was lost is sent
   * again as it was, with its key, so that it is not done twice.
   * @param what is ordered: the same again is the same order, until it was answered
   * @param send takes the order's `idempotencyKey`
   */
  submit: (what: object, send: Send) => void;
}

type Send = (key: string) => Promise<Started | null>;

export interface OrderEnds {
  /** It was accepted: the selection is used up. */
  onStarted?: (() => void) | undefined;
  /** Its dialog has nothing more to say: what comes of it is shown wherever the person is. */
  onClose: () => void;
}

/** Sends an order; what is accepted is followed, what is not keeps the reason against it. */
export const useOrder = ({ onStarted, onClose }: OrderEnds): Order => {
  const client = useQueryClient();
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();
  const busy = useRef(false);
  const once = useOnce<Started | null>();

  const run = async (what: object, send: Send): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    setRefusal(undefined);
    try {
      const started = await once(what, send);
      if (started) {
        followTask(started);
        onStarted?.();
        onClose();
        void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
      }
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setRefusal(messageOf(error));
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return {
    sending,
    refusal,
    submit: (what, send) => {
      run(what, send).catch((error: unknown) => console.error('order failed', error));
    },
  };
};
