import { endpoints } from '@simcube/contract';
import type { OperationResponse } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { followTask } from '../followed-tasks/index.ts';
import { type Submission, useSubmit } from '../submit/index.ts';

export { agreedTo, refetchOnRefusal } from './agreement.ts';

type AcceptedTask = NonNullable<OperationResponse['task']>;

export interface Order extends Omit<Submission, 'submit'> {
  /** @param send a call that creates a task; repeated after its response was lost, it is not executed twice */
  submit: (send: () => Promise<AcceptedTask | null>) => void;
}

export interface OrderCallbacks {
  /** The order was accepted: the selection can be cleared. */
  onAccepted?: (() => void) | undefined;
  /** The dialog can close: the outcome is shown on every page. */
  onClose: () => void;
}

/** Sends an order; an accepted one is followed, a refused one keeps its reason. The callbacks are those of `useSubmit`. */
export const useOrder = ({ onAccepted, onClose }: OrderCallbacks): Order => {
  const client = useQueryClient();
  const { submit, ...state } = useSubmit<AcceptedTask | null>({
    onDone: (task) => {
      if (!task) return;
      onAccepted?.();
      onClose();
    },
  });
  const run = async (send: () => Promise<AcceptedTask | null>): Promise<AcceptedTask | null> => {
    const task = await send();
    if (!task) return null;
    followTask(task);
    void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
    return task;
  };
  return { ...state, submit: (send) => void submit(() => run(send)) };
};
