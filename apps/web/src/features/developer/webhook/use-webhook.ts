import { endpoints } from '@simcube/contract';
import type { Webhook } from '@simcube/contract/webhook';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';

/** Nothing streams what a webhook was sent: it is looked at again as often as people would. */
export const lookAgainMs = 5000;

/** A developer is the account itself. */
export const ofMine = () => ({ params: { accountId: session.get('userId') ?? '' } });

export const useWebhook = () =>
  useAnswer({ ...endpointQuery(endpoints.webhook.key, ofMine()), refetchInterval: lookAgainMs });

export const useHealth = () =>
  useAnswer({ ...endpointQuery(endpoints.webhook.health), refetchInterval: lookAgainMs });

export const useEventTypes = () => useAnswer(endpointQuery(endpoints.webhook.listTypes));

/** Everything about the webhook is read again. */
export const useReadWebhookAgain = () => {
  const queries = useQueryClient();
  const { key, health, listTypes, list, counts, detail } = endpoints.webhook;
  return (): void => {
    for (const { id } of [key, health, listTypes, list, counts, detail])
      void queries.invalidateQueries({ queryKey: [id] });
  };
};

/** Sends a test event; what becomes of it is in the log. */
export const useTest = () => {
  const { t } = useTranslation();
  const readAgain = useReadWebhookAgain();
  return (): void =>
    void attempt(async () => {
      await call(endpoints.webhook.test, ofMine());
      readAgain();
      toast.success(t('developer.webhook.tested'));
    });
};

/** Whether it takes events: it has a URL, is on and not paused. */
export const takesEvents = (webhook: Webhook | undefined): boolean =>
  webhook !== undefined && webhook.url !== null && webhook.state !== 'paused';
