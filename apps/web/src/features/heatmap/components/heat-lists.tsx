import type { Heatmap, HeatmapMetric } from '@simcube/contract/heatmap';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Card } from '../../../ui/card/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import type { HeatmapSearch } from '../search.ts';
import { AmountList } from './amount-list.tsx';
import styles from './heat-lists.module.css';
import { useAmounts } from './use-amounts.ts';
import { useDays } from './use-days.ts';

interface HeatListsProps {
  figures: Heatmap | undefined;
  metric: HeatmapMetric;
  address: SearchScreenProps<HeatmapSearch>;
}

/** Lists by country and by operator, next to the map. */
export const HeatLists = ({ figures, metric, address: { search, onSearchChange } }: HeatListsProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { comparison } = useDays();
  const amounts = useAmounts(metric);
  if (!figures) {
    return (
      <Card title={t('heatmap.byCountry')}>
        <Loading rows={9} />
      </Card>
    );
  }
  const compared = comparison(figures);
  // Nothing of any country is counted otherwise.
  const isCounted = figures.total.sims !== null;
  const select = (country: string): void =>
    onSearchChange({ ...search, open: search.open === country ? undefined : country }, 'replace');
  return (
    <div className={styles['lists']}>
      <AmountList
        amounts={amounts}
        compared={compared}
        more={(count) => t('heatmap.moreCountries', { count, shown: format.count(count) })}
        of={t('heatmap.country')}
        rows={figures.countries.map(({ country, ...one }) => ({
          ...one,
          key: country ?? '',
          amount: figures.total[metric] === null ? null : one[metric],
          sims: isCounted ? one.sims : null,
          sessions: isCounted ? one.sessions : null,
          name: country ? (
            <button aria-pressed={country === search.open} onClick={() => select(country)} type="button">
              {format.country(country)}
            </button>
          ) : (
            t('heatmap.unknownCountry')
          ),
        }))}
        title={t('heatmap.byCountry')}
      />
      <AmountList
        amounts={amounts}
        compared={compared}
        more={(count) => t('heatmap.moreOperators', { count, shown: format.count(count) })}
        of={t('heatmap.operator')}
        rows={figures.operators.map(({ country, mcc, mnc, operator, ...one }) => ({
          ...one,
          key: `${mcc}-${mnc}`,
          amount: figures.total[metric] === null ? null : one[metric],
          sims: isCounted ? one.sims : null,
          sessions: isCounted ? one.sessions : null,
          name: `${operator ?? `${mcc}-${mnc}`}${country ? ` ${country}` : ''}`,
        }))}
        title={t('heatmap.byOperator')}
      />
    </div>
  );
};
