import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { useTimesText } from '../parts.tsx';
import { cityOf, dayIn, timeIn, weekDays } from '../zones.ts';
import { completeWhen, type Draft } from './draft.ts';
import styles from './editor.module.css';
import { type Outlook, OutlookState } from './outlook-state.tsx';

interface NextRunsProps {
  draft: Draft;
  outlook: Outlook;
  /** Undefined while they are being counted, and if they could not be. */
  sims: number | undefined;
  /** Days of past runs. */
  past: readonly string[];
  today: string;
}

const shownRunCount = 6;
const utc = 'UTC';

/** The next runs, in the schedule's zone and in UTC. */
export const NextRunsCard = ({ draft, outlook, sims, past, today }: NextRunsProps) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const { zone } = draft;
  const { hasTimes, forecast } = outlook;
  const runs = forecast?.runs ?? [];
  const day = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  const date = new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: 'medium' });
  const change = forecast?.clock_change;
  const time = draft.mode === 'weekly' ? (draft.times[0]?.time ?? null) : null;
  return (
    <Card
      extra={
        <span className={styles['legend']}>
          <i data-kind="coming" /> {t('schedule.toCome')} <i data-kind="past" /> {t('schedule.done')}
        </span>
      }
      title={t('schedule.nextRuns')}
    >
      <div className={styles['calendar']}>
        <Month
          upcoming={runs.map((run) => dayIn(run, zone))}
          past={past.map((run) => dayIn(run, zone))}
          today={today}
        />
        <Counts draft={draft} forecast={forecast} />
      </div>
      <OutlookState outlook={outlook} rows={shownRunCount} />
      {runs.length === 0 && (forecast || !hasTimes) ? (
        <p className={styles['faint']}>{t('schedule.noneToCome')}</p>
      ) : null}
      {runs.length > 0 ? (
        <SmallTable>
          <thead>
            <tr>
              <th>{t('schedule.run')}</th>
              <th data-end="true">{cityOf(zone)}</th>
              <th data-end="true">{utc}</th>
              <th data-end="true">{t('schedule.messages')}</th>
            </tr>
          </thead>
          <tbody>
            {runs.slice(0, shownRunCount).map((run) => (
              <tr key={run}>
                <td>{day.format(new Date(run))}</td>
                <td data-end="true">
                  <b>{timeIn(run, zone)}</b>
                </td>
                <td className={styles['faint']} data-end="true">
                  {timeIn(run, utc)}
                </td>
                <td data-end="true">{sims === undefined ? '—' : count(sims)}</td>
              </tr>
            ))}
          </tbody>
        </SmallTable>
      ) : null}
      {change && time !== null ? (
        <p className={styles['faint']}>
          {t('schedule.clocks', {
            date: date.format(new Date(change.at)),
            time,
            place: cityOf(zone),
            utc: shiftTime(time, -change.after_minutes),
          })}
        </p>
      ) : null}
    </Card>
  );
};

const shiftTime = (time: string, minutes: number): string => {
  const at = (Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) + minutes + 2 * 1440) % 1440;
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
};

const Counts = ({ draft, forecast }: Pick<NextRunsProps, 'draft'> & Pick<Outlook, 'forecast'>) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const timesText = useTimesText();
  const monthName = useMonthName();
  const when = completeWhen(draft);
  const [first, second] = forecast?.months ?? [];
  return (
    <div className={styles['counts']}>
      {when?.mode === 'weekly' ? <b>{t('schedule.perWeek', { count: count(when.times.length) })}</b> : null}
      {when ? timesText(when).map((text) => <span key={text}>{text}</span>) : null}
      {first && second ? (
        <>
          <b>{t('schedule.more', { count: count(first.runs), month: monthName(first.month) })}</b>
          <span>{t('schedule.inMonth', { count: count(second.runs), month: monthName(second.month) })}</span>
        </>
      ) : null}
    </div>
  );
};

/** The name of a month, `YYYY-MM`. */
export const useMonthName = (): ((month: string) => string) => {
  const { language } = useFormat();
  return (month) =>
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'long' }).format(
      new Date(`${month}-01T00:00Z`),
    );
};

interface MonthProps {
  upcoming: readonly string[];
  past: readonly string[];
  today: string;
}

/** A calendar month with the days of runs marked. */
const Month = ({ upcoming, past, today }: MonthProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const [month, setMonth] = useState(today.slice(0, 7));
  const monthAfter = (by: number): string => {
    const first = new Date(`${month}-01T00:00Z`);
    first.setUTCMonth(first.getUTCMonth() + by);
    return first.toISOString().slice(0, 7);
  };
  const title = new Intl.DateTimeFormat(language, { timeZone: 'UTC', month: 'long', year: 'numeric' });
  const weekday = new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: 'narrow' });
  const first = new Date(`${month}-01T00:00Z`);
  const length = new Date(Date.parse(`${monthAfter(1)}-01T00:00Z`) - 1).getUTCDate();
  const days = Array.from({ length }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  const kindOf = (day: string) =>
    upcoming.includes(day) ? 'coming' : past.includes(day) ? 'past' : undefined;
  return (
    <div className={styles['month']}>
      <div className={styles['monthName']}>
        <b>{title.format(first)}</b>
        <span>
          <Button
            aria-label={t('schedule.previousMonth')}
            onClick={() => setMonth(monthAfter(-1))}
            size="small"
            type="text"
            icon={<LeftOutlined />}
          />
          <Button
            aria-label={t('schedule.nextMonth')}
            onClick={() => setMonth(monthAfter(1))}
            size="small"
            type="text"
            icon={<RightOutlined />}
          />
        </span>
      </div>
      <div className={styles['days']}>
        {weekDays.map((day) => (
          <span className={styles['faint']} key={day}>
            {weekday.format(new Date(Date.UTC(2024, 0, day)))}
          </span>
        ))}
        {days.map((day, index) => (
          <span
            data-kind={kindOf(day)}
            data-today={day === today ? 'true' : undefined}
            key={day}
            style={index === 0 ? { gridColumnStart: ((first.getUTCDay() + 6) % 7) + 1 } : undefined}
          >
            {index + 1}
          </span>
        ))}
      </div>
    </div>
  );
};
