import { useTranslation } from 'react-i18next';
import { FollowedTasks, useProcessingTasks, useTaskUpdates } from '../../features/task/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { Link } from '../../ui/link/index.ts';
import { visuallyHidden } from '../../ui/visually-hidden/index.ts';
import { Icon } from '../icons.tsx';
import { itemViews } from '../item-views.ts';
import styles from './tasks-link.module.css';

/** Link to the task centre, with the number of running tasks; announces when one ends, on every page. */
export const TasksLink = () => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const language = useLanguage();
  const tasks = useProcessingTasks();
  useTaskUpdates();
  return (
    <>
      <Link className={styles['link']} href={`/${language}/taskcenter`}>
        <Icon name="task" size={14} />
        <span className={styles['word']}>{t('task.header')}</span>
        {tasks > 0 ? (
          <>
            {' '}
            <span className={styles['count']}>{count(tasks)}</span>{' '}
            <span className={visuallyHidden}>{t('task.inProgress')}</span>
          </>
        ) : null}
      </Link>
      <FollowedTasks itemViews={itemViews} />
    </>
  );
};
