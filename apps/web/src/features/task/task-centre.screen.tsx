import { endpoints, limits } from '@simcube/contract';
import { type Task, taskStatuses } from '@simcube/contract/task';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../lib/api-client/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import {
  type List,
  ListFacts,
  ListScreen,
  QuickCounts,
  useList,
  usePageQuery,
} from '../../ui/list-screen/index.ts';
import { useTaskCounts } from './api/use-task-counts.ts';
import type { ItemViews } from './item-view.ts';
import { ReportMenu } from './report-menu.tsx';
import { type TaskSearch, taskSearch } from './search.ts';
import { taskTones, useTaskColumns } from './task-columns.tsx';
import { TaskDrawer } from './task-drawer.tsx';

const days = limits.taskListDays;

export interface TaskCentreScreenProps extends SearchScreenProps<TaskSearch> {
  itemViews: ItemViews;
}

/** The person's background work of the last days; the shell keeps it up to date. */
export const TaskCentreScreen = ({ itemViews, ...address }: TaskCentreScreenProps) => {
  const { t } = useTranslation();
  const filter = taskSearch.filterOf(address.search);
  const list = useList({
    name: 'tasks',
    of: taskSearch,
    address,
    query: usePageQuery(address.search, (page) =>
      endpointQuery(endpoints.task.listMine, { query: { ...filter, ...page } }),
    ),
    columns: useTaskColumns(),
  });
  return (
    <ListScreen
      empty={{ title: t('task.emptyTitle', { days }), hint: t('task.emptyHint') }}
      counts={<Statuses list={list} />}
      facts={
        <>
          <ListFacts list={list} />
          <span>{t('task.facts', { days })}</span>
        </>
      }
      label={t('task.title')}
      list={list}
      noMatch={{ title: t('task.emptyStatus') }}
      rowActions={(task) => <ReportMenu task={task} />}
      rowHref={({ reference_id: task }) => list.hrefWith({ task })}
      rowKey={({ reference_id }) => reference_id}
      title={t('task.title')}
    >
      <TaskDrawer itemViews={itemViews} onClose={list.close} reference={list.search.task} />
    </ListScreen>
  );
};

const Statuses = ({ list }: { list: List<Task, TaskSearch> }) => {
  const { t } = useTranslation();
  const { all, ...counts } = useTaskCounts();
  const { status } = list.search;
  return (
    <QuickCounts
      all={{ label: t('task.filter.all'), count: all }}
      counts={taskStatuses.map((value) => ({
        value,
        label: t(`task.statuses.${value}`),
        tone: taskTones[value],
        count: counts[value],
      }))}
      label={t('task.filter.label')}
      onChange={(value) => list.onFilter({ status: value?.[0] })}
      value={status === undefined ? undefined : [status]}
    />
  );
};
