import { limits } from '@simcube/contract';
import type { PoolEvent, PoolLineChart, PoolRealTime } from '@simcube/contract/pool';
import { hourMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { BurnDownChart, ChartSkeleton } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { combinedFailure } from '../../../ui/query/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useLatestEvents, usePoolDays, useRealTime } from '../api/use-pool.ts';
import { eventTone } from '../event-text.ts';
import { projectRemaining, remainingByDay } from './burn-down.ts';

const height = 290;
/** Days between two labels of the axis. */
const daysPerLabel = 5;

/** How the limit is used up day by day, and when it is expected to be exhausted. */
export const BurnDownCard = ({ poolId }: { poolId: string }) => {
  const { t } = useTranslation();
  const days = usePoolDays(poolId);
  const live = useRealTime(poolId);
  const { data: changes } = useLatestEvents(poolId, 'limit');
  const { data: overages } = useLatestEvents(poolId, 'overage');
  const { error, retry } = combinedFailure([days, live]);
  const chartData =
    days.data && live.data?.asOf ? { chart: days.data.data, live: live.data.data } : undefined;
  return (
    <Card
      aside={
        <>
          <Pill dot="var(--amount)">{t('pool.burnDown.left')}</Pill>
          {live.data?.data.forecast === null ? null : (
            <Pill dot="var(--orange)">{t('pool.burnDown.forecast')}</Pill>
          )}
        </>
      }
      extra={t('pool.burnDown.hatched')}
      title={t('pool.burnDown.title')}
    >
      {chartData && live.data?.asOf ? (
        <BurnDown
          {...chartData}
          events={[...(changes?.data ?? []), ...(overages?.data ?? [])]}
          now={Date.parse(live.data.asOf)}
        />
      ) : null}
      {error && !chartData ? <Failure error={error} onRetry={retry} /> : null}
      {chartData || error ? null : <ChartSkeleton height={height} />}
    </Card>
  );
};

interface BurnDownProps {
  chart: PoolLineChart;
  live: PoolRealTime;
  events: readonly PoolEvent[];
  /** The time of the data, in milliseconds since 1970. */
  now: number;
}

const BurnDown = ({ chart, live, events, now }: BurnDownProps) => {
  const { t } = useTranslation();
  const { bytes, dateTime } = useFormat();
  const calendar = useCalendar();
  const read = useExactBytes();
  const [from, to] = [Date.parse(chart.cycle_started_at), Date.parse(chart.cycle_ends_at)];
  const timeText = ({ at }: { at: number }) => ({ text: dateTime(new Date(at).toISOString()) });
  const points = remainingByDay(chart, live, now).map((point) => ({ ...point, ...timeText(point) }));
  const projection = projectRemaining(live, { now, end: to }).map((point) => ({
    ...point,
    ...timeText(point),
  }));
  const limit = live.limit_bytes;
  const inCycle = ({ at }: PoolEvent): boolean => Date.parse(at) >= from && Date.parse(at) <= now;
  return (
    <BurnDownChart
      below={t('pool.burnDown.below')}
      end={useRunOut(live, to)}
      even={{ name: t('pool.burnDown.even'), value: limit }}
      forecast={
        projection.length > 0
          ? { name: t('pool.burnDown.likely'), bandName: t('pool.burnDown.band'), points: projection }
          : undefined
      }
      height={height}
      label={t('pool.burnDown.title')}
      remaining={{ name: t('pool.burnDown.left'), points }}
      marks={events
        .filter(inCycle)
        .toSorted((one, other) => one.at.localeCompare(other.at))
        .map((event) => ({
          at: Date.parse(event.at),
          title: t(`pool.burnDown.marks.${event.kind}`, {
            bytes: bytes(Math.abs(event.limit_after_bytes - event.limit_before_bytes)).text,
          }),
          tone: eventTone(event.kind),
        }))}
      now={t('pool.burnDown.now', { left: bytes(live.left_bytes, unitOf(limit)).text })}
      provisionalFrom={Math.max(from, now - limits.provisionalHours * hourMs)}
      format={(value) => (value < 0 ? `−${read(-value)}` : read(value))}
      span={{ from, to }}
      ticks={chart.days.flatMap(({ day }, index) =>
        index % daysPerLabel === 0 ? [{ at: from + index * 24 * hourMs, text: calendar.shortDay(day) }] : [],
      )}
      timeLabel={t('pool.burnDown.time')}
      unit={unitOf(Math.max(limit, ...points.map(({ value }) => value)))}
    />
  );
};

/** The day on which the pool is expected to run out; none once the limit is used up, which its mark shows. */
const useRunOut = ({ forecast, over }: PoolRealTime, to: number) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  if (over || !forecast?.runs_out_at) return undefined;
  const { runs_out_at: at, earliest_at: earliest, latest_at: latest } = forecast;
  const from = earliest ?? at;
  /** The range of days; undefined if it is a single one, which the title names. */
  const likelyRange = (): string | undefined => {
    const first = calendar.businessDate(from);
    if (latest === null) return t('pool.burnDown.likelyFrom', { from: first });
    const last = calendar.businessDate(latest);
    return first === last ? undefined : t('pool.burnDown.likelyBetween', { from: first, to: last });
  };
  return {
    at: Date.parse(at),
    from: Date.parse(from),
    to: latest === null ? to : Date.parse(latest),
    title: t('pool.burnDown.runsOut', { day: calendar.businessDay(at) }),
    detail: likelyRange(),
  };
};
