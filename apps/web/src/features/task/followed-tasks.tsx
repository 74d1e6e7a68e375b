import type { Task } from '@simcube/contract/task';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../lib/api-client/index.ts';
import {
  type FollowedTask as Followed,
  unfollowTask,
  useFollowedTasks,
} from '../../lib/followed-tasks/index.ts';
import { type Format, useFormat } from '../../lib/format/index.ts';
import { session } from '../../lib/session/index.ts';
import { type KeyedToast, type ToastAction, toast } from '../../lib/toast/index.ts';
import { reportDownloader, useTask } from './api/use-task.ts';
import { useUndo } from './api/use-undo.ts';
import type { ItemViews } from './item-view.ts';
import { taskName } from './task-name.ts';
import { toastKeyOf } from './toast-key.ts';

/** Shows the progress and outcome of tasks ordered in this tab, on every page. Renders nothing itself. */
export const FollowedTasks = ({ itemViews }: { itemViews: ItemViews }) =>
  useFollowedTasks().map((followed) => (
    <FollowedTask followed={followed} itemViews={itemViews} key={followed.reference_id} />
  ));

const FollowedTask = ({ followed, itemViews }: { followed: Followed; itemViews: ItemViews }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { reference_id: reference } = followed;
  const { data, error } = useTask(reference);
  const { undo, isUndoing } = useUndo(reference);
  const [isSaving, setSaving] = useState(false);
  const task = data?.data;
  const isGone = error instanceof ApiFailure && error.http === 404;
  // At each render: the toast follows the task, the language, and running requests.
  useEffect(() => {
    if (isGone) {
      unfollowTask(reference);
      return;
    }
    const content = task ? taskContent(task, { t, format }) : acceptedContent(followed, { t, format });
    const actions: ToastAction[] = [
      ...(task?.undoable
        ? [
            {
              label: t(task.undoes === null ? 'task.undo.undo' : 'task.undo.redo'),
              onPress: undo,
              busy: isUndoing,
            },
          ]
        : []),
      ...listAction(task, { itemViews, t, format }),
      ...(task?.report
        ? [
            {
              label: t('task.toast.download'),
              onPress: reportDownloader(reference, setSaving),
              busy: isSaving,
            },
          ]
        : []),
    ];
    const link = {
      label: t('task.see'),
      href: `/${format.language}/taskcenter?task=${encodeURIComponent(reference)}`,
    };
    const onRemoved = () => unfollowTask(reference);
    toast.upsert({ key: toastKeyOf(reference), actions, link, onRemoved, ...content });
  });
  // No longer followed: undone, or of another organisation.
  useEffect(() => () => toast.drop(toastKeyOf(reference)), [reference]);
  return null;
};

interface TextContext {
  t: TFunction;
  format: Format;
}
type Content = Pick<KeyedToast, 'kind' | 'text' | 'note' | 'progress' | 'sticky'>;

const acceptedContent = (
  { reference_id: reference, quantity }: Followed,
  { t, format }: TextContext,
): Content => ({
  kind: 'info',
  text: t('task.toast.accepted', { reference }),
  note: null,
  progress: taskProgress(0, quantity, { t, format }),
  sticky: true,
});

const taskContent = (task: Task, { t, format }: TextContext): Content => {
  const { status, done, quantity, ended_at, result, reference_id: reference } = task;
  const values = { type: taskName(task, t), reference };
  // The event of its end arrives before its result.
  if (ended_at === null || status === 'processing') {
    return {
      kind: 'info',
      text: t('task.toast.processing', values),
      note: null,
      progress: taskProgress(done, quantity, { t, format }),
      sticky: true,
    };
  }
  return {
    kind: status === 'done' ? 'success' : 'warning',
    text: t(`task.ended.${status}`, values),
    note: result ? outcomeText(result, quantity, { t, format }) : t('task.brokeOff'),
    progress: null,
    sticky: false,
  };
};

/** How many items were done and refused; of a single one, only a refusal, because the text says that it is done. */
const outcomeText = (
  { accepted, refused }: NonNullable<Task['result']>,
  quantity: number,
  { t, format }: TextContext,
): string | null => {
  if (quantity === 1) return refused === 0 ? null : t('task.itemStates.refused');
  return t(refused === 0 ? 'task.toast.done' : 'task.toast.refused', {
    accepted: format.count(accepted),
    refused: format.count(refused),
  });
};

/** None for a single item, which is done or not. */
const taskProgress = (done: number, total: number, { t, format }: TextContext): KeyedToast['progress'] =>
  total === 1
    ? null
    : {
        done,
        total,
        label: t('task.progress', { done: format.count(done), quantity: format.count(total) }),
      };

const listAction = (
  task: Task | undefined,
  { itemViews, t, format }: TextContext & { itemViews: ItemViews },
): ToastAction[] => {
  const view = task?.item_kind == null ? undefined : itemViews[task.item_kind];
  if (!task || !view?.list || !session.can(view.permission)) return [];
  return [{ label: t(view.list.label), href: `/${format.language}/${view.list.path(task.reference_id)}` }];
};
