import type { CdrGroup, CdrSums } from '@simcube/contract/cdr';
import { hourMs } from '@simcube/contract/time';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { ChartLegend, type LegendEntry, StackChart, type StackSeries } from '../../../ui/chart/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import type { CdrFilterParams } from '../filter.ts';
import { dayOf, hourOf } from './bar-spans.ts';
import type { Measure } from './charts-search.ts';
import { isAdditive, measureValue, useMeasureFormat, volumeOf } from './measures.ts';

interface ByTimeProps {
  sums: CdrSums;
  asOf: string | null;
  measure: Measure;
  /** The chosen instants between which the records are, if any. */
  chosen: Pick<CdrFilterParams, 'since' | 'until'>;
  /** Link to the charts' records, with further filters. */
  rowsHref: (extraFilter: CdrFilterParams) => string;
}

/** Usage by hours or days, with the provisional part and the previous period. */
export const ByTimeCard = ({ sums, asOf, measure, chosen, rowsHref }: ByTimeProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const router = useRouter();
  const words = useMeasureFormat(measure);
  const byDay = sums.groups.day !== undefined;
  const groups = (byDay ? sums.groups.day : sums.groups.hour) ?? [];
  const names = useNames(groups, byDay);
  const series = useSeries(groups, measure);
  const previous = previousValues(groups, measure);
  const label = t(byDay ? 'cdr.charts.byDay' : 'cdr.charts.byHour', { measure: words.name });
  const provisional = groups.some((group) => group.provisional.records > 0);
  const legend: LegendEntry[] = [
    ...(series.length > 1 ? series.toReversed().map(({ name, colour }) => ({ name, colour })) : []),
    ...(previous ? [{ name: t('cdr.charts.before'), colour: 'grey', style: 'dashed' } as const] : []),
    ...(provisional && series[0]?.provisional
      ? [{ name: t('cdr.charts.provisional'), colour: 'amount', style: 'hatched' } as const]
      : []),
  ];
  const highest = Math.max(0, ...groups.map((group) => measureValue(group, measure)), ...(previous ?? []));
  return (
    <Card aside={<ChartLegend entries={legend} />} title={label}>
      <StackChart
        previous={previous && { name: t('cdr.charts.before'), values: previous }}
        categories={names.short}
        categoryLabel={t(byDay ? 'cdr.charts.day' : 'cdr.charts.hour')}
        label={label}
        linkOf={(index) => {
          const { key, records } = groups[index] ?? { key: '', records: 0 };
          return {
            href: rowsHref(byDay ? dayOf(key, chosen) : hourOf(key, sums)),
            text: t(byDay ? 'cdr.charts.ofDay' : 'cdr.charts.ofHour', {
              count: records,
              shown: format.count(records),
            }),
          };
        }}
        longCategories={names.long}
        onOpen={(href) => router.history.push(href)}
        provisional={{
          name: t('cdr.charts.provisional'),
          from: positionOf(groups, byDay ? 24 * hourMs : hourMs, sums.provisional_from),
        }}
        format={words.exact}
        series={series}
        unfinished={runningIndex(groups, byDay ? 24 * hourMs : hourMs, asOf ?? sums.to)}
        unit={measure === 'volume' ? unitOf(highest) : undefined}
      />
    </Card>
  );
};

/** The hours that a day may touch: the first and the last are incomplete. */
const hoursOfDay = 25;

/** Days are days of UTC, whatever the console's time zone; hours are instants, named with their day if there are several days. */
const useNames = (groups: readonly CdrGroup[], byDay: boolean) => {
  const format = useFormat();
  const calendar = useCalendar();
  const hour = (at: string) => (groups.length > hoursOfDay ? format.shortDateTime(at) : format.time(at));
  return {
    short: groups.map(({ key }) => (byDay ? calendar.shortDay(key) : hour(key))),
    long: groups.map(({ key }) => (byDay ? calendar.day(key) : format.dateTime(key))),
  };
};

const useSeries = (groups: readonly CdrGroup[], measure: Measure): StackSeries[] => {
  const { t } = useTranslation();
  const of = (read: (group: CdrGroup | CdrGroup['provisional']) => number) => ({
    values: groups.map(read),
    provisional: groups.map(({ provisional }) => read(provisional)),
  });
  switch (measure) {
    case 'volume':
      return [
        { name: t('cdr.fields.up'), colour: 'teal', ...of(({ up_bytes: up }) => up) },
        { name: t('cdr.fields.down'), colour: 'amount', ...of(({ down_bytes: down }) => down) },
      ];
    case 'records':
      return [{ name: t('cdr.sums.records'), colour: 'amount', ...of(({ records }) => records) }];
    default:
      return [
        {
          name: t(`cdr.sums.${measure}`),
          colour: 'amount',
          values: groups.map((group) => group[measure]),
        },
      ];
  }
};

/** Undefined if the measure was not counted for the previous period. */
const previousValues = (groups: readonly CdrGroup[], measure: Measure): number[] | undefined => {
  if (!isAdditive(measure)) return undefined;
  return groups.map(({ before: previous }) => {
    if (!previous) return 0;
    return measure === 'volume' ? volumeOf(previous) : previous.records;
  });
};

/** The position of a moment among the groups: 2.5 is the middle of the third. Undefined after them. */
const positionOf = (groups: readonly CdrGroup[], lengthMs: number, moment: string): number | undefined => {
  const first = Date.parse(groups[0]?.key ?? '');
  const place = (Date.parse(moment) - first) / lengthMs;
  return place < groups.length ? Math.max(0, place) : undefined;
};

const runningIndex = (groups: readonly CdrGroup[], lengthMs: number, asOf: string): number | undefined => {
  const at = Date.parse(asOf);
  const index = groups.findIndex(({ key }) => Date.parse(key) <= at && at < Date.parse(key) + lengthMs);
  return index < 0 ? undefined : index;
};
