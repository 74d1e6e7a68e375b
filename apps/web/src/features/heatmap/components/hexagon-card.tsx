import type { HeatmapMetric, Hexagons } from '@simcube/contract/heatmap';
import { useTranslation } from 'react-i18next';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { usePlace } from '../../../ui/place/index.ts';
import styles from './hexagon-card.module.css';
import type { Amounts } from './use-amounts.ts';

interface HexagonCardProps {
  hexagon: Hexagons['hexagons'][number];
  /** Total of all cells. */
  total: number;
  metric: HeatmapMetric;
  amounts: Amounts;
}

/** Requested only where the pointer rests, not while it moves. */
const settleMs = 250;

/** Details of the cells in one hexagon: amount, share, and the nearest town. */
export const HexagonCard = ({ hexagon, total, metric, amounts }: HexagonCardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [longitude, latitude, , , , , amount] = hexagon;
  const settled = useDebounced(`${latitude / 1000} ${longitude / 1000}`, settleMs);
  const [settledLatitude, settledLongitude] = settled.split(' ').map(Number);
  const { data } = usePlace({ latitude: settledLatitude ?? 0, longitude: settledLongitude ?? 0 });
  const isOfThis = settled === `${latitude / 1000} ${longitude / 1000}`;
  return (
    <section aria-label={t('heatmap.hexagon')} className={styles['card']}>
      <h2>{(isOfThis && data?.data.name) || t('heatmap.hexagon')}</h2>
      <p>
        <strong>{amounts.text(amount)}</strong> {t(`heatmap.metrics.${metric}`)}
      </p>
      {total > 0 && metric === 'usage' ? (
        <p>{t('heatmap.shareOfUsage', { share: format.percent(amount / total, 1) })}</p>
      ) : null}
    </section>
  );
};
