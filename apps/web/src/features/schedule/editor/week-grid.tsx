import { CloseOutlined } from '@ant-design/icons';
import { limits } from '@simcube/contract';
import type { WeekTime } from '@simcube/contract/schedule';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { isFocusLost } from '../../../ui/focus/index.ts';
import { dayKey, sortTimes, weekDays } from '../zones.ts';
import styles from './editor.module.css';
import { focusCellByKey, hourOfStop } from './week-keys.ts';

interface WeekGridProps {
  times: readonly WeekTime[];
  /** Percentage of the SIMs that are usually online, by day and hour; undefined while unknown. */
  online: readonly (readonly number[])[] | undefined;
  disabled: boolean;
  onChange: (change: { times: WeekTime[] }) => void;
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const toTime = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
/** The same format as in the week grid, in every language: the browser's own field would show 03:00 PM in some. */
const timePattern = /^(?:[01]?\d|2[0-3]):[0-5]\d$/;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Identifies a pill while its time is changed, so that it keeps the focus. */
const pillKeys = new WeakMap<WeekTime, number>();
let lastPillKey = 0;
const pillKeyOf = (time: WeekTime): number => {
  const key = pillKeys.get(time) ?? ++lastPillKey;
  pillKeys.set(time, key);
  return key;
};
const atTime = (one: WeekTime, time: string): WeekTime => {
  const changed = { ...one, time };
  pillKeys.set(changed, pillKeyOf(one));
  return changed;
};

const PlainWeekGrid = ({ times, online, disabled, onChange }: WeekGridProps) => {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<{ reason: string; times: readonly WeekTime[] }>();
  return (
    <div className={styles['scroll']}>
      <section aria-label={t('schedule.grid')} className={styles['grid']} onKeyDown={focusCellByKey}>
        <div aria-hidden="true" className={styles['hours']}>
          {hours
            .filter((hour) => hour % 2 === 0)
            .map((hour) => (
              <span key={hour}>{String(hour).padStart(2, '0')}</span>
            ))}
          <span>{hours.length}</span>
        </div>
        {weekDays.map((day) => (
          <DayRow
            day={day}
            disabled={disabled || times.length >= limits.schedules.times}
            key={day}
            onAdd={(time) => onChange({ times: sortTimes([...times, { day, time }]) })}
            online={online?.[day - 1]}
            takenTimes={times.filter((one) => one.day === day).map(({ time }) => time)}
          >
            {times
              .filter((one) => one.day === day)
              .map((one) => (
                <TimePill
                  disabled={disabled}
                  key={pillKeyOf(one)}
                  onChange={(time) =>
                    onChange({
                      times: sortTimes([
                        ...times.filter((other) => other !== one),
                        ...(time ? [atTime(one, time)] : []),
                      ]),
                    })
                  }
                  onRefused={(reason) => setRefused({ reason, times })}
                  takenTimes={times.filter((other) => other.day === day).map(({ time }) => time)}
                  time={one}
                />
              ))}
          </DayRow>
        ))}
      </section>
      {refused?.times === times ? (
        <p className={styles['error']} role="alert">
          {refused.reason}
        </p>
      ) : null}
    </div>
  );
};

/**
 * The week by hours, shaded by the share of SIMs online; a click adds a time, whose minutes can be changed in its pill. Each day
 * is one tab stop, followed by its pills; arrow keys move among the hours. Memoised, so that typing in a field next to it does not
 * re-render its 168 cells.
 */
export const WeekGrid = memo(PlainWeekGrid);

interface DayRowProps {
  day: number;
  online: readonly number[] | undefined;
  takenTimes: readonly string[];
  disabled: boolean;
  onAdd: (time: string) => void;
  children: ReactNode;
}

const DayRow = ({ day, online, takenTimes, disabled, onAdd, children }: DayRowProps) => {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const name = t(`schedule.days.${dayKey(day)}`);
  const row = useRef<HTMLDivElement>(null);
  const [visited, setVisited] = useState(9);
  const [added, setAdded] = useState<{ time: string }>();
  const free = hours.filter((hour) => !takenTimes.includes(toTime(hour)));
  const stop = hourOfStop(free, visited);
  const timeCount = useRef(takenTimes.length);
  // Not for a time that only changes as its field loses the focus: the focus is then on its way to another element.
  useLayoutEffect(() => {
    const isRemoved = takenTimes.length < timeCount.current;
    timeCount.current = takenTimes.length;
    if (isRemoved && isFocusLost(document.activeElement))
      row.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  }, [takenTimes.length]);
  useEffect(() => {
    const input = added && row.current?.querySelector<HTMLInputElement>(`[data-time="${added.time}"]`);
    input?.focus();
    input?.select();
  }, [added]);
  return (
    <>
      <span className={styles['day']} data-used={takenTimes.length > 0 ? 'true' : undefined}>
        {name}
      </span>
      <div className={styles['row']} ref={row}>
        {hours.map((hour) => {
          const time = toTime(hour);
          const share = online?.[hour];
          const shareText =
            share === undefined
              ? undefined
              : t('schedule.cell', { day: name, time, share: percent(share / 100) });
          return (
            <button
              aria-label={[t('schedule.addTime', { day: name, time }), shareText].filter(Boolean).join('. ')}
              className={styles['cell']}
              data-hour={hour}
              disabled={disabled || takenTimes.includes(time)}
              key={hour}
              onClick={({ detail }) => {
                onAdd(time);
                // Enter or Space, not a pointer: the focus moves to the pill, because the cell is disabled.
                if (detail === 0) setAdded({ time });
              }}
              onFocus={() => setVisited(hour)}
              style={{ '--share': `${Math.round((share ?? 0) * 0.42)}%` } as CSSProperties}
              tabIndex={hour === stop ? 0 : -1}
              title={shareText ?? `${name} ${time}`}
              type="button"
            />
          );
        })}
        {children}
      </div>
    </>
  );
};

interface TimePillProps {
  time: WeekTime;
  takenTimes: readonly string[];
  disabled: boolean;
  /** Removes the time if undefined. */
  onChange: (time: string | undefined) => void;
  /** The entered time was not accepted, for the reason. */
  onRefused: (reason: string) => void;
}

const TimePill = ({ time: { day, time }, takenTimes, disabled, onChange, onRefused }: TimePillProps) => {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  // Also after changes were discarded.
  useEffect(() => {
    if (input.current) input.current.value = time;
  }, [time]);
  const name = { day: t(`schedule.days.${dayKey(day)}`), time };
  const change = (target: HTMLInputElement): void => {
    const entered = target.value.trim();
    const newTime = timePattern.test(entered) ? entered.padStart(time.length, '0') : undefined;
    target.value = newTime ?? time;
    if (entered === time || newTime === time) return;
    if (newTime === undefined) onRefused(t('schedule.timeInvalid', { ...name, entered }));
    else if (!takenTimes.includes(newTime)) onChange(newTime);
    else {
      target.value = time;
      onRefused(t('schedule.timeTaken', { ...name, entered: newTime }));
    }
  };
  return (
    <span
      className={styles['pill']}
      style={{ insetInlineStart: `min(${(minutesOf(time) / 1440) * 100}%, 100% - 78px)` }}
    >
      <input
        aria-label={t('schedule.changeTime', name)}
        data-time={time}
        defaultValue={time}
        disabled={disabled}
        inputMode="numeric"
        maxLength={5}
        onBlur={({ target }) => change(target)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Enter') return;
          change(currentTarget);
          currentTarget.select();
        }}
        ref={input}
        type="text"
      />
      {disabled ? null : (
        <button aria-label={t('schedule.removeTime', name)} onClick={() => onChange(undefined)} type="button">
          <CloseOutlined />
        </button>
      )}
    </span>
  );
};
