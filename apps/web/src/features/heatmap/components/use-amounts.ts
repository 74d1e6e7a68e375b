import type { HeatmapMetric } from '@simcube/contract/heatmap';
import { useTranslation } from 'react-i18next';
import { type ByteUnit, unitOf, useFormat } from '../../../lib/format/index.ts';

/** How figures of a metric read. */
export const useAmounts = (metric: HeatmapMetric) => {
  const { t } = useTranslation();
  const format = useFormat();
  const isBytes = metric === 'usage';
  return {
    isBytes,
    /** With its unit. */
    text: (amount: number): string => (isBytes ? format.bytes(amount).text : format.count(amount)),
    /** Several figures in the unit of the largest. */
    inUnitOf: (largest: number) => {
      const unit: ByteUnit = unitOf(largest);
      return {
        unit: isBytes ? unit : t(`heatmap.units.${metric}`),
        value: (amount: number): string =>
          isBytes ? format.bytes(amount, unit).value : format.count(amount),
      };
    },
    /** Against the period before; nothing where there was none. */
    change: (amount: number, before: number): string =>
      before === 0 ? '–' : format.signedPercent((amount - before) / before),
  };
};
export type Amounts = ReturnType<typeof useAmounts>;
