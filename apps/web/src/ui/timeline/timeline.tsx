import type { ReactNode } from 'react';
import { useFormat } from '../../lib/format/index.ts';
import { Dot, type Tone } from '../status/index.ts';
import styles from './timeline.module.css';

export interface Moment {
  id: string;
  /** ISO 8601 instant. */
  at: string;
  title: ReactNode;
  detail?: ReactNode;
  /** Tooltip of the detail: the recorded value. */
  exact?: string;
  /** Person, task or trace id. */
  note?: ReactNode;
  tone: Tone;
}

/** Events, newest first, grouped by day along a line. */
export const Timeline = ({ label, moments }: { label: string; moments: readonly Moment[] }) => {
  const format = useFormat();
  const days = byDay(moments, format.date);
  return (
    <div className={styles['timeline']}>
      {[...days].map(([day, ofDay]) => (
        <div key={day}>
          <h3 className={styles['date']}>{day}</h3>
          <ol aria-label={`${label}: ${day}`} className={styles['moments']}>
            {ofDay.map(({ id, at, title, detail, exact, note, tone }) => (
              <li className={styles['moment']} key={id}>
                <time dateTime={at} title={format.exact(at)}>
                  {format.time(at)}
                </time>
                <span className={styles['mark']}>
                  <Dot tone={tone} />
                </span>
                <div className={styles['words']}>
                  <strong>{title}</strong>
                  {detail ? (
                    <span className={styles['detail']} title={exact}>
                      {detail}
                    </span>
                  ) : null}
                  {note ? <span className={styles['note']}>{note}</span> : null}
                </div>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
};

const byDay = (moments: readonly Moment[], dayOf: (at: string) => string): Map<string, Moment[]> => {
  const days = new Map<string, Moment[]>();
  for (const moment of moments) {
    const day = dayOf(moment.at);
    days.set(day, [...(days.get(day) ?? []), moment]);
  }
  return days;
};
