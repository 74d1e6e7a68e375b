import type { Sms, SmsStatus } from '@simcube/contract/sms';
import { useTranslation } from 'react-i18next';
import { Status, type Tone } from '../../ui/status/index.ts';

/** The same tones in lists, conversations and filters. */
export const statusTones: Readonly<Record<SmsStatus, Tone>> = {
  processing: 'orange',
  sent: 'purple',
  delivered: 'teal',
  failed: 'red',
  unknown: 'grey',
};

/** The state of a message; the reason on hover. */
export const MessageState = ({
  message: { status, reason },
}: {
  message: Pick<Sms, 'status' | 'reason'>;
}) => {
  const { t } = useTranslation();
  if (status === null) return <Status tone="teal">{t('sms.received')}</Status>;
  const badge = <Status tone={statusTones[status]}>{t(`sms.statuses.${status}`)}</Status>;
  return reason === null ? badge : <span title={t(`sms.reasons.${reason}`)}>{badge}</span>;
};
