import type { Task, TaskStatus } from '@simcube/contract/task';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { durationText, useFormat } from '../../lib/format/index.ts';
import type { Column } from '../../ui/data-table/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Status, type Tone } from '../../ui/status/index.ts';
import { momentWidth, Time, useNow } from '../../ui/time/index.ts';
import { UsageBar } from '../../ui/usage-bar/index.ts';
import styles from './task-centre.module.css';
import { taskName } from './task-name.ts';

export const taskTones: Record<TaskStatus, Tone> = { processing: 'purple', done: 'teal', issues: 'orange' };

export const useTaskColumns = (): Column<Task>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'reference',
        title: t('task.fields.reference'),
        width: 112,
        fixed: true,
        phone: 'heading',
        render: ({ reference_id: reference }, href) => (
          <Link href={href} title={t('task.open', { reference })}>
            {reference}
          </Link>
        ),
      },
      {
        id: 'type',
        title: t('task.fields.type'),
        width: 194,
        phone: 'heading',
        render: (task) => taskName(task, t),
      },
      {
        id: 'quantity',
        title: t('task.fields.quantity'),
        width: 132,
        phone: 'line',
        render: (task) => <Progress task={task} />,
      },
      {
        id: 'status',
        title: t('task.fields.status'),
        width: 134,
        phone: 'aside',
        render: (task) => (
          <Status live={task.status === 'processing'} tone={taskTones[task.status]}>
            {t(`task.statuses.${task.status}`)}
          </Status>
        ),
      },
      {
        id: 'started',
        title: t('task.fields.started'),
        width: momentWidth,
        phone: 'line',
        render: (task) => <Time at={task.started_at} style="moment" />,
      },
      {
        id: 'ended',
        title: t('task.fields.ended'),
        width: momentWidth,
        phone: 'line',
        phoneWhen: (task) => task.ended_at !== null,
        render: (task) => <Time at={task.ended_at} style="moment" />,
      },
      {
        id: 'elapsed',
        title: t('task.fields.elapsed'),
        width: 84,
        align: 'end',
        render: (task) =>
          task.ended_at === null ? (
            <RunningTime since={task.started_at} />
          ) : (
            durationText(task.elapsed_seconds)
          ),
      },
      {
        id: 'result',
        title: t('task.fields.result'),
        width: 176,
        phone: 'line',
        phoneWhen: (task) => task.ended_at !== null,
        render: (task) => <Result task={task} />,
      },
      {
        id: 'remark',
        title: t('task.fields.remark'),
        width: 160,
        initiallyHidden: true,
        render: (task) => <span title={task.remark ?? undefined}>{task.remark ?? '—'}</span>,
      },
    ],
    [t],
  );
};

export const Progress = ({ task: { done, quantity } }: { task: Task }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const text = t('task.progress', { done: count(done), quantity: count(quantity) });
  return (
    <span className={styles['progress']}>
      <span aria-hidden="true">{text}</span>
      <UsageBar label={text} limit={quantity} tone="amount" used={done} />
    </span>
  );
};

export const RunningTime = ({ since }: { since: string }) => {
  const now = useNow();
  return durationText((now - Date.parse(since)) / 1000);
};

export const Result = ({ task: { result, ended_at } }: { task: Task }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  if (ended_at === null) return <span className={styles['muted']}>—</span>;
  if (!result) return t('task.brokeOff');
  const countText = (outcome: 'accepted' | 'duplicate' | 'refused') =>
    t(`task.counts.${outcome}`, { count: result[outcome], shown: count(result[outcome]) });
  const text = [
    countText('accepted'),
    // Outcomes with a count of zero are left out.
    ...(['duplicate', 'refused'] as const).filter((outcome) => result[outcome] > 0).map(countText),
  ].join(' · ');
  return <span title={text}>{text}</span>;
};
