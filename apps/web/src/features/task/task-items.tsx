import type { TaskItem } from '@simcube/contract/task';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { session } from '../../lib/session/index.ts';
import { Empty } from '../../ui/empty/index.ts';
import { Failure } from '../../ui/failure/index.ts';
import { Identifier } from '../../ui/identifier/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { Segmented } from '../../ui/segmented/index.ts';
import { Status, type Tone } from '../../ui/status/index.ts';
import { type ItemState, useTaskItems } from './api/use-task.ts';
import type { ItemView } from './item-view.ts';
import styles from './task-items.module.css';

const tones: Record<ItemState, Tone> = { waiting: 'purple', done: 'teal', refused: 'orange' };
const states = ['refused', 'done', 'waiting'] as const satisfies readonly ItemState[];

/** The outcome of each item of a task, with the reason for refused ones. */
export const TaskItems = ({ reference, view }: { reference: string; view: ItemView | undefined }) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const [state, setState] = useState<ItemState>();
  const { rows, totalCount, error, refetch, ...more } = useTaskItems(reference, state, language);
  const title = t(view?.title ?? 'task.drawer.items');
  return (
    <section aria-label={title} className={styles['items']}>
      <header className={styles['header']}>
        <h2 className={styles['title']}>{title}</h2>
        {rows ? (
          <span className={styles['count']}>
            {t('task.drawer.shown', { shown: count(rows.length), total: count(totalCount ?? 0) })}
          </span>
        ) : null}
        <Segmented
          label={t('task.drawer.show')}
          onChange={(next) => setState(next === 'all' ? undefined : next)}
          options={[
            { value: 'all', label: t('task.drawer.all') },
            ...states.map((value) => ({ value, label: t(`task.itemStates.${value}`) })),
          ]}
          small
          value={state ?? 'all'}
        />
      </header>
      {error && !rows ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {rows || error ? null : <Loading rows={6} />}
      {rows?.length === 0 ? <Empty small title={t('task.drawer.noItems')} /> : null}
      <ul className={styles['list']}>
        {rows?.map((item) => (
          <li className={styles['item']} key={item.position}>
            <Label item={item} language={language} view={view} />
            <Status tone={tones[item.state]}>{t(`task.itemStates.${item.state}`)}</Status>
            {item.message === null ? null : (
              <p className={styles['reason']}>
                {item.message} <span className={styles['code']}>{item.code}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
      {error && rows && more.hasMore ? <Failure error={error} onRetry={more.loadMore} small /> : null}
      {more.hasMore ? (
        <Button block loading={more.isLoadingMore} onClick={more.loadMore}>
          {t('task.drawer.more')}
        </Button>
      ) : null}
    </section>
  );
};

interface LabelProps {
  item: TaskItem;
  view: ItemView | undefined;
  language: string;
}

/** With a link to the item's page, for people who may open it. */
const Label = ({ item: { label, own }, view, language }: LabelProps) => {
  const { t } = useTranslation();
  const text = <Identifier emphasis label={t(view?.label ?? 'task.report.item')} value={label} />;
  return view && own && session.can(view.permission) ? (
    <Link href={`/${language}/${view.path(label)}`}>{text}</Link>
  ) : (
    text
  );
};
