import { endpoints, type LiveEvent } from '@simcube/contract';
import type { Task } from '@simcube/contract/task';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResponse } from '../../../lib/api-client/index.ts';
import { isFollowed } from '../../../lib/followed-tasks/index.ts';
import { currentLanguage } from '../../../lib/language/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useThrottled } from '../../../ui/throttle/index.ts';
import { taskName } from '../task-name.ts';
import { toastKeyOf } from '../toast-key.ts';

export type TaskUpdate = Extract<LiveEvent, { name: 'task.progress' }>['data'];

/** Refetched when a task ends: the open task and its items. */
const detailIds = [endpoints.task.getMine.id, endpoints.task.listItems.id];
/** Minimum interval for refetching lists when tasks start or end. */
const refetchIntervalMs = 1000;
/** Minimum interval for refetching the items of the open task while it is progressing. */
const itemsIntervalMs = 2000;
const listKey = [endpoints.task.listMine.id];

/** Keeps all lists of tasks up to date while the shell is on screen, and announces once when one of the person's tasks ends. */
export const useTaskUpdates = (): void => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ended = useRef(new Set<string>());
  const refetchLists = useThrottled(
    () => void client.invalidateQueries({ queryKey: listKey }),
    refetchIntervalMs,
  );

  const refetchItems = useThrottled(
    () => void client.invalidateQueries({ queryKey: [endpoints.task.listItems.id] }),
    itemsIntervalMs,
  );

  useLive('task.progress', (update) => {
    // A server of the previous version also sends colleagues' tasks.
    if (update.userId !== session.get('userId')) return;
    let isListed = false;
    client.setQueriesData<ApiResponse<Task[]>>({ queryKey: listKey }, (response) => {
      if (!response?.data.some(({ reference_id }) => reference_id === update.id)) return response;
      isListed = true;
      return { ...response, data: response.data.map((task) => withUpdate(task, update)) };
    });
    const { id, status } = update;
    client.setQueriesData<ApiResponse<Task>>(
      { queryKey: [endpoints.task.getMine.id] },
      (response) => response && { ...response, data: withUpdate(response.data, update) },
    );
    if (!isListed || status !== 'processing') refetchLists();
    if (status === 'processing' && isOpen(client, id)) refetchItems();
    // Events that are repeated after the stream was lost are ignored.
    if (status === 'processing' || ended.current.has(id)) return;
    ended.current.add(id);
    for (const endpointId of detailIds) void refetchAfterEnd(client, endpointId);
    // Its toast announces the end itself.
    if (isFollowed(id)) return;
    const text = t(`task.ended.${status}`, { type: taskName(update, t), reference: id });
    const link = {
      href: `/${currentLanguage()}/taskcenter?task=${encodeURIComponent(id)}`,
      label: t('task.see'),
    };
    toast.upsert({
      key: toastKeyOf(id),
      kind: status === 'done' ? 'success' : 'warning',
      text,
      note: null,
      link,
      progress: null,
      actions: [],
      sticky: false,
      onRemoved: () => undefined,
    });
  });
};

/** Whether the items of the task are on screen. */
const isOpen = (client: QueryClient, taskReference: string): boolean =>
  client
    .getQueryCache()
    .findAll({ queryKey: [endpoints.task.listItems.id, { params: { taskReference } }], type: 'active' })
    .length > 0;

/** A first request that is still running may predate the end, and an invalidation alone does not repeat it. */
const refetchAfterEnd = async (client: QueryClient, endpointId: string): Promise<void> => {
  await client.cancelQueries({ queryKey: [endpointId] });
  await client.invalidateQueries({ queryKey: [endpointId] });
};

const withUpdate = (task: Task, { id, status, done, quantity }: TaskUpdate): Task =>
  // A task that has ended is not changed by older news that arrives late.
  task.reference_id === id && task.status === 'processing' ? { ...task, status, done, quantity } : task;
