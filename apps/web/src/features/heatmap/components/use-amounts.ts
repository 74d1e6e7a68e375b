import type { HeatmapMetric } from '@simcube/contract/heatmap';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';

/** How figures of a metric read. */
export const useAmounts = (metric: HeatmapMetric) => {
  const { t } = useTranslation();
  const format = useFormat();
  const isBytes = metric === 'usage';
  return {
    isBytes,
    /** With its unit. */
    text: (amount: number): string => (isBytes ? format.bytes(amount).text : format.count(amount)),
    /** What is counted; amounts of bytes say it themselves. */
    unit: isBytes ? undefined : t(`heatmap.units.${metric}`),
    /** What figures up to the largest are measured in. */
    unitUpTo: (largest: number): string => (isBytes ? unitOf(largest) : t(`heatmap.units.${metric}`)),
    /** Against the period before; nothing where there was none. */
    change: (amount: number, before: number): string =>
      before === 0 ? '–' : format.signedPercent((amount - before) / before),
  };
};
export type Amounts = ReturnType<typeof useAmounts>;
