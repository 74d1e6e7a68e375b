import type { CdrAmount, CdrFigures } from '@simcube/contract/cdr';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import type { Measure } from './charts-search.ts';

export const volumeOf = ({ up_bytes: up, down_bytes: down }: Pick<CdrAmount, 'up_bytes' | 'down_bytes'>) =>
  up + down;

/** The value of a measure in the sums. */
export const measureValue = (figures: CdrFigures, measure: Measure): number =>
  measure === 'volume' ? volumeOf(figures) : figures[measure];

/** A SIM or session may be in two groups, so their counts do not add up to a total. */
export const isAdditive = (measure: Measure): measure is 'volume' | 'records' =>
  measure === 'volume' || measure === 'records';

/** Formats amounts of a measure: in short, and exactly. */
export const useMeasureFormat = (measure: Measure) => {
  const { t } = useTranslation();
  const format = useFormat();
  const exactBytes = useExactBytes();
  const isVolume = measure === 'volume';
  return {
    name: t(`cdr.sums.${measure}`),
    short: (value: number): string => (isVolume ? format.bytes(value).text : format.count(value)),
    exact: isVolume ? exactBytes : format.count,
  };
};
