import type { HeatmapMetric } from '@simcube/contract/heatmap';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';

/** Formats the figures of a metric. */
export const useAmounts = (metric: HeatmapMetric) => {
  const { t } = useTranslation();
  const format = useFormat();
  const isBytes = metric === 'usage';
  return {
    isBytes,
    /** With its unit; a dash if it is not counted. */
    text: (amount: number | null): string => {
      if (amount === null) return t('common.states.none');
      return isBytes ? format.bytes(amount).text : format.count(amount);
    },
    /** The unit; undefined for bytes, whose formatted amounts include it. */
    unit: isBytes ? undefined : t(`heatmap.units.${metric}`),
    /** The unit of the figures of days, up to the largest. */
    unitPerDay: (largest: number): string =>
      t('heatmap.perDay', { unit: isBytes ? unitOf(largest) : t(`heatmap.metrics.${metric}`) }),
    /** Change from the previous period; a dash if that was zero, or either is not known. */
    change: ({ compared, before }: { compared: number | null; before: number | null }): string =>
      compared === null || !before ? '–' : format.signedPercent((compared - before) / before),
  };
};
export type Amounts = ReturnType<typeof useAmounts>;
