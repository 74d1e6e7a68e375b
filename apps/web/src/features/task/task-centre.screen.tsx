import { endpoints, limits } from '@simcube/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { DataTable, useTableLayout } from '../../ui/data-table/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Page } from '../../ui/page/index.ts';
import styles from './task-centre.module.css';
import { useTaskColumns } from './task-columns.tsx';

const days = limits.taskListDays;

/** The person's background work of the last days; the shell keeps it moving. */
export const TaskCentreScreen = () => {
  const { t } = useTranslation();
  const [page, setPage] = useState<{ number: number; size: number }>({
    number: 1,
    size: limits.page.default,
  });
  const layout = useTableLayout('tasks', useTaskColumns());
  const query = { page_no: page.number, page_size: page.size };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...endpointQuery(endpoints.task.listMine, { query }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page facts={t('task.facts', { days })} fill title={t('task.title')}>
      <div className={styles['table']}>
        <DataTable
          empty={<Empty hint={t('task.emptyHint')} title={t('task.emptyTitle', { days })} />}
          error={error}
          label={t('task.title')}
          layout={layout}
          onPage={setPage}
          onRetry={() => void refetch()}
          page={{ ...page, total: data?.totalCount ?? 0, relation: data?.totalRelation ?? 'eq' }}
          rowKey={({ reference_id }) => reference_id}
          rows={data?.data}
          stale={isPlaceholderData}
        />
      </div>
    </Page>
  );
};
