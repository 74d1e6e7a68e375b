import type { ScheduleRun } from '@simcube/contract/schedule';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Link } from '../../ui/link/index.ts';
import { UsageBar } from '../../ui/usage-bar/index.ts';
import styles from './editor/editor.module.css';

/** How many of its messages were delivered. */
export const Delivered = ({ run: { delivered, quantity } }: { run: ScheduleRun }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const share = t('schedule.of', { part: count(delivered), all: count(quantity) });
  return (
    <span className={styles['delivered']}>
      <UsageBar label={share} limit={quantity} tone="amount" used={delivered} />
      {share}
    </span>
  );
};

/** Messages that failed, and SIMs that got none. */
export const failedCountOf = ({ failed, left_out: leftOut }: ScheduleRun): number => failed + leftOut;

/** How long it took until the last message reached a final state. */
export const useDurationText = (): ((run: ScheduleRun) => string) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return useCallback(
    ({ started_at: from, settled_at: to }) => {
      if (from === null || to === null) return t('schedule.open');
      const minutes = Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / 60_000));
      return t('schedule.minutes', { count: minutes, shown: count(minutes) });
    },
    [t, count],
  );
};

export const TaskLink = ({ task }: { task: string }) => {
  const { language } = useFormat();
  return <Link href={`/${language}/taskcenter?task=${encodeURIComponent(task)}`}>{task}</Link>;
};
