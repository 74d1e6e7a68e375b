import { endpoints } from '@simcube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client/index.ts';
import { followTask, unfollowTask } from '../../../lib/followed-tasks/index.ts';

const task = endpoints.task;

/** Undoes a task by another one, which is followed instead; the API client shows why it can't be undone. */
export const useUndo = (taskReference: string) => {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(task.undo, { params: { taskReference } }),
    onSuccess: ({ data }) => {
      followTask(data);
      unfollowTask(taskReference);
    },
    // The available actions have changed, even if the request was refused.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [task.listMine.id] });
      void client.invalidateQueries({ queryKey: [task.getMine.id] });
    },
  });
  return { undo: () => mutate(), isUndoing: isPending };
};
