import type { Task } from '@simcube/contract/task';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../lib/api-client/index.ts';
import { durationText, useFormat } from '../../lib/format/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { DescriptionList } from '../../ui/description-list/index.ts';
import { Drawer } from '../../ui/drawer/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { ExportMenu } from '../../ui/export-menu/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Status } from '../../ui/status/index.ts';
import { Time } from '../../ui/time/index.ts';
import { downloadReport, reportDownloader, useTask } from './api/use-task.ts';
import type { ItemViews } from './item-view.ts';
import { TaskActions } from './task-actions.tsx';
import { Progress, Result, RunningTime, taskTones } from './task-columns.tsx';
import styles from './task-drawer.module.css';
import { TaskItems } from './task-items.tsx';
import { taskName } from './task-name.ts';

interface TaskDrawerProps {
  /** The drawer is closed if undefined. */
  reference: string | undefined;
  onClose: () => void;
  itemViews: ItemViews;
}

/** One task: its progress, the outcome of each item, and its report. */
export const TaskDrawer = ({ reference, onClose, itemViews }: TaskDrawerProps) => {
  const { t } = useTranslation();
  return (
    <Drawer
      onClose={onClose}
      open={reference !== undefined}
      title={t('task.drawer.title', { reference: reference ?? '' })}
      width={600}
    >
      {reference === undefined ? null : (
        <TaskContent itemViews={itemViews} key={reference} reference={reference} />
      )}
    </Drawer>
  );
};

const TaskContent = ({ reference, itemViews }: { reference: string; itemViews: ItemViews }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useTask(reference);
  if (error instanceof ApiFailure && error.http === 404)
    return <Empty hint={t('task.drawer.missingHint')} title={t('task.drawer.missing')} />;
  if (error && !response) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!response) return <Loading rows={10} />;
  const { data: task } = response;
  const { item_kind: kind } = task;
  return (
    <div className={styles['task']}>
      <TaskDetails task={task} />
      <ReportDownload task={task} />
      <TaskActions task={task} view={kind === null ? undefined : itemViews[kind]} />
      {kind === null ? (
        <Empty small title={t('task.drawer.withoutItems')} />
      ) : (
        <TaskItems reference={reference} view={itemViews[kind]} />
      )}
    </div>
  );
};

const TaskDetails = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  return (
    <DescriptionList
      items={[
        { term: t('task.fields.type'), value: taskName(task, t) },
        {
          term: t('task.fields.status'),
          value: (
            <Status live={task.status === 'processing'} tone={taskTones[task.status]}>
              {t(`task.statuses.${task.status}`)}
            </Status>
          ),
        },
        { term: t('task.fields.quantity'), value: <Progress task={task} /> },
        { term: t('task.fields.started'), value: <Time at={task.started_at} style="exact" /> },
        { term: t('task.fields.ended'), value: task.ended_at && <Time at={task.ended_at} style="exact" /> },
        {
          term: t('task.fields.elapsed'),
          value:
            task.ended_at === null ? (
              <RunningTime since={task.started_at} />
            ) : (
              durationText(task.elapsed_seconds)
            ),
        },
        { term: t('task.fields.result'), value: <Result task={task} /> },
        ...(task.undoes === null
          ? [{ term: t('task.fields.remark'), value: task.remark }]
          : [{ term: t('task.undo.of'), value: <TaskLink reference={task.undoes} /> }]),
        ...(task.undone_by === null
          ? []
          : [{ term: t('task.undo.by'), value: <TaskLink reference={task.undone_by} /> }]),
      ]}
    />
  );
};

const TaskLink = ({ reference }: { reference: string }) => (
  <Link href={`/${useLanguage()}/taskcenter?task=${encodeURIComponent(reference)}`}>{reference}</Link>
);

/** A report by item can be downloaded in any format; a requested file has its own. */
const ReportDownload = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const { report, reference_id: reference } = task;
  if (report === null) return null;
  return (
    <div className={styles['report']}>
      <span className={styles['file']}>
        {report.file_name}
        {report.bytes === null ? null : <span> · {format.bytes(report.bytes).text}</span>}
      </span>
      {report.bytes === null ? (
        <ExportMenu
          label={t('task.drawer.download')}
          onExport={(fileFormat) => downloadReport(reference, fileFormat)}
          subject={report.file_name}
        />
      ) : (
        <Button loading={busy} onClick={reportDownloader(reference, setBusy)} type="primary">
          {t('task.drawer.download')}
        </Button>
      )}
    </div>
  );
};
