import { endpoints, limits } from '@simcube/contract';
import { taskStatuses } from '@simcube/contract/task';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import type { OnSearchChange } from '../../lib/search-params/fields.ts';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { DataTable, useTableLayout } from '../../ui/data-table/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Page } from '../../ui/page/index.ts';
import { Segmented } from '../../ui/segmented/index.ts';
import type { ItemViews } from './item-view.ts';
import type { TaskCentreSearch } from './search.ts';
import styles from './task-centre.module.css';
import { useTaskColumns } from './task-columns.tsx';
import { TaskDrawer } from './task-drawer.tsx';

const days = limits.taskListDays;

export interface TaskCentreScreenProps {
  search: TaskCentreSearch;
  onSearchChange: OnSearchChange<TaskCentreSearch>;
  itemViews: ItemViews;
}

/** The person's background work of the last days; the shell keeps it moving. */
export const TaskCentreScreen = ({ search, onSearchChange, itemViews }: TaskCentreScreenProps) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const href = useCallback(
    ({ reference_id: task }: { reference_id: string }): string =>
      `/${language}/taskcenter${stringifySearch({ ...search, task })}`,
    [language, search],
  );
  const layout = useTableLayout('tasks', useTaskColumns(href));
  const page = { number: search.page ?? 1, size: search.size ?? limits.page.default };
  const query = { page_no: page.number, page_size: page.size, status: search.status };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...endpointQuery(endpoints.task.listMine, { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      actions={
        <Segmented
          label={t('task.filter.label')}
          onChange={(status) =>
            onSearchChange({ size: search.size, status: status === 'all' ? undefined : status }, 'replace')
          }
          options={[
            { value: 'all', label: t('task.filter.all') },
            ...taskStatuses.map((value) => ({ value, label: t(`task.statuses.${value}`) })),
          ]}
          value={search.status ?? 'all'}
        />
      }
      facts={t('task.facts', { days })}
      fill
      title={t('task.title')}
    >
      <div className={styles['table']}>
        <DataTable
          empty={
            search.status ? (
              <Empty title={t('task.emptyStatus')} />
            ) : (
              <Empty hint={t('task.emptyHint')} title={t('task.emptyTitle', { days })} />
            )
          }
          error={error}
          label={t('task.title')}
          layout={layout}
          onPage={({ number, size }) => onSearchChange({ ...search, page: number, size }, 'push')}
          onRetry={() => void refetch()}
          page={{ ...page, total: data?.totalCount ?? 0, relation: data?.totalRelation ?? 'eq' }}
          rowHref={href}
          rowKey={({ reference_id }) => reference_id}
          rows={data?.data}
          stale={isPlaceholderData}
        />
      </div>
      <TaskDrawer
        itemViews={itemViews}
        onClose={() => onSearchChange({ ...search, task: undefined }, 'replace')}
        reference={search.task}
      />
    </Page>
  );
};
