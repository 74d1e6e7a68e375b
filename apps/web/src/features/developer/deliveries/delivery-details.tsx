import { LockOutlined } from '@ant-design/icons';
import type { WebhookAttempt, WebhookDeliveryDetail } from '@simcube/contract/webhook';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { ButtonLink } from '../../../ui/button-link/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time } from '../../../ui/time/index.ts';
import styles from '../developer.module.css';
import { curlOf } from '../exchange/curl.ts';
import { DetailsPanel } from '../exchange/details-panel.tsx';
import { CopyCurl, Exchange } from '../exchange/exchange.tsx';
import { maskedKey } from '../webhook/key-card.tsx';
import { useWebhook } from '../webhook/use-webhook.ts';
import { Outcome, ResponseStatus, useDurationText } from './outcome.tsx';
import { ResendOne } from './resend.tsx';
import { hrefOfSubject, nameOfSubject } from './subject.ts';
import { useDelivery } from './use-deliveries.ts';

interface DeliveryDetailsProps {
  id: string;
  onClose: (() => void) | undefined;
}

/** One event for the webhook: its attempts, the waits between them, and the request and response of each. */
export const DeliveryDetails = ({ id, onClose }: DeliveryDetailsProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { data, error, refetch } = useDelivery(id);
  const delivery = data?.data;
  const about = delivery?.about;
  return (
    <DetailsPanel
      actions={
        delivery ? (
          <>
            <p>{t('developer.resend.keepsId')}</p>
            {about ? (
              <ButtonLink href={hrefOfSubject(about, language)}>
                {t('developer.deliveries.open', { name: nameOfSubject(about) })}
              </ButtonLink>
            ) : null}
            <ResendOne notificationId={id} />
          </>
        ) : null
      }
      identifier={
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
      {delivery ? <Attempts delivery={delivery} /> : null}
    </DetailsPanel>
  );
};

const Attempts = ({ delivery }: { delivery: WebhookDeliveryDetail }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const [chosen, setChosen] = useState<number>();
  const attempts = delivery.tries.toReversed();
  const shown = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  const longest = Math.max(1, ...attempts.map(({ duration_ms: ms }) => ms ?? 0));
  return (
    <>
      <section aria-label={t('developer.deliveries.triesTitle')}>
        <h3 className={styles['heading']}>{t('developer.deliveries.triesTitle')}</h3>
        {attempts.length === 0 ? (
          <p className={styles['small']}>{t('developer.deliveries.notTried')}</p>
        ) : (
          <ol className={styles['attempts']}>
            {attempts.map((one) => (
              <Attempt
                attempt={one}
                chosen={one === shown}
                key={one.number}
                longest={longest}
                onChoose={() => setChosen(one.number)}
              />
            ))}
          </ol>
        )}
        {delivery.attempts > attempts.length ? (
          <p className={styles['small']}>
            {t('developer.deliveries.earlier', { shown: count(delivery.attempts - attempts.length) })}
          </p>
        ) : null}
      </section>
      <AttemptExchange attempt={shown} body={delivery.body} />
    </>
  );
};

interface AttemptProps {
  attempt: WebhookAttempt;
  chosen: boolean;
  /** Duration of the longest attempt in milliseconds. */
  longest: number;
  onChoose: () => void;
}

const Attempt = ({ attempt, chosen, longest, onChoose }: AttemptProps) => {
  const { t } = useTranslation();
  const span = useDurationText();
  const { waited_ms: waitMs, duration_ms: ms, fault, at } = attempt;
  return (
    <li>
      {waitMs === null ? null : (
        <p className={styles['attemptNote']}>{t('developer.deliveries.waited', { span: span(waitMs) })}</p>
      )}
      <button aria-pressed={chosen} className={styles['try']} onClick={onChoose} type="button">
        <Time at={at} style="seconds" />
        <span>{ms === null ? t('developer.deliveries.underWay') : <ResponseStatus {...attempt} />}</span>
        <span className={styles['bar']} data-bad={fault === null ? undefined : 'true'}>
          <span style={{ width: `${((ms ?? 0) / longest) * 100}%` }} />
        </span>
        <span className={styles['attemptTime']}>{ms === null ? null : span(ms)}</span>
      </button>
      {chosen && fault !== null ? (
        <p className={styles['attemptNote']}>{t(`notify.faults.${fault}`)}</p>
      ) : null}
    </li>
  );
};

/** Method of every request to a webhook. */
const method = 'POST';

const AttemptExchange = ({ attempt, body }: { attempt: WebhookAttempt | undefined; body: string }) => {
  const { t } = useTranslation();
  const { bytes, count, language } = useFormat();
  const copy = useCopy();
  const span = useDurationText();
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
        noBodyText={t('developer.noBody')}
      />
      {webhook?.key ? (
        <p className={styles['signed']}>
          <LockOutlined aria-hidden="true" /> {t('developer.deliveries.signed')}{' '}
          <code>{maskedKey(webhook.key)}</code>
          <a href={`/${language}/guide/developer?section=verifying-events`} rel="noreferrer" target="_blank">
            {t('developer.deliveries.verify')}
          </a>
        </p>
      ) : null}
      {attempt && attempt.duration_ms !== null ? (
        <Exchange
          aside={<ResponseStatus {...attempt} />}
          body={response?.body ?? null}
          extra={[
            t('developer.deliveries.try', { shown: count(attempt.number) }),
            span(attempt.duration_ms),
            ...(response ? [bytes(response.bytes).text] : []),
            ...(response?.cut ? [t('developer.deliveries.cut')] : []),
          ].join(' · ')}
          headers={response?.headers ?? null}
          title={t('developer.response')}
          noBodyText={t('developer.deliveries.noResponse')}
        />
      ) : null}
    </>
  );
};
