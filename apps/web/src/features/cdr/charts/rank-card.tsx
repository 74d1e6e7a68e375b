import type { CdrGroup, CdrSums } from '@simcube/contract/cdr';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { RankedBars, type StackColour } from '../../../ui/chart/index.ts';
import { useCdrWords } from '../cdr-words.ts';
import type { Measure } from './charts-search.ts';
import { addsUp, measured, useMeasureWords } from './measured.ts';

const shownAtFirst = 7;

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
  const [all, setAll] = useState(false);
  const nameOf = useNameOf(by);
  const { short, name: measureName } = useMeasureWords(measure);
  const groups = (sums.groups[by] ?? [])
    .filter((group) => group.records > 0)
    .toSorted((one, other) => measured(other, measure) - measured(one, measure));
  const title = t(`cdr.charts.by.${by}`);
  return (
    <Card extra={measureName} title={title}>
      {chart}
      <RankedBars
        bars={groups.slice(0, all ? undefined : shownAtFirst).map((group) => {
          const value = measured(group, measure);
          const { key } = group;
          const colour = colourOf ? { colour: colourOf(key) } : {};
          return { key, name: nameOf(group), value, text: short(value), href: hrefOf(key), ...colour };
        })}
        label={title}
        total={addsUp(measure) ? measured(sums.total, measure) : undefined}
      />
      {groups.length > shownAtFirst ? (
        <Button aria-expanded={all} onClick={() => setAll(!all)} size="small" type="link">
          {all ? t('cdr.charts.fewer') : t('cdr.charts.all', { shown: format.count(groups.length) })}
        </Button>
      ) : null}
    </Card>
  );
};

/** Includes the country for operators, because several have the same name. */
const useNameOf = (by: RankProps['by']) => {
  const words = useCdrWords();
  return ({ key, name, country }: CdrGroup): string => {
    if (by !== 'operator') return words[by](key);
    return words.operator(key, name, country);
  };
};
