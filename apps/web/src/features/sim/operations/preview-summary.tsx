import type { Preview } from '@simcube/contract/sim';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import { CopyLines } from '../components/copy-lines.tsx';
import type { Operation, OperationPreview } from './operation.ts';
import styles from './operations.module.css';
import { ActivationLines, OrderLines } from './order-lines.tsx';

interface PreviewSummaryProps {
  name: Exclude<Operation, 'export' | 'sendSms'> | 'updateInfo';
  preview: OperationPreview | null | undefined;
  /** The value being set is empty. */
  clearedField?: 'deviceName' | 'notes' | undefined;
  error: unknown;
  onRetry: () => void;
}

/** Exactly what will happen and to how many SIMs, and which are refused for which reason. */
export const PreviewSummary = ({ name, preview, clearedField, error, onRetry }: PreviewSummaryProps) => {
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
          ? t('operations.noneChanges')
          : t(clearedField ? `operations.cleared.${clearedField}` : `operations.changing.${name}`, {
              count: changing,
              shown: format.count(changing),
            })}
      </p>
      {name === 'renew' || name === 'topUp' || name === 'changeBundle' ? (
        <OrderLines lines={preview.lines ?? []} name={name} />
      ) : null}
      {name === 'activate' ? <ActivationLines lines={preview.activations ?? []} /> : null}
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

const RefusalReason = ({ reason: { message, count, iccids } }: { reason: Preview['refused'][number] }) => {
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
