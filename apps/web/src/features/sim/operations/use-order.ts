import { endpoints } from '@simcube/contract';
import type { OperationAnswer } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, messageOf } from '../../../lib/api-client/index.ts';

type Started = NonNullable<OperationAnswer['task']>;

export interface Order {
  sending: boolean;
  /** Why the server did not take it, in words. */
  refusal: string | undefined;
  task: Started | undefined;
  submit: (send: () => Promise<Started | null>) => void;
}

/** Sends an order, keeps its reference or the reason against it, and makes the task centre look again. */
export const useOrder = (onStarted: () => void): Order => {
  const client = useQueryClient();
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();
  const [task, setTask] = useState<Started | undefined>();

  const run = async (send: () => Promise<Started | null>): Promise<void> => {
    setSending(true);
    setRefusal(undefined);
    try {
      const started = await send();
      if (started) {
        setTask(started);
        onStarted();
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
    task,
    submit: (send) => {
      run(send).catch((error: unknown) => console.error('order failed', error));
    },
  };
};
