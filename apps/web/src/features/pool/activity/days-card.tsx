import { dayMs } from '@simcube/contract/time';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { unitOf } from '../../../lib/format/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { ChartSkeleton, StackChart } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { usePoolDays } from '../api/use-pool.ts';

const height = 230;

interface DaysCardProps {
  poolId: string;
  /** Link to the hours of a day. */
  hrefOf: (day: string) => string;
}

/** Usage of the cycle by day; each links to its hours. */
export const DaysCard = ({ poolId, hrefOf }: DaysCardProps) => {
  const { t } = useTranslation();
  const router = useRouter();
  const calendar = useCalendar();
  const read = useExactBytes();
  const { data: response, error, refetch } = usePoolDays(poolId);
  const start = Date.parse(response?.data.cycle_started_at ?? '');
  const now = Date.parse(response?.asOf ?? '');
  const days = (response?.data.days ?? []).filter((_, index) => start + index * dayMs <= now);
  const sums = days.map(({ up_bytes: up, down_bytes: down }) => up + down);
  const series = (['up', 'down'] as const).map((part) => ({
    name: t(`pool.activity.${part}`),
    colour: part === 'up' ? ('teal' as const) : ('amount' as const),
    values: days.map((day) => day[`${part}_bytes`]),
    provisional: days.map((day) => (day.provisional ? day[`${part}_bytes`] : 0)),
  }));
  return (
    <Card
      aside={series.toReversed().map(({ name, colour }) => (
        <Pill dot={`var(--${colour})`} key={name}>
          {name}
        </Pill>
      ))}
      title={t('pool.activity.byDay')}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {response ? (
        <StackChart
          categories={days.map(({ day }) => calendar.shortDay(day))}
          categoryLabel={t('pool.activity.day')}
          height={height}
          label={t('pool.activity.byDay')}
          linkOf={(index) => ({ href: hrefOf(days[index]?.day ?? ''), text: t('pool.activity.itsHours') })}
          longCategories={days.map(({ day }) => calendar.day(day))}
          onOpen={(href) => router.history.push(href)}
          provisional={{ name: t('pool.activity.provisional') }}
          format={read}
          series={series}
          unfinished={days.length - 1}
          unit={unitOf(Math.max(0, ...sums))}
        />
      ) : null}
      {response || error ? null : <ChartSkeleton height={height} />}
    </Card>
  );
};
