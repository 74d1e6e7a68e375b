import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
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
  const month = longMonth(quota.month);
  if (remaining === null) return <span>{t('sms.quota.used', { shown: count(used), month })}</span>;
  if (limit === null) return <span>{t('sms.quota.left', { shown: count(remaining), month })}</span>;
  const text = t('sms.quota.leftOf', { shown: count(remaining), limit: count(limit), month });
  return (
    <span className={styles['quota']}>
      {text}
      <UsageBar
        label={t('sms.quota.usedOf', { shown: count(used), limit: count(limit) })}
        limit={limit}
        used={limit - remaining}
      />
    </span>
  );
};
