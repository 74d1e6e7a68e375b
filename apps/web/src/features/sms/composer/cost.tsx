import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useQuota } from '../api.ts';
import styles from './composer.module.css';
import type { useRecipientPreview } from './use-recipient-preview.ts';

interface CostProps {
  parts: number;
  hasSelection: boolean;
  recipients: ReturnType<typeof useRecipientPreview>;
}

/** SIMs × parts, compared with the month's remaining quota, and the SIMs that are not reached; without a text, only the SIMs. */
export const Cost = ({ parts, recipients, hasSelection }: CostProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const quota = useQuota();
  if (!hasSelection) return <span className={styles['cost']} />;
  if (recipients.error)
    return <Failure error={recipients.error} onRetry={() => void recipients.refetch()} small />;
  if (!recipients.data) return <span className={styles['cost']}>{t('sms.compose.counting')}</span>;
  const { changing, refused } = recipients.data;
  const total = changing * parts;
  const remaining = quota?.remaining ?? null;
  const exceedsQuota = remaining !== null && total > remaining;
  return (
    <div aria-live="polite" className={styles['cost']}>
      {parts === 0 ? (
        <span>{t('sms.confirm.sims', { count: changing, shown: count(changing) })}</span>
      ) : (
        <span className={exceedsQuota ? styles['error'] : undefined}>
          {t('sms.compose.product', {
            count: changing,
            sims: count(changing),
            parts: t('sms.thread.parts', { count: parts, shown: count(parts) }),
          })}{' '}
          <b>{count(total)}</b>{' '}
          {remaining === null
            ? quota && t('sms.compose.noLimit')
            : t('sms.compose.ofLeft', { shown: count(remaining) })}
        </span>
      )}
      {refused.map(({ code, message, count: sims }) => (
        <span key={code}>
          {t('sms.compose.refused', { count: sims, shown: count(sims), reason: message })}
        </span>
      ))}
    </div>
  );
};
