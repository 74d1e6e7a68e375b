import { dayMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { BarChart, ChartSkeleton } from '../../../ui/chart/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useCalendar, useNow } from '../../../ui/time/index.ts';
import { useSimUsage } from '../api/use-sim.ts';
import { utcDay } from '../usage-span.ts';

const dayCount = 21;
const height = 214;

/** Usage by day over three weeks; today is hatched. */
export const DailyUsageCard = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const now = useNow(60_000);
  const {
    data: response,
    error,
    refetch,
  } = useSimUsage(iccid, {
    from: utcDay(now - (dayCount - 1) * dayMs),
    to: utcDay(now),
    granularity: 'day',
  });
  const points =
    response?.data.points.map(({ at, up_bytes: up, down_bytes: down }) => ({ at, bytes: up + down })) ?? [];
  const read = useExactBytes();
  const maxBytes = Math.max(0, ...points.map(({ bytes }) => bytes));
  const unit = unitOf(maxBytes);
  return (
    <Card extra={maxBytes > 0 ? t('sim.daily.unitAndCut', { unit }) : null} title={t('sim.daily.title')}>
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response && maxBytes === 0 ? <Empty small title={t('sim.usage.none')} /> : null}
      {response && maxBytes > 0 ? (
        <BarChart
          categories={points.map(({ at }) => String(Number(at.slice(8))))}
          categoryLabel={t('sim.daily.day')}
          height={height}
          isProvisional={(index) => (points[index]?.at ?? '') >= response.data.provisional_from.slice(0, 10)}
          label={t('sim.daily.title')}
          longCategories={points.map(({ at }) => calendar.day(at))}
          format={read}
          formatBar={(bytes) => (bytes === 0 ? '' : format.bytes(bytes, unit).value)}
          unit={unit}
          unfinished={points.findIndex(({ at }) => at === utcDay(now))}
          valueLabel={t('sim.daily.used')}
          values={points.map(({ bytes }) => bytes)}
        />
      ) : null}
      {response || error ? null : <ChartSkeleton height={height} />}
    </Card>
  );
};
