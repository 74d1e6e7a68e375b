import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { useRank } from '../api/use-dashboard.ts';
import styles from './rank-card.module.css';

const shown = 5;

/** The SIMs with the most usage in their running cycles, which end on different days; nothing if the person may not see SIMs. */
export const RankCard = () => {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: response, error, refetch } = useRank();
  if (!session.can('sim')) return null;
  const sims = response?.data.slice(0, shown) ?? [];
  const max = Math.max(1, ...sims.map(({ usage_bytes: bytes }) => bytes));
  return (
    <Card extra={t('dashboard.rank.eachCycle')} title={t('dashboard.rank.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={4} />}
      {response && sims.length === 0 ? <Empty small title={t('dashboard.rank.none')} /> : null}
      <ol className={styles['rank']}>
        {sims.map(({ iccid, device_name: device, usage_bytes: bytes, cost }) => (
          <li className={styles['sim']} key={iccid}>
            <Link href={`/${format.language}/simCard/${encodeURIComponent(iccid)}`} title={device ?? iccid}>
              <Identifier emphasis label={t('sim.fields.iccid')} value={iccid} />
            </Link>
            <span className={styles['bar']}>
              <UsageBar
                label={t('dashboard.rank.usage', { bytes: format.bytes(bytes).text })}
                limit={max}
                tone="amount"
                used={bytes}
              />
            </span>
            <span className={styles['figures']}>
              <b>
                <Bytes value={bytes} />
              </b>
              {cost ? (
                <span className={styles['cost']} title={t('price.title')}>
                  {format.money(cost)}
                </span>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
};
