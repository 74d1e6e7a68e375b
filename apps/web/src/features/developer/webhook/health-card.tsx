import type { Webhook, WebhookHealth } from '@simcube/contract/webhook';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import styles from '../developer.module.css';
import { useHealth } from './use-webhook.ts';
import { WebhookState } from './webhook-state.tsx';

/** Deliveries of the last 24 hours: shares, speed, and a strip of half-hours. */
export const HealthCard = ({ webhook, extra }: { webhook: Webhook; extra?: ReactNode }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useHealth();
  return (
    <Card
      aside={<WebhookState webhook={webhook} />}
      extra={extra}
      title={<code className={styles['url']}>{webhook.url}</code>}
    >
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {data || error ? null : <Loading rows={1} />}
      {data ? (
        <div className={styles['health']}>
          <Shares health={data.data} />
          <figure className={styles['strip']}>
            <Strip health={data.data} />
            <figcaption className={styles['small']}>
              <span>{t('developer.health.dayAgo')}</span>
              <span>{t('developer.health.now')}</span>
            </figcaption>
          </figure>
        </div>
      ) : null}
    </Card>
  );
};

const Shares = ({ health }: { health: WebhookHealth }) => {
  const { t } = useTranslation();
  const { percent, count } = useFormat();
  const { delivered, failed, first_try: first, tried, p95_ms: p95, waiting } = health;
  const share = (part: number, all: number): string => (all === 0 ? '—' : percent(part / all, 1));
  return (
    <dl className={styles['shares']}>
      <div>
        <dt>{t('developer.health.delivered')}</dt>
        <dd>{share(delivered, delivered + failed)}</dd>
      </div>
      <div>
        <dt>{t('developer.health.firstTry')}</dt>
        <dd>{share(first, tried)}</dd>
      </div>
      <div>
        <dt>{t('developer.health.p95')}</dt>
        <dd>{p95 === null ? '—' : t('developer.ms', { shown: count(p95) })}</dd>
      </div>
      <div>
        <dt>{t('developer.health.waiting')}</dt>
        <dd data-tone={waiting > 0 ? 'orange' : undefined}>{count(waiting)}</dd>
      </div>
    </dl>
  );
};

type Slot = WebhookHealth['slots'][number];

/** Given up; late or still waiting; delivered at the first attempt; nothing to send. */
const kindOf = ({ failed, waiting, delivered, first_try: first }: Slot): 'bad' | 'late' | 'good' | 'none' => {
  if (failed > 0) return 'bad';
  if (waiting > 0 || first < delivered) return 'late';
  return delivered > 0 ? 'good' : 'none';
};

const Strip = ({ health: { slots, delivered, failed, waiting } }: { health: WebhookHealth }) => {
  const { t } = useTranslation();
  const { time, count } = useFormat();
  const words = (counts: Pick<Slot, 'delivered' | 'failed' | 'waiting'>): string =>
    t('developer.health.slot', {
      delivered: count(counts.delivered),
      failed: count(counts.failed),
      waiting: count(counts.waiting),
    });
  return (
    <div
      aria-label={t('kit.marks.named', {
        name: t('developer.health.label'),
        value: words({ delivered, failed, waiting }),
      })}
      className={styles['slots']}
      role="img"
    >
      {slots.map((slot) => (
        <span data-kind={kindOf(slot)} key={slot.at} title={`${time(slot.at)} · ${words(slot)}`} />
      ))}
    </div>
  );
};
