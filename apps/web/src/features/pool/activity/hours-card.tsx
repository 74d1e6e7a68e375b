import { hourMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { BarChart, ChartSkeleton } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { usePoolHours } from '../api/use-pool.ts';

const height = 230;

/** Usage of one day by hour, in the displayed time zone. */
export const HoursCard = ({ poolId, day }: { poolId: string; day: string | undefined }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const read = useExactBytes();
  const { data: response, error, refetch } = usePoolHours(poolId, day);
  const hours = response?.data.hours ?? [];
  const values = hours.map(({ up_bytes: up, down_bytes: down }) => up + down);
  const unit = unitOf(Math.max(0, ...values));
  const now = Date.parse(response?.asOf ?? '');
  const running = hours.findIndex(({ at }) => Date.parse(at) <= now && now < Date.parse(at) + hourMs);
  return (
    <Card
      extra={
        response
          ? t('pool.activity.dayAndUnit', {
              day: t('kit.marks.aside', { text: calendar.day(response.data.day), note: businessDays.zone() }),
              unit,
            })
          : null
      }
      title={t('pool.activity.byHour')}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {response ? (
        <BarChart
          categories={hours.map(({ at }) => format.time(at))}
          categoryLabel={t('pool.activity.hour')}
          height={height}
          label={t('pool.activity.byHour')}
          longCategories={hours.map(({ at }) => format.dateTime(at))}
          format={read}
          formatBar={(bytes) => (bytes === 0 ? '' : format.bytes(bytes, unit).value)}
          unit={unit}
          unfinished={running < 0 ? undefined : running}
          valueLabel={t('pool.members.used')}
          values={values}
        />
      ) : null}
      {response || error ? null : <ChartSkeleton height={height} />}
    </Card>
  );
};
