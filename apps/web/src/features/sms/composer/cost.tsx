import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useQuota } from '../api.ts';
import styles from './composer.module.css';
import type { useReached } from './use-recipients.ts';

interface CostProps {
  parts: number;
  selected: boolean;
  reached: ReturnType<typeof useReached>;
}

/** SIMs × parts, compared with the month's remaining quota, and the SIMs that are not reached. */
export const Cost = ({ parts, reached, selected }: CostProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const quota = useQuota();
  if (!selected) return <span className={styles['cost']} />;
  if (reached.error) return <Failure error={reached.error} onRetry={() => void reached.refetch()} small />;
  if (!reached.data) return <span className={styles['cost']}>{t('sms.compose.counting')}</span>;
  const { changing, refused } = reached.data;
  const total = changing * parts;
  const left = quota?.remaining ?? null;
  const isShort = left !== null && total > left;
  return (
    <div aria-live="polite" className={styles['cost']}>
      <span className={isShort ? styles['wrong'] : undefined}>
        {t('sms.compose.product', {
          count: changing,
          sims: count(changing),
          parts: t('sms.thread.parts', { count: parts, shown: count(parts) }),
        })}{' '}
        <b>{count(total)}</b>{' '}
        {left === null ? quota && t('sms.compose.noLimit') : t('sms.compose.ofLeft', { shown: count(left) })}
      </span>
      {refused.map(({ code, message, count: sims }) => (
        <span key={code}>
          {t('sms.compose.refused', { count: sims, shown: count(sims), reason: message })}
        </span>
      ))}
    </div>
  );
};
