import type { PoolDetail, PoolRealTime } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Figure, Figures } from '../../../ui/figures/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { usePoolHours, useRealTime } from '../api/use-pool.ts';
import { lastDayOf } from '../pool-display.ts';
import { HourBars } from './hour-bars.tsx';
import styles from './overview.module.css';

interface PoolFiguresProps {
  poolId: string;
  pool: PoolDetail | undefined;
}

/** What is left, for how long, who uses it, and what happens when it runs out. */
export const PoolFigures = ({ poolId, pool }: PoolFiguresProps) => {
  const { data: response, error, refetch } = useRealTime(poolId);
  if (error && !response) {
    return (
      <Card>
        <Failure error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (!response || !pool) {
    return (
      <Card>
        <Loading rows={2} />
      </Card>
    );
  }
  return (
    <Figures columns="1.2fr 1fr 0.9fr 1.3fr 1.2fr">
      <RemainingFigure live={response.data} />
      <RunOutFigure live={response.data} pool={pool} />
      <MembersFigure pool={pool} />
      <TodayFigure live={response.data} poolId={poolId} />
      <StoppedSimsFigure live={response.data} pool={pool} />
    </Figures>
  );
};

const RemainingFigure = ({
  live: { left_bytes: left, limit_bytes: limit, used_bytes: used },
}: {
  live: PoolRealTime;
}) => {
  const { t } = useTranslation();
  const { bytes, percent } = useFormat();
  const { unit } = bytes(limit);
  return (
    <Figure
      of={t('pool.overview.ofLimit', { limit: bytes(limit, unit).text })}
      term={t('pool.overview.left')}
      value={bytes(left, unit).value}
    >
      <UsageBar
        label={t('pool.usedShare', { percent: percent(limit > 0 ? used / limit : 0) })}
        limit={limit}
        size="card"
        used={used}
      />
    </Figure>
  );
};

const RunOutFigure = ({ live, pool }: { live: PoolRealTime; pool: PoolDetail }) => {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const calendar = useCalendar();
  const { over, forecast, limit_bytes: limit } = live;
  const term = t('pool.overview.runsOut');
  if (over) return <Figure term={term} tone="red" value={t('pool.overview.usedUp')} />;
  if (!forecast) {
    return (
      <Figure term={term} value={t('common.states.none')}>
        {t('pool.overview.noForecast')}
      </Figure>
    );
  }
  const spareBytes = limit - forecast.used_bytes;
  const values = { bytes: bytes(Math.abs(spareBytes)).text, day: calendar.businessDate(lastDayOf(pool)) };
  return (
    <Figure
      term={term}
      tone={forecast.runs_out_at === null ? undefined : 'orange'}
      value={
        forecast.runs_out_at === null ? t('pool.overview.lasts') : calendar.businessDay(forecast.runs_out_at)
      }
    >
      {t(spareBytes < 0 ? 'pool.overview.short' : 'pool.overview.spare', values)}
    </Figure>
  );
};

const MembersFigure = ({ pool }: { pool: PoolDetail }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return (
    <Figure
      of={t('pool.overview.ofMembers', { all: count(pool.sims) })}
      term={t('pool.overview.members')}
      value={count(pool.activated_sims)}
    >
      {t('pool.overview.cameAndWent', {
        joined: count(pool.joined_in_cycle),
        left: count(pool.left_in_cycle),
      })}
    </Figure>
  );
};

const TodayFigure = ({ live, poolId }: { live: PoolRealTime; poolId: string }) => {
  const { t } = useTranslation();
  const { bytes, count } = useFormat();
  const { data: hours } = usePoolHours(poolId);
  const { value, unit } = bytes(live.today_bytes);
  return (
    <Figure of={unit} term={t('pool.overview.today')} value={value}>
      <span className={styles['today']}>
        {t('pool.overview.online', { count: live.online_sims, shown: count(live.online_sims) })}
        {hours ? <HourBars asOf={Date.parse(hours.asOf ?? '')} hours={hours.data.hours} /> : null}
      </span>
    </Figure>
  );
};

/** What will be stopped, and how far usage can continue before that. */
const StoppedSimsFigure = ({ live, pool }: { live: PoolRealTime; pool: PoolDetail }) => {
  const { t } = useTranslation();
  const { bytes, count } = useFormat();
  if (pool.policy === 'no limit') {
    return (
      <Figure term={t('pool.overview.ifItRunsOut')} value={t('pool.overview.nothingStops')}>
        {t('pool.overview.chargedBeyond')}
      </Figure>
    );
  }
  const sims = live.over ? live.stopped_sims : live.would_stop_sims;
  return (
    <Figure
      of={t(live.over ? 'pool.overview.simsStopped' : 'pool.overview.simsStop', { count: sims })}
      term={t(live.over ? 'pool.overview.stoppedNow' : 'pool.overview.ifItRunsOut')}
      tone={live.over && sims > 0 ? 'red' : undefined}
      value={count(sims)}
    >
      {t('pool.overview.worst', { bytes: bytes(live.overshoot_bytes).text })}
    </Figure>
  );
};
