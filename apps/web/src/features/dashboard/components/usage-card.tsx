import { type DashboardStatistics, statisticsRanges } from '@simcube/contract/dashboard';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { ChartSkeleton, LineChart, type LineSeries } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { clock, useCalendar } from '../../../ui/time/index.ts';
import { useStatistics } from '../api/use-dashboard.ts';
import { pointNames } from '../point-names.ts';
import styles from './usage-card.module.css';

type Range = DashboardStatistics['range'];

const height = 246;

/** Usage of the organisation: a day compared with the previous one, a week, or six months. */
export const UsageCard = ({ range, onRange }: { range: Range; onRange: (range: Range) => void }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: response, error, refetch, isPlaceholderData } = useStatistics(range);
  const shown = response?.data;
  return (
    <Card
      aside={shown?.range === '24h' ? <Legend /> : null}
      extra={
        <>
          {response?.asOf ? (
            <span
              title={`${format.exact(response.asOf)} · ${t('dashboard.chart.cutOff', { zone: businessDays.zone() })}`}
            >
              {t('dashboard.chart.asOfProvisional', {
                asOf: t('common.time.asOf', { time: clock(format, response.asOf) }),
              })}
            </span>
          ) : null}
          <Segmented
            label={t('dashboard.chart.range')}
            onChange={onRange}
            options={statisticsRanges.map((value) => ({
              value,
              label: t(`dashboard.chart.ranges.${value}`),
            }))}
            small
            value={range}
          />
        </>
      }
      title={t('dashboard.chart.title')}
    >
      <div className={styles['chart']} aria-busy={isPlaceholderData} style={{ minHeight: height }}>
        {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
        {shown ? <Curve statistics={shown} /> : null}
        {response || error ? null : <ChartSkeleton height={height} />}
      </div>
    </Card>
  );
};

const Legend = () => {
  const { t } = useTranslation();
  return (
    <>
      <Pill dot="var(--amount)">{t('dashboard.chart.today')}</Pill>
      <Pill dot="var(--grey)">{t('dashboard.chart.yesterday')}</Pill>
    </>
  );
};

const Curve = ({ statistics: { range, points } }: { statistics: DashboardStatistics }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const read = useExactBytes();
  const names = pointNames(range, { format, calendar });
  const day = range === '24h';
  const series: LineSeries[] = [
    {
      name: t(day ? 'dashboard.chart.today' : 'dashboard.chart.used'),
      values: points.map(({ bytes }) => bytes),
      colour: 'amount',
      area: true,
      // The current hour, day or month.
      unfinished: true,
    },
    ...(day
      ? [
          {
            name: t('dashboard.chart.yesterday'),
            values: points.map(({ previous_bytes: bytes }) => bytes),
            colour: 'grey' as const,
            dashed: true,
          },
        ]
      : []),
  ];
  const unit = unitOf(
    Math.max(0, ...points.flatMap(({ bytes, previous_bytes: before }) => [bytes, before ?? 0])),
  );
  return (
    <LineChart
      categories={points.map(({ at }) => names.short(at))}
      categoryLabel={t(
        `dashboard.chart.${{ '24h': 'hour', week: 'day', '6months': 'month' }[range] as 'hour' | 'day' | 'month'}`,
      )}
      height={height}
      label={t('dashboard.chart.title')}
      hasLabel={(index) => !day || Number.parseInt(names.short(points[index]?.at ?? ''), 10) % 4 === 0}
      longCategories={points.map(({ at }) => names.long(at))}
      format={read}
      series={series}
      unit={unit}
    />
  );
};
