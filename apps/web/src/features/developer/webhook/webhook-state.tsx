import type { Webhook } from '@simcube/contract/webhook';
import { useTranslation } from 'react-i18next';
import { Status, type Tone } from '../../../ui/status/index.ts';

const tones: Readonly<Record<Webhook['state'], Tone>> = { active: 'teal', failing: 'orange', paused: 'red' };

/** Enabled and working, or the reason why not. */
export const WebhookState = ({ webhook: { url, status, state } }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  if (url === null) return <Status tone="grey">{t('developer.webhook.notSet')}</Status>;
  if (status === 'disabled') return <Status tone="grey">{t('developer.webhook.statuses.disabled')}</Status>;
  return (
    <Status tone={tones[state]}>
      {state === 'active' ? t('developer.webhook.statuses.enabled') : t(`notify.targetStates.${state}`)}
    </Status>
  );
};
