import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { BarChart, ChartSkeleton } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useStatistics } from '../api/use-dashboard.ts';
import { pointNames } from '../point-names.ts';
import { mayStillChange } from '../points.ts';

const height = 178;

/** Bars for six months or a week; the current one is hatched, and lighter those that late records may still change. */
export const PeriodBars = ({ range }: { range: Exclude<DashboardStatistics['range'], '24h'> }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { data: response, error, refetch } = useStatistics(range);
  const read = useExactBytes();
  const points = response?.data.points ?? [];
  const unit = unitOf(Math.max(0, ...points.map(({ bytes }) => bytes)));
  const names = pointNames(range, { format, calendar });
  const months = range === '6months';
  const isProvisional = (index: number) => response !== undefined && mayStillChange(response.data, index);
  const title = t(months ? 'dashboard.months.title' : 'dashboard.week.title');
  return (
    <Card
      extra={
        response &&
        [
          points.some((_, index) => isProvisional(index))
            ? t('dashboard.chart.lighterProvisional', { unit })
            : unit,
          t('dashboard.chart.cutOff', { zone: businessDays.zone() }),
        ].join(' · ')
      }
      title={title}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      <div style={{ minHeight: height }}>
        {response ? (
          <BarChart
            categories={points.map(({ at }) => names.short(at))}
            categoryLabel={t(months ? 'dashboard.chart.month' : 'dashboard.chart.day')}
            height={height}
            isProvisional={isProvisional}
            label={title}
            longCategories={points.map(({ at }) => names.long(at))}
            format={read}
            formatBar={(bytes) => (bytes === 0 ? '' : format.bytes(bytes, unit).value)}
            unit={unit}
            unfinished={points.length - 1}
            valueLabel={t('dashboard.months.used')}
            values={points.map(({ bytes }) => bytes)}
          />
        ) : null}
        {response || error ? null : <ChartSkeleton height={height} />}
      </div>
    </Card>
  );
};
