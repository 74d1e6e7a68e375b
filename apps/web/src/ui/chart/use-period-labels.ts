import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Names of periods; the one still running is marked as "so far". */
export const usePeriodLabels = (
  periods: readonly string[],
  unfinished: number | undefined,
): readonly string[] => {
  const { t } = useTranslation();
  return useMemo(
    () => periods.map((period, index) => (index === unfinished ? t('kit.chart.soFar', { period }) : period)),
    [periods, unfinished, t],
  );
};
