import { endpoints } from '@simcube/contract';
import { type Webhook, webhookUrlBodySchema } from '@simcube/contract/webhook';
import { Button, Input, Switch } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../../lib/api-client/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Time } from '../../../ui/time/index.ts';
import styles from '../developer.module.css';
import { mayWrite } from '../may-write.ts';
import { EventTypes } from './event-types.tsx';
import { HealthCard } from './health-card.tsx';
import { KeyCard } from './key-card.tsx';
import { ownWebhook, useRefetchWebhook, useWebhook } from './use-webhook.ts';
import { WebhookState } from './webhook-state.tsx';

/** The webhook's URL, event types and key, and its health. */
export const WebhookPanel = () => {
  const { data, error, refetch } = useWebhook();
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={8} />;
  const webhook = data.data;
  return (
    <div className={styles['panels']}>
      {webhook.url === null ? null : <HealthCard webhook={webhook} />}
      <TargetCard webhook={webhook} />
      <KeyCard webhook={webhook} />
      <EventTypes />
    </div>
  );
};

const TargetCard = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  const refetchWebhook = useRefetchWebhook();
  const save = async ({ url }: { url: string }): Promise<void> => {
    await call(endpoints.webhook.setUrl, { ...ownWebhook(), body: { url }, announce: false });
    toast.success(t('developer.webhook.saved'));
    refetchWebhook();
  };
  return (
    <Card aside={<WebhookState webhook={webhook} />} title={t('developer.webhook.title')}>
      <div className={styles['stack']}>
        {webhook.url === null ? null : <OnSwitch webhook={webhook} />}
        <DeliveryProblem webhook={webhook} />
        {mayWrite() ? (
          <Form
            action={t('developer.save')}
            initial={{ url: webhook.url ?? '' }}
            onSubmit={save}
            schema={webhookUrlBodySchema}
          >
            <FormField hint={t('developer.webhook.urlHint')} label={t('developer.webhook.url')} name="url">
              <Input autoComplete="off" inputMode="url" />
            </FormField>
          </Form>
        ) : (
          <code className={styles['url']}>{webhook.url ?? '—'}</code>
        )}
      </div>
    </Card>
  );
};

const OnSwitch = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const refetchWebhook = useRefetchWebhook();
  const toggle = (on: boolean): void =>
    void attempt(async () => {
      setBusy(true);
      try {
        await call(endpoints.webhook.setStatus, {
          ...ownWebhook(),
          body: { status: on ? 'enabled' : 'disabled' },
        });
        toast.success(t(on ? 'developer.webhook.switchedOn' : 'developer.webhook.switchedOff'));
      } finally {
        setBusy(false);
        refetchWebhook();
      }
    });
  return (
    <div className={styles['line']}>
      <Switch
        checked={webhook.status === 'enabled'}
        disabled={!mayWrite()}
        id={id}
        loading={busy}
        onChange={toggle}
        size="small"
      />
      <label htmlFor={id}>{t('developer.webhook.send')}</label>
    </div>
  );
};

/** Why nothing is sent, or only one event at a time, and how to fix it. */
export const DeliveryProblem = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  const refetchWebhook = useRefetchWebhook();
  if (webhook.state === 'active' || (webhook.status === 'disabled' && webhook.state !== 'paused'))
    return null;
  const resume = (): void =>
    void attempt(async () => {
      try {
        await call(endpoints.webhook.resume, ownWebhook());
        toast.success(t('developer.webhook.resumed'));
      } finally {
        refetchWebhook();
      }
    });
  return (
    <div className={styles['trouble']} role="status">
      <div>
        <p className={styles['words']}>
          {webhook.paused_for === null
            ? t('developer.webhook.failing')
            : t(`notify.pausedFor.${webhook.paused_for}`)}
        </p>
        {webhook.failing_since === null ? null : (
          <p className={styles['small']}>
            {t('developer.webhook.failingSince')} <Time at={webhook.failing_since} />
            {webhook.next_try_at === null ? null : (
              <>
                {' · '}
                {t('developer.webhook.nextTry')} <Time at={webhook.next_try_at} />
              </>
            )}
          </p>
        )}
      </div>
      {mayWrite() ? <Button onClick={resume}>{t('developer.webhook.tryAgain')}</Button> : null}
    </div>
  );
};
