import type { simUsageSchema } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { type ByteUnit, type Format, unitOf, useFormat } from '../../../lib/format/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { BarChart, ChartSkeleton } from '../../../ui/chart/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { type Calendar, useCalendar, useNow } from '../../../ui/time/index.ts';
import type { Granularity } from '../search.ts';
import styles from './usage-chart.module.css';

export type SimUsage = z.output<typeof simUsageSchema>;

interface UsageChartProps {
  /** Undefined while loading. */
  usage: SimUsage | undefined;
  stale: boolean;
}

const height = 260;

/** One bar per period, hatched while it is running, paler where late records may still arrive; totals up and down below. */
export const UsageChart = ({ usage, stale }: UsageChartProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const read = useExactBytes();
  const now = useNow(60_000);
  if (!usage) return <ChartSkeleton height={height} />;
  const values = usage.points.map(({ up_bytes: up, down_bytes: down }) => up + down);
  const unit = usageUnitOf(usage);
  if (!unit) return <Empty title={t('sim.usage.none')} />;
  const granularity = granularityOf(usage);
  const running = periodOf(new Date(now).toISOString(), granularity);
  const labels = periodLabels(usage, { format, calendar });
  const sum = (part: 'up_bytes' | 'down_bytes') =>
    format.bytes(usage.points.reduce((total, point) => total + point[part], 0)).text;
  return (
    <div aria-busy={stale} className={styles['chart']}>
      <BarChart
        categories={usage.points.map(({ at }) => labels.short(at))}
        categoryLabel={t('sim.usage.period')}
        height={height}
        isMinor={(index) => labels.isMinor(usage.points[index]?.at ?? '')}
        isProvisional={(index) =>
          (usage.points[index]?.at ?? '') >= periodOf(usage.provisional_from, granularity)
        }
        label={t('sim.usage.title')}
        longCategories={usage.points.map(({ at }) => labels.long(at))}
        format={read}
        formatBar={(bytes) => (bytes === 0 ? '' : format.bytes(bytes, unit).value)}
        unit={unit}
        unfinished={usage.points.findIndex(({ at }) => at.startsWith(running))}
        valueLabel={t('sim.usage.used')}
        values={values}
      />
      <p className={styles['parts']}>
        <span>
          {t('sim.usage.down')} <b>{sum('down_bytes')}</b>
        </span>
        <span>
          {t('sim.usage.up')} <b>{sum('up_bytes')}</b>
        </span>
      </p>
    </div>
  );
};

/** Of the bars; undefined without usage. */
export const usageUnitOf = ({ points }: SimUsage): ByteUnit | undefined => {
  const max = Math.max(0, ...points.map(({ up_bytes: up, down_bytes: down }) => up + down));
  return max > 0 ? unitOf(max) : undefined;
};

const lengths: Record<Granularity, number> = { hour: 13, day: 10, month: 7 };

/** That of the points, which are the previous ones until those that were requested arrive. */
const granularityOf = ({ points: [first] }: SimUsage): Granularity =>
  (['month', 'day'] as const).find((granularity) => first?.at.length === lengths[granularity]) ?? 'hour';

/** The period that an instant falls in, in the format of the points' `at`. */
const periodOf = (at: string, granularity: Granularity): string => at.slice(0, lengths[granularity]);

/** Names the hours with which days begin by their dates; noon by its time, if there is room. The other hours have none. */
const dayStarts = (format: Format) => {
  const dayOf = (at: number): string => format.shortDate(new Date(at).toISOString());
  const beginsDay = (at: number): boolean => dayOf(at) !== dayOf(at - hourMs);
  return {
    short: (hour: string): string => {
      const at = Date.parse(hour);
      if (beginsDay(at)) return dayOf(at);
      return beginsDay(at - 12 * hourMs) ? format.time(hour) : '';
    },
    isMinor: (hour: string): boolean => !beginsDay(Date.parse(hour)),
    long: format.dateTime,
  };
};

const none = (): boolean => false;

const periodLabels = (usage: SimUsage, { format, calendar }: { format: Format; calendar: Calendar }) => {
  const granularity = granularityOf(usage);
  if (granularity === 'hour') {
    if (usage.points.length > 24) return dayStarts(format);
    return { short: format.time, long: format.dateTime, isMinor: none };
  }
  if (granularity === 'month') return { short: calendar.month, long: calendar.longMonth, isMinor: none };
  return { short: calendar.shortDay, long: calendar.day, isMinor: none };
};
