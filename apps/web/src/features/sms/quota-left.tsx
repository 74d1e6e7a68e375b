import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../lib/format/index.ts';
import { useCalendar } from '../../ui/time/index.ts';
import { UsageBar } from '../../ui/usage-bar/index.ts';
import { useQuota } from './api.ts';
import styles from './sms.module.css';

/** The month's remaining parts. Parent organisations may leave less than the organisation's own quota. */
export const QuotaLeft = () => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { longMonth } = useCalendar();
  const quota = useQuota();
  if (!quota) return null;
  const { limit, used, remaining } = quota;
  // A server of the version before does not tell them apart.
  const { used_below: below = 0, used_above: above = 0 } = quota as Partial<typeof quota>;
  const month = longMonth(quota.month);
  const shared =
    below + above === 0
      ? null
      : joinList([
          t('sms.quota.usedHere', { shown: count(used - below) }),
          ...(below > 0 ? [t('sms.quota.usedBelow', { shown: count(below) })] : []),
          ...(above > 0 ? [t('sms.quota.usedByOthers', { shown: count(above) })] : []),
        ]);
  if (remaining === null || limit === null) {
    const text =
      remaining === null
        ? t('sms.quota.used', { shown: count(used), month })
        : t('sms.quota.left', { shown: count(remaining), month });
    return <span>{[text, shared].filter(Boolean).join(' · ')}</span>;
  }
  return (
    <span className={styles['quota']}>
      {t('sms.quota.leftOf', { shown: count(remaining), limit: count(limit), month })}
      <UsageBar
        label={t('sms.quota.usedOf', { shown: count(limit - remaining), limit: count(limit) })}
        limit={limit}
        used={limit - remaining}
      />
      {shared}
    </span>
  );
};
