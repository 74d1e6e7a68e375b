import type { Pool } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import styles from './pool-parts.module.css';

type UsageFigures = Pick<Pool, 'used_bytes' | 'limit_bytes' | 'over'>;

/** From this share on it needs attention. */
const attentionShare = 0.8;

/** The fill state of a pool as text: used up, or the share of its limit. */
export const PoolState = ({
  pool: { used_bytes: used, limit_bytes: limit, over },
}: {
  pool: UsageFigures;
}) => {
  const { t } = useTranslation();
  const { percent } = useFormat();
  if (over) return <Status tone="red">{t('pool.states.over')}</Status>;
  const share = limit > 0 ? used / limit : 0;
  return (
    <Status tone={share >= attentionShare ? 'orange' : 'teal'}>
      {t('pool.usedShare', { percent: percent(share) })}
    </Status>
  );
};

export const PoolUsage = ({ pool: { used_bytes: used, limit_bytes: limit } }: { pool: UsageFigures }) => {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return (
    <span className={styles['usage']}>
      <Bytes limit={limit} value={used} />
      {limit > 0 ? (
        <UsageBar label={t('pool.usedShare', { percent: percent(used / limit) })} limit={limit} used={used} />
      ) : null}
    </span>
  );
};
