import { LockOutlined } from '@ant-design/icons';
import type { WebhookAttempt, WebhookDeliveryDetail } from '@simcube/contract/webhook';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time } from '../../../ui/time/index.ts';
import styles from '../developer.module.css';
import { Aside } from '../exchange/aside.tsx';
import { curlOf } from '../exchange/curl.ts';
import { CopyCurl, Exchange } from '../exchange/exchange.tsx';
import { useCopy } from '../use-copy.ts';
import { maskedKey } from '../webhook/key-card.tsx';
import { useWebhook } from '../webhook/use-webhook.ts';
import { hrefOfSubject, nameOfSubject } from './about.ts';
import { Came, Outcome, useSpan } from './outcome.tsx';
import { ResendOne } from './resend.tsx';
import { useDelivery } from './use-deliveries.ts';

interface DeliveryAsideProps {
  id: string;
  onClose: (() => void) | undefined;
}

/** One event for the webhook: its attempts, the waits between them, and the request and response of each. */
export const DeliveryAside = ({ id, onClose }: DeliveryAsideProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { data, error, refetch } = useDelivery(id);
  const delivery = data?.data;
  const about = delivery?.about;
  return (
    <Aside
      actions={
        delivery ? (
          <>
            <p>{t('developer.resend.keepsId')}</p>
            {about ? (
              <Button href={hrefOfSubject(about, language)}>
                {t('developer.deliveries.open', { name: nameOfSubject(about) })}
              </Button>
            ) : null}
            <ResendOne notificationId={id} />
          </>
        ) : null
      }
      known={
        delivery ? (
          <Identifier copy label={t('developer.deliveries.eventId')} value={delivery.event_id} />
        ) : null
      }
      onClose={onClose}
      state={delivery ? <Outcome {...delivery} /> : null}
      title={<span>{delivery?.type ?? t('developer.deliveries.one')}</span>}
    >
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Loading rows={12} />}
      {delivery ? <Tries delivery={delivery} /> : null}
    </Aside>
  );
};

const Tries = ({ delivery }: { delivery: WebhookDeliveryDetail }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const [chosen, setChosen] = useState<number>();
  const tries = delivery.tries.toReversed();
  const shown = tries.find(({ number }) => number === chosen) ?? tries.at(-1);
  const longest = Math.max(1, ...tries.map(({ duration_ms: ms }) => ms ?? 0));
  return (
    <>
      <section aria-label={t('developer.deliveries.triesTitle')}>
        <h3 className={styles['heading']}>{t('developer.deliveries.triesTitle')}</h3>
        {tries.length === 0 ? (
          <p className={styles['small']}>{t('developer.deliveries.notTried')}</p>
        ) : (
          <ol className={styles['tries']}>
            {tries.map((one) => (
              <Try
                attempt={one}
                chosen={one === shown}
                key={one.number}
                longest={longest}
                onChoose={() => setChosen(one.number)}
              />
            ))}
          </ol>
        )}
        {delivery.attempts > tries.length ? (
          <p className={styles['small']}>
            {t('developer.deliveries.earlier', { shown: count(delivery.attempts - tries.length) })}
          </p>
        ) : null}
      </section>
      <Exchanged attempt={shown} body={delivery.body} />
    </>
  );
};

interface TryProps {
  attempt: WebhookAttempt;
  chosen: boolean;
  /** Duration of the longest attempt in milliseconds. */
  longest: number;
  onChoose: () => void;
}

const Try = ({ attempt, chosen, longest, onChoose }: TryProps) => {
  const { t } = useTranslation();
  const span = useSpan();
  const { waited_ms: waited, duration_ms: ms, fault, at } = attempt;
  return (
    <li>
      {waited === null ? null : (
        <p className={styles['waited']}>{t('developer.deliveries.waited', { span: span(waited) })}</p>
      )}
      <button aria-pressed={chosen} className={styles['try']} onClick={onChoose} type="button">
        <Time at={at} style="seconds" />
        <span>{ms === null ? t('developer.deliveries.underWay') : <Came {...attempt} />}</span>
        <span className={styles['bar']} data-bad={fault === null ? undefined : 'true'}>
          <span style={{ width: `${((ms ?? 0) / longest) * 100}%` }} />
        </span>
        <span className={styles['took']}>{ms === null ? null : span(ms)}</span>
      </button>
      {chosen && fault !== null ? <p className={styles['waited']}>{t(`notify.faults.${fault}`)}</p> : null}
    </li>
  );
};

/** Method of every request to a webhook. */
const method = 'POST';

const Exchanged = ({ attempt, body }: { attempt: WebhookAttempt | undefined; body: string }) => {
  const { t } = useTranslation();
  const { bytes, count } = useFormat();
  const copy = useCopy();
  const span = useSpan();
  const webhook = useWebhook().data?.data;
  const request = attempt?.request ?? null;
  const response = attempt?.response ?? null;
  return (
    <>
      <Exchange
        aside={<code>{method}</code>}
        body={body}
        extra={request ? <CopyCurl onCopy={() => copy(curlOf({ method, ...request, body }))} /> : null}
        headers={request?.headers ?? null}
        title={t('developer.request')}
        without={t('developer.noBody')}
      />
      {webhook?.key ? (
        <p className={styles['signed']}>
          <LockOutlined aria-hidden="true" /> {t('developer.deliveries.signed')}{' '}
          <code>{maskedKey(webhook.key)}</code>
          <Link href="/docs">{t('developer.deliveries.verify')}</Link>
        </p>
      ) : null}
      {attempt && attempt.duration_ms !== null ? (
        <Exchange
          aside={<Came {...attempt} />}
          body={response?.body ?? null}
          extra={[
            t('developer.deliveries.try', { shown: count(attempt.number) }),
            span(attempt.duration_ms),
            ...(response ? [bytes(response.bytes).text] : []),
            ...(response?.cut ? [t('developer.deliveries.cut')] : []),
          ].join(' · ')}
          headers={response?.headers ?? null}
          title={t('developer.response')}
          without={t('developer.deliveries.noResponse')}
        />
      ) : null}
    </>
  );
};
