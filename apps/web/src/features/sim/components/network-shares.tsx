import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { networkText } from '../sim-display.ts';
import styles from './network-shares.module.css';
import type { SimUsage } from './usage-chart.tsx';

type NetworkUsage = SimUsage['by_network'][number];

const isNamed = (part: NetworkUsage): part is NetworkUsage & { mcc: string; mnc: string } =>
  part.mcc !== null && part.mnc !== null;

/** Usage by visited network, largest first. */
export const NetworkShares = ({ usage }: { usage: SimUsage | undefined }) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (!usage) return <Loading rows={3} />;
  const networks = usage.by_network.toSorted((one, other) => other.bytes - one.bytes);
  if (networks.length === 0) return <Empty small title={t('sim.usage.none')} />;
  const total = networks.reduce((sum, { bytes }) => sum + bytes, 0);
  const percent = (bytes: number): string => format.percent(total === 0 ? 0 : bytes / total, 1);
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t('sim.session.network')}</th>
          <th scope="col">{t('sim.session.country')}</th>
          <th scope="col">{t('sim.usage.share')}</th>
          <th scope="col">{t('sim.usage.used')}</th>
        </tr>
      </thead>
      <tbody>
        {networks.map((network) => (
          <tr key={`${network.mcc}-${network.mnc}-${network.radio}`}>
            <td>{isNamed(network) ? networkText(network) : t('sim.usage.noNetwork')}</td>
            <td>{network.country ? format.country(network.country) : '—'}</td>
            <td>
              <span className={styles['share']}>
                <span className={styles['bar']}>
                  <UsageBar label={percent(network.bytes)} limit={total} tone="amount" used={network.bytes} />
                </span>
                <span className={styles['percent']}>{percent(network.bytes)}</span>
              </span>
            </td>
            <td>
              <Bytes value={network.bytes} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
