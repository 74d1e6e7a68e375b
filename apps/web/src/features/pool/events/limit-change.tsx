import type { PoolEvent } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import styles from './limit-change.module.css';

/** The limit before and after an event; one figure if it did not change. */
export const LimitChange = ({
  event: { limit_before_bytes: before, limit_after_bytes: after },
}: {
  event: Pick<PoolEvent, 'limit_before_bytes' | 'limit_after_bytes'>;
}) => {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const unit = unitOf(Math.max(before, after));
  const shown = bytes(after, unit).text;
  if (before === after) return <span className={styles['change']}>{shown}</span>;
  return (
    <span
      className={styles['change']}
      title={t('pool.events.limitChange', { before: bytes(before, unit).text, after: shown })}
    >
      {bytes(before, unit).value} → <b>{shown}</b>
    </span>
  );
};
