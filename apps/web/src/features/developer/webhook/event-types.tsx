import { endpoints } from '@simcube/contract';
import type { WebhookEventType } from '@simcube/contract/webhook';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../../lib/api-client/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import styles from '../developer.module.css';
import { typeKeys } from '../event-names.ts';
import { mayWrite } from '../may-write.ts';
import { eventTypesQuery, ownWebhook, useEventTypes, useRefetchWebhook } from './use-webhook.ts';

/** The events that the webhook and the change feed deliver; those beyond the account's permissions are marked. */
export const EventTypes = () => {
  const { t } = useTranslation();
  const { data, error, refetch } = useEventTypes();
  const queries = useQueryClient();
  const refetchWebhook = useRefetchWebhook();
  const [draft, setDraft] = useState<readonly WebhookEventType[]>();
  const [busy, setBusy] = useState(false);
  const types = data?.data ?? [];
  const stored = types.filter((one) => one.chosen).map(({ type }) => type);
  const chosen = draft ?? stored;
  const isChanged = chosen.length !== stored.length || chosen.some((type) => !stored.includes(type));
  useDraft(() => isChanged && !busy);
  const save = (): void =>
    void attempt(async () => {
      setBusy(true);
      try {
        await call(endpoints.webhook.setEventTypes, { ...ownWebhook(), body: { event_types: [...chosen] } });
        // Until the refetch below, the next change starts from what was saved.
        queries.setQueryData(
          eventTypesQuery.queryKey,
          (cached) =>
            cached && {
              ...cached,
              data: cached.data.map((one) => ({ ...one, chosen: chosen.includes(one.type) })),
            },
        );
        toast.success(t('developer.webhook.saved'));
        setDraft(undefined);
        refetchWebhook();
      } finally {
        setBusy(false);
      }
    });
  const toggle = (type: WebhookEventType, on: boolean): void =>
    setDraft(on ? [...chosen, type] : chosen.filter((one) => one !== type));
  return (
    <Card title={t('developer.types.title')}>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Loading rows={5} />}
      <ul aria-label={t('developer.types.title')} className={styles['types']}>
        {types.map(({ type, permitted }) => (
          <li key={type}>
            <Checkbox
              checked={chosen.includes(type)}
              disabled={!mayWrite() || busy || (!permitted && !chosen.includes(type))}
              onChange={({ target }) => toggle(type, target.checked)}
            >
              <code>{type}</code>
            </Checkbox>
            <span className={styles['small']}>
              {permitted ? t(`developer.types.${typeKeys[type]}`) : t('developer.types.forbidden')}
            </span>
          </li>
        ))}
      </ul>
      {mayWrite() ? (
        <div className={styles['line']}>
          <Button
            className={styles['end'] ?? ''}
            disabled={!isChanged}
            loading={busy}
            onClick={save}
            type="primary"
          >
            {t('developer.save')}
          </Button>
        </div>
      ) : null}
    </Card>
  );
};
