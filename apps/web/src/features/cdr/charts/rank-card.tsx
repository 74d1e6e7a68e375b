import type { CdrGroup, CdrSums } from '@simcube/contract/cdr';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { RankedBars, type StackColour } from '../../../ui/chart/index.ts';
import { useCdrNames } from '../cdr-names.ts';
import type { Measure } from './charts-search.ts';
import { isAdditive, measureValue, useMeasureFormat } from './measures.ts';

const initialCount = 7;

interface RankProps {
  by: 'country' | 'operator' | 'radio';
  sums: CdrSums;
  measure: Measure;
  /** Link to the records of a group, by its key. */
  hrefOf: (key: string) => string;
  /** Chart above the groups, with the colours that distinguish them there. */
  chart?: ReactNode;
  colourOf?: (key: string) => StackColour;
}

/** Where usage occurred, largest first. */
export const RankCard = ({ by, sums, measure, hrefOf, chart, colourOf }: RankProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [showsAll, setShowsAll] = useState(false);
  const nameOf = useNameOf(by);
  const { short, name: measureName } = useMeasureFormat(measure);
  const groups = (sums.groups[by] ?? [])
    .filter((group) => group.records > 0)
    .toSorted((one, other) => measureValue(other, measure) - measureValue(one, measure));
  const title = t(`cdr.charts.by.${by}`);
  return (
    <Card extra={measureName} title={title}>
      {chart}
      <RankedBars
        bars={groups.slice(0, showsAll ? undefined : initialCount).map((group) => {
          const value = measureValue(group, measure);
          const { key } = group;
          const colour = colourOf ? { colour: colourOf(key) } : {};
          return { key, name: nameOf(group), value, text: short(value), href: hrefOf(key), ...colour };
        })}
        label={title}
        total={isAdditive(measure) ? measureValue(sums.total, measure) : undefined}
      />
      {groups.length > initialCount ? (
        <Button aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)} size="small" type="link">
          {showsAll ? t('cdr.charts.fewer') : t('cdr.charts.all', { shown: format.count(groups.length) })}
        </Button>
      ) : null}
    </Card>
  );
};

/** Includes the country for operators, because several have the same name. */
const useNameOf = (by: RankProps['by']) => {
  const words = useCdrNames();
  return ({ key, name, country }: CdrGroup): string => {
    if (by !== 'operator') return words[by](key);
    return words.operator(key, name, country);
  };
};
