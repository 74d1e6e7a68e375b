import type { CdrGroup, CdrRadioType, CdrSums } from '@simcube/contract/cdr';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { ShareChart, type ShareSeries, type StackColour } from '../../../ui/chart/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useCdrNames } from '../cdr-names.ts';
import type { CdrFilterParams } from '../filter.ts';
import { dayOf } from './bar-spans.ts';
import { cdrChartsSearch, type Measure } from './charts-search.ts';
import { isAdditive, measureValue, useMeasureFormat } from './measures.ts';

const colours: Readonly<Record<CdrRadioType, StackColour>> = {
  '4G': 'amount',
  '5G': 'teal',
  'LTE-M': 'purple',
  '3G': 'orange',
  'NB-IoT': 'red',
  '2G': 'amount-faded',
  WLAN: 'pink',
  other: 'brown',
  unknown: 'grey',
};

/** The same colour in each chart; all are different. */
export const radioColour = (radio: string): StackColour => colours[radio as CdrRadioType] ?? 'grey';

/** A group's key in the filter's format. */
export const radioOf = (key: string): CdrFilterParams['radio'] => cdrChartsSearch.read('radio', key);

interface RadioByDayProps {
  sums: CdrSums;
  measure: Measure;
  /** The chosen instants between which the records are, if any. */
  chosen: Pick<CdrFilterParams, 'since' | 'until'>;
  rowsHref: (more: CdrFilterParams) => string;
}

/** The share of each radio type by day. Not for SIMs and sessions, which may be in two of them. */
export const RadioByDay = ({ sums, measure, chosen, rowsHref }: RadioByDayProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const router = useRouter();
  const calendar = useCalendar();
  const words = useCdrNames();
  const { name, exact } = useMeasureFormat(measure);
  const days = sums.groups.day?.map(({ key }) => key) ?? [];
  if (!isAdditive(measure) || days.length < 2) return null;
  const series = seriesOf(sums, days, measure);
  return (
    <ShareChart
      categories={days.map(calendar.day)}
      categoryLabel={t('cdr.charts.day')}
      hrefOf={(index) => rowsHref(dayOf(days[index] ?? '', chosen))}
      label={t('cdr.charts.radioByDay', { measure: name })}
      linkOf={(day, at) => {
        const { radio = '', records = [] } = series[at] ?? {};
        const count = records[day] ?? 0;
        return {
          href: rowsHref({ ...dayOf(days[day] ?? '', chosen), radio: radioOf(radio) }),
          text: t('cdr.charts.rows', { count, shown: format.count(count) }),
        };
      }}
      onOpen={(href) => router.history.push(href)}
      format={exact}
      formatShare={(share) => format.percent(share, 1)}
      series={series.map(({ radio, ...one }) => ({ ...one, name: words.radio(radio) }))}
    />
  );
};

/** The most used at the bottom. */
const seriesOf = (
  { groups }: CdrSums,
  days: readonly string[],
  measure: Measure,
): (Omit<ShareSeries, 'name'> & { radio: string; records: number[] })[] => {
  const groupByKey = new Map<string, CdrGroup>((groups.day_radio ?? []).map((group) => [group.key, group]));
  return (groups.radio ?? [])
    .filter(({ records }) => records > 0)
    .map(({ key: radio }) => {
      const groupsByDay = days.map((day) => groupByKey.get(`${day} ${radio}`));
      return {
        radio,
        colour: radioColour(radio),
        values: groupsByDay.map((group) => (group ? measureValue(group, measure) : 0)),
        records: groupsByDay.map((group) => group?.records ?? 0),
      };
    });
};
