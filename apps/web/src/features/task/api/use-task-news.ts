import { endpoints, type LiveEvent } from '@simcube/contract';
import type { Task } from '@simcube/contract/task';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../lib/api-client/index.ts';
import { isFollowed } from '../../../lib/followed-tasks/index.ts';
import { currentLanguage } from '../../../lib/language/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { toastKeyOf } from '../toast-key.ts';

export type TaskNews = Extract<LiveEvent, { name: 'task.progress' }>['data'];

/** Refetched when a task ends: the open task and its items. */
const single = [endpoints.task.getMine.id, endpoints.task.listItems.id];
/** Minimum interval for refetching lists when tasks start or end. */
const readEveryMs = 1000;
const listed = [endpoints.task.listMine.id];

/** Keeps all lists of tasks up to date while the shell is on screen, and announces once when one of the person's tasks ends. */
export const useTaskNews = (): void => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const ended = useRef(new Set<string>());
  const readAgain = usePaced(() => void client.invalidateQueries({ queryKey: listed }), readEveryMs);

  useLive('task.progress', (news) => {
    // A server of the previous version also sends colleagues' tasks.
    if (news.userId !== session.get('userId')) return;
    let known = false;
    client.setQueriesData<Answer<Task[]>>({ queryKey: listed }, (answer) => {
      if (!answer?.data.some(({ reference_id }) => reference_id === news.id)) return answer;
      known = true;
      return { ...answer, data: answer.data.map((task) => withNews(task, news)) };
    });
    const { id, status, type } = news;
    client.setQueriesData<Answer<Task>>(
      { queryKey: [endpoints.task.getMine.id] },
      (answer) => answer && { ...answer, data: withNews(answer.data, news) },
    );
    if (!known || status !== 'processing') readAgain();
    // Events that are repeated after the stream was lost are ignored.
    if (status === 'processing' || ended.current.has(id)) return;
    ended.current.add(id);
    for (const name of single) void readAfterEnd(client, name);
    // Its toast announces the end itself.
    if (isFollowed(id)) return;
    const text = t(`task.ended.${status}`, { type: t(`task.types.${type}`), reference: id });
    const link = {
      href: `/${currentLanguage()}/taskcenter?task=${encodeURIComponent(id)}`,
      label: t('task.see'),
    };
    toast.keep({
      key: toastKeyOf(id),
      kind: status === 'done' ? 'success' : 'warning',
      text,
      note: null,
      link,
      progress: null,
      actions: [],
      stays: false,
      onGone: () => undefined,
    });
  });
};

/** A first request that is still running may predate the end, and an invalidation alone does not repeat it. */
const readAfterEnd = async (client: QueryClient, name: string): Promise<void> => {
  await client.cancelQueries({ queryKey: [name] });
  await client.invalidateQueries({ queryKey: [name] });
};

const withNews = (task: Task, { id, status, done, quantity }: TaskNews): Task =>
  // A task that has ended is not changed by older news that arrives late.
  task.reference_id === id && task.status === 'processing' ? { ...task, status, done, quantity } : task;
