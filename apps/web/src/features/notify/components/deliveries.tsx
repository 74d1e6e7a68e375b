import type { Delivery, NotificationKind } from '@simcube/contract/notify';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { useDeliveries, useDelivery } from '../api/deliveries.ts';
import styles from './groups.module.css';
import { DeliveryStatus } from './states.tsx';

const kindKeys = {
  test: 'test',
  'target.failing': 'targetFailing',
  'target.paused': 'targetPaused',
  'schedule.ran': 'scheduleRan',
  'schedule.missed': 'scheduleMissed',
  'autoflow.fired': 'autoflowFired',
  'autoflow.tried': 'autoflowTried',
  'autoflow.failed': 'autoflowFailed',
  'sms.received': 'smsReceived',
  'report.ready': 'reportReady',
} as const satisfies Record<NotificationKind, string>;

interface DeliveriesProps {
  groupId: string;
  /** Undefined without the permission. */
  onTest: (() => void) | undefined;
}

/** Deliveries to a target, newest first; each opens to show its attempts. */
export const Deliveries = ({ groupId, onTest }: DeliveriesProps) => {
  const { t } = useTranslation();
  const { rows, error, refetch, ...more } = useDeliveries(groupId);
  return (
    <section aria-label={t('notify.deliveries.title')} className={styles['deliveries']}>
      <header className={styles['header']}>
        <h2 className={styles['title']}>{t('notify.deliveries.title')}</h2>
        {onTest ? <Button onClick={onTest}>{t('notify.actions.test')}</Button> : null}
      </header>
      {error && !rows ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {rows || error ? null : <Loading rows={6} />}
      {rows?.length === 0 ? (
        <Empty hint={t('notify.deliveries.emptyHint')} small title={t('notify.deliveries.empty')} />
      ) : null}
      <ul className={styles['sent']}>
        {rows?.map((delivery) => (
          <DeliveryItem delivery={delivery} key={delivery.id} />
        ))}
      </ul>
      {error && rows && more.hasMore ? <Failure error={error} onRetry={more.loadMore} small /> : null}
      {more.hasMore ? (
        <Button block loading={more.isLoadingMore} onClick={more.loadMore}>
          {t('notify.deliveries.more')}
        </Button>
      ) : null}
    </section>
  );
};

const DeliveryItem = ({ delivery }: { delivery: Delivery }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const [open, setOpen] = useState(false);
  const { kind, address, state, attempts, created_at: at, next_attempt_at: next } = delivery;
  return (
    <li className={styles['delivery']}>
      <span className={styles['what']}>{t(`notify.notifications.${kindKeys[kind]}`)}</span>
      <DeliveryStatus state={state} />
      <span className={styles['recipient']}>{address}</span>
      <Time at={at} />
      <Result {...delivery} />
      {state === 'waiting' && next ? (
        <span className={styles['details']}>
          {t('notify.deliveries.next')} <Time at={next} />
        </span>
      ) : null}
      {attempts > 0 ? (
        <span className={styles['attemptsToggle']}>
          <Button aria-expanded={open} onClick={() => setOpen(!open)} size="small">
            {t('notify.deliveries.attempts', { count: attempts, shown: count(attempts) })}
          </Button>
        </span>
      ) : null}
      {open ? <Attempts delivery={delivery} /> : null}
    </li>
  );
};

/** Reason of the failure, response status, and duration. */
const Result = ({ fault, status, duration_ms: ms }: Pick<Delivery, 'fault' | 'status' | 'duration_ms'>) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const parts = [
    fault && t(`notify.faults.${fault}`),
    status !== null && t('notify.deliveries.status', { status }),
    ms !== null && t('notify.deliveries.took', { ms: count(ms) }),
  ].filter(Boolean);
  return parts.length > 0 ? <span className={styles['details']}>{parts.join(' · ')}</span> : null;
};

const Attempts = ({ delivery }: { delivery: Delivery }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data, error, refetch } = useDelivery(delivery);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={2} />;
  return (
    <ol aria-label={t('notify.deliveries.attemptsLabel')} className={styles['attempts']}>
      {data.data.tries.map((attempt) => (
        <li key={attempt.number}>
          <span className={styles['number']}>{count(attempt.number)}</span> <Time at={attempt.at} />{' '}
          <Result {...attempt} />
        </li>
      ))}
    </ol>
  );
};
