import type { Task } from '@simcube/contract/task';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';
import { Link } from '../../ui/link/index.ts';
import { useUndo } from './api/use-undo.ts';
import type { ItemView } from './item-view.ts';
import styles from './task-drawer.module.css';

/** The actions on a task: opening the list of its items, and undoing it. */
export const TaskActions = ({ task, view }: { task: Task; view: ItemView | undefined }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const confirm = useConfirm();
  const { reference_id: reference, undoable, undoes } = task;
  const { undo, isUndoing } = useUndo(reference);
  const action = undoes === null ? 'undo' : 'redo';
  const confirmUndo = async (): Promise<void> => {
    const confirmation = {
      title: t(`task.undo.ask.${action}`, { reference }),
      body: t('task.undo.about'),
      action: t(`task.undo.${action}`),
    };
    if (await confirm(confirmation)) undo();
  };
  const list = view && session.can(view.permission) ? view.list : undefined;
  if (!list && !undoable) return null;
  return (
    <div className={styles['actions']}>
      {list ? <Link href={`/${language}/${list.path(reference)}`}>{t(list.label)}</Link> : null}
      {undoable ? (
        <Button loading={isUndoing} onClick={() => void confirmUndo()}>
          {t(`task.undo.${action}`)}
        </Button>
      ) : null}
    </div>
  );
};
