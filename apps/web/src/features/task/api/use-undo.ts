import { endpoints } from '@simcube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api-client/index.ts';
import { followTask, unfollowTask } from '../../../lib/followed-tasks/index.ts';

const task = endpoints.task;

/** Undoes a task, by one that is followed in its place; why it can't be, the API client says. */
export const useUndo = (taskReference: string) => {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(task.undo, { params: { taskReference } }),
    onSuccess: ({ data }) => {
      followTask(data);
      unfollowTask(taskReference);
    },
    // What can be done with it is another than was shown, also where it was refused.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [task.listMine.id] });
      void client.invalidateQueries({ queryKey: [task.getMine.id] });
    },
  });
  return { undo: () => mutate(), undoing: isPending };
};
