import type { ScheduleForecast } from '@simcube/contract/schedule';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import styles from './editor.module.css';
import { useMonthName } from './next-runs-card.tsx';
import { type Outlook, OutlookState } from './outlook-state.tsx';

/** What this schedule and the others will leave of the quota of this month and the next. */
export const QuotaCard = ({ outlook }: { outlook: Outlook }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const monthName = useMonthName();
  const { hasTimes, forecast } = outlook;
  const [first, second] = forecast?.months ?? [];
  const others = Math.max(first?.other_schedules ?? 0, second?.other_schedules ?? 0);
  return (
    <Card
      extra={
        <span className={styles['legend']}>
          <i data-kind="sent" /> {t('schedule.sent')} <i data-kind="this" /> {t('schedule.thisSchedule')}
          {others > 0 ? (
            <>
              <i data-kind="others" /> {t('schedule.others', { count: others, shown: count(others) })}
            </>
          ) : null}
        </span>
      }
      title={t('schedule.quota')}
    >
      {hasTimes ? null : <p className={styles['faint']}>{t('schedule.quotaLater')}</p>}
      <OutlookState outlook={outlook} rows={3} />
      {forecast?.months.map((month) => (
        <MonthQuota key={month.month} month={month} />
      ))}
      {first && second ? (
        <p className={styles['faint']}>
          {t('schedule.quotaText', {
            first: count(first.this_schedule),
            firstMonth: monthName(first.month),
            second: count(second.this_schedule),
            secondMonth: monthName(second.month),
          })}{' '}
          {t('schedule.quotaShort')}
        </p>
      ) : null}
    </Card>
  );
};

const MonthQuota = ({ month }: { month: ScheduleForecast['months'][number] }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const monthName = useMonthName();
  const { limit, used, this_schedule: thisSchedule, others, remaining } = month;
  const total = Math.max(limit ?? 0, used + thisSchedule + others, 1);
  const width = (parts: number) => ({ width: `${(parts / total) * 100}%` });
  return (
    <div className={styles['quota']}>
      <div className={styles['label']}>
        <span>{monthName(month.month)}</span>
        <span data-bad={remaining !== null && remaining < 0 ? 'true' : undefined}>
          {quotaText({ limit, remaining })}
        </span>
      </div>
      <span aria-hidden="true" className={styles['bar']}>
        <i data-kind="sent" style={width(used)} />
        <i data-kind="this" style={width(thisSchedule)} />
        <i data-kind="others" style={width(others)} />
      </span>
    </div>
  );

  function quotaText({
    limit: monthlyLimit,
    remaining: left,
  }: Pick<typeof month, 'limit' | 'remaining'>): string {
    if (left === null) return t('schedule.unlimited');
    const values = { limit: count(monthlyLimit ?? Math.max(0, left) + used + thisSchedule + others) };
    return left < 0
      ? t('schedule.short', { ...values, missing: count(-left) })
      : t('schedule.left', { ...values, left: count(left) });
  }
};
