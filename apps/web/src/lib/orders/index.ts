import { endpoints } from '@simcube/contract';
import type { OperationAnswer } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, messageOf } from '../api-client/index.ts';
import { followTask } from '../followed-tasks/index.ts';

type Started = NonNullable<OperationAnswer['task']>;

export interface Order {
  sending: boolean;
  /** Why the server did not take it, in words. */
  refusal: string | undefined;
  submit: (send: () => Promise<Started | null>) => void;
}

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

  const run = async (send: () => Promise<Started | null>): Promise<void> => {
    setSending(true);
    setRefusal(undefined);
    try {
      const started = await send();
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
      setSending(false);
    }
  };
  return {
    sending,
    refusal,
    submit: (send) => {
      run(send).catch((error: unknown) => console.error('order failed', error));
    },
  };
};
