import { endpoints } from '@simcube/contract';
import type { Webhook } from '@simcube/contract/webhook';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';

/** Polling interval: no live events report what a webhook was sent. */
export const pollMs = 5000;

/** The developer is the person's own account. */
export const ownWebhook = () => ({ params: { accountId: session.get('userId') ?? '' } });

export const useWebhook = () =>
  useApiQuery({ ...endpointQuery(endpoints.webhook.key, ownWebhook()), refetchInterval: pollMs });

export const useHealth = () =>
  useApiQuery({ ...endpointQuery(endpoints.webhook.health), refetchInterval: pollMs });

export const eventTypesQuery = endpointQuery(endpoints.webhook.listTypes);
export const useEventTypes = () => useApiQuery(eventTypesQuery);

/** Refetches everything about the webhook. */
export const useRefetchWebhook = () => {
  const queries = useQueryClient();
  const { key, health, listTypes, list, counts, detail } = endpoints.webhook;
  return (): void => {
    for (const { id } of [key, health, listTypes, list, counts, detail])
      void queries.invalidateQueries({ queryKey: [id] });
  };
};

/** Sends a test event; its outcome is in the log. */
export const useTest = () => {
  const { t } = useTranslation();
  const refetch = useRefetchWebhook();
  return (): void =>
    void attempt(async () => {
      await call(endpoints.webhook.test, ownWebhook());
      refetch();
      toast.success(t('developer.webhook.tested'));
    });
};

/** Whether it accepts events such as a test: it has a URL and is not paused. */
export const acceptsEvents = (webhook: Webhook | undefined): boolean =>
  webhook !== undefined && webhook.url !== null && webhook.state !== 'paused';
