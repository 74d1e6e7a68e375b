import type { Preview as Previewed } from '@simcube/contract/sim';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { CopyLines } from '../copy-lines/index.ts';
import { Failure } from '../failure/index.ts';
import { Loading } from '../loading/index.ts';
import { visuallyHidden } from '../visually-hidden/index.ts';
import styles from './preview.module.css';

interface PreviewProps {
  preview: Previewed | null | undefined;
  /** The sentence about the SIMs that change, given their number. */
  changing: (values: { count: number; shown: string }) => string;
  error: unknown;
  onRetry: () => void;
  /** What else the operation does. */
  children?: ReactNode;
}

/** Exactly what an operation will do and to how many SIMs, and which are refused for which reason. */
export const Preview = ({ preview, changing: sentence, error, onRetry, children }: PreviewProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (error) return <Failure error={error} onRetry={onRetry} small />;
  if (!preview) {
    return (
      <div className={styles['preview']}>
        <span className={visuallyHidden}>{t('operations.counting')}</span>
        <Loading rows={1} />
      </div>
    );
  }
  const { changing, refused } = preview;
  const refusedCount = refused.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-label={t('operations.preview')} aria-live="polite" className={styles['preview']}>
      <p className={styles['changing']}>
        {changing === 0
          ? t('operations.noneChanges', { count: preview.selected })
          : sentence({ count: changing, shown: format.count(changing) })}
      </p>
      {children}
      {refusedCount > 0 ? (
        <>
          <p className={styles['refusedCount']}>
            {t('operations.refused', { count: refusedCount, shown: format.count(refusedCount) })}
          </p>
          <ul className={styles['reasons']}>
            {refused.map((reason) => (
              <RefusalReason key={reason.code} reason={reason} />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
};

const RefusalReason = ({ reason: { message, count, iccids } }: { reason: Previewed['refused'][number] }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const rest = count - iccids.length;
  return (
    <li>
      <details className={styles['reason']}>
        <summary>
          <b>{format.count(count)}</b> {message}
        </summary>
        <ul className={styles['iccids']}>
          {iccids.map((iccid) => (
            <li key={iccid}>{iccid}</li>
          ))}
        </ul>
        {rest > 0 ? (
          <p className={styles['rest']}>{t('operations.restInReport', { shown: format.count(rest) })}</p>
        ) : null}
        <CopyLines lines={iccids} />
      </details>
    </li>
  );
};
