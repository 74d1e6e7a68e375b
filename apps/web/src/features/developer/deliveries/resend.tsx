import { ReloadOutlined } from '@ant-design/icons';
import { endpoints, limits } from '@simcube/contract';
import type { WebhookCounts } from '@simcube/contract/webhook';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';
import { mayWrite } from '../may-write.ts';
import type { DeveloperSearch } from '../search.ts';
import { useRefetchWebhook } from '../webhook/use-webhook.ts';
import { logFilterOf, useCounts } from './use-deliveries.ts';

type FinalState = Exclude<keyof WebhookCounts, 'waiting'>;

/** The filter's states that are final; by default, those given up. */
const statesToResend = ({ state }: DeveloperSearch): FinalState[] =>
  state === undefined ? ['failed'] : state.filter((one) => one !== 'waiting');

/** Resends everything that matches the filter: a period, a type, a state. */
export const ResendMany = ({ search }: { search: DeveloperSearch }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const confirm = useConfirm();
  const refetch = useRefetchWebhook();
  const [busy, setBusy] = useState(false);
  const { data, isPlaceholderData } = useCounts(search);
  const counts = data?.data;
  const states = statesToResend(search);
  const total = counts ? states.reduce((sum, state) => sum + counts[state], 0) : 0;
  if (!mayWrite() || total === 0) return null;
  const words = { count: total, shown: count(total) };
  const tooMany = total > limits.webhooks.resend;
  const resend = (): void =>
    void attempt(async () => {
      const confirmed = await confirm({
        title: t('developer.resend.title', words),
        body: t('developer.resend.text'),
        action: t('developer.resend.action'),
      });
      if (!confirmed) return;
      setBusy(true);
      try {
        const body = { ...logFilterOf(search), state: states };
        const { data } = await call(endpoints.webhook.resend, { body });
        toast.success(t('developer.resend.done', { count: data.count, shown: count(data.count) }));
      } finally {
        setBusy(false);
        refetch();
      }
    });
  const onlyFailed = states.length === 1 && states[0] === 'failed';
  return (
    <Button
      // The number of another filter must not be confirmed.
      disabled={tooMany || isPlaceholderData}
      icon={<ReloadOutlined aria-hidden="true" />}
      loading={busy}
      onClick={resend}
      title={tooMany ? t('developer.resend.tooMany', { max: count(limits.webhooks.resend) }) : undefined}
    >
      {t(onlyFailed ? 'developer.resend.givenUp' : 'developer.resend.many', words)}
    </Button>
  );
};

/** Resends one notification immediately. */
export const ResendOne = ({ notificationId }: { notificationId: string }) => {
  const { t } = useTranslation();
  const refetch = useRefetchWebhook();
  const [busy, setBusy] = useState(false);
  if (!mayWrite()) return null;
  const resend = (): void =>
    void attempt(async () => {
      setBusy(true);
      try {
        await call(endpoints.webhook.resendOne, { params: { notificationId } });
        toast.success(t('developer.resend.one'));
      } finally {
        setBusy(false);
        refetch();
      }
    });
  return (
    <Button icon={<ReloadOutlined aria-hidden="true" />} loading={busy} onClick={resend} type="primary">
      {t('developer.resend.action')}
    </Button>
  );
};
