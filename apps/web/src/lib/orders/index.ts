import { endpoints } from '@simcube/contract';
import type { OperationResponse } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiFailure, explanationOf } from '../api-client/index.ts';
import { followTask } from '../followed-tasks/index.ts';
import { useSendOnce } from './use-send-once.ts';

type AcceptedTask = NonNullable<OperationResponse['task']>;

export interface Order {
  sending: boolean;
  /** Why the server refused the order, as text. */
  refusal: string | undefined;
  /**
   * Submits an order once, however often it is called. While an order is running, no other is sent; one whose response was lost
   * is sent again unchanged, with its key, so that it is not executed twice.
   * @param identity identifies the order: the same value is the same order until it gets a response
   * @param send receives the order's `idempotencyKey`
   */
  submit: (identity: object, send: Send) => void;
}

type Send = (key: string) => Promise<AcceptedTask | null>;

export interface OrderCallbacks {
  /** The order was accepted: the selection can be cleared. */
  onAccepted?: (() => void) | undefined;
  /** The dialog can close: the outcome is shown on every page. */
  onClose: () => void;
}

/** Sends an order; an accepted one is followed, a refused one keeps its reason. */
export const useOrder = ({ onAccepted, onClose }: OrderCallbacks): Order => {
  const client = useQueryClient();
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();
  const busy = useRef(false);
  const sendOnce = useSendOnce<AcceptedTask | null>();

  const run = async (identity: object, send: Send): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    setRefusal(undefined);
    try {
      const task = await sendOnce(identity, send);
      if (task) {
        followTask(task);
        onAccepted?.();
        onClose();
        void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
      }
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setRefusal(explanationOf(error));
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return {
    sending,
    refusal,
    submit: (identity, send) => {
      run(identity, send).catch((error: unknown) => console.error('order failed', error));
    },
  };
};
