import type { Preview } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import styles from './membership.module.css';
import type { MembershipAction } from './use-membership.ts';

interface PreviewProps {
  action: MembershipAction;
  preview: Preview | null | undefined;
  error: unknown;
  onRetry: () => void;
}

/** Exactly what will happen and to how many SIMs, and which are refused for which reason. */
export const MembershipPreview = ({ action, preview, error, onRetry }: PreviewProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  if (error) return <Failure error={error} onRetry={onRetry} small />;
  if (!preview) {
    return (
      <div className={styles['preview']}>
        <Loading rows={1} />
      </div>
    );
  }
  const { changing, refused } = preview;
  return (
    <section aria-label={t('operations.preview')} aria-live="polite" className={styles['preview']}>
      <p className={styles['changing']}>
        {changing === 0
          ? t('operations.noneChanges')
          : t(`pool.membership.${action}.changing`, { count: changing, shown: count(changing) })}
      </p>
      {refused.map(({ code, message, count: sims, iccids }) => (
        <details key={code}>
          <summary>
            <b>{count(sims)}</b> {message}
          </summary>
          <ul className={styles['iccids']}>
            {iccids.map((iccid) => (
              <li key={iccid}>{iccid}</li>
            ))}
          </ul>
          {sims > iccids.length ? (
            <p className={styles['words']}>
              {t('operations.restInReport', { shown: count(sims - iccids.length) })}
            </p>
          ) : null}
        </details>
      ))}
    </section>
  );
};
