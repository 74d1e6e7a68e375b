import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { businessDays } from '../../../lib/time/index.ts';
import styles from './days-brush.module.css';
import type { Amounts } from './use-amounts.ts';
import { useDays } from './use-days.ts';

export interface Span {
  first: number;
  last: number;
}

interface DaysBrushProps {
  days: readonly string[];
  /** Those of the days; none while they are loading, null if they are not counted. */
  amounts: readonly (number | null)[];
  /** The first day whose figure may still change. */
  provisionalFrom: string | undefined;
  /** The current day; later ones have no data yet. */
  today: string;
  span: Span;
  onSpan: (span: Span) => void;
  format: Amounts;
  /** The figures of the span are on the map: while playing, the next day may follow. */
  isShown: boolean;
}

const stepMs = 900;

/** The period's days as bars: a span of them can be chosen, and played day by day. */
export const DaysBrush = (props: DaysBrushProps) => {
  const { days, amounts, provisionalFrom, today, span, onSpan, format, isShown } = props;
  const { t } = useTranslation();
  const { day: nameOf, period } = useDays();
  const max = Math.max(1, ...amounts.map((amount) => amount ?? 0));
  const end = Math.max(0, days.filter((day) => day <= today).length - 1);
  const { isPlaying, toggle } = usePlaying({ end, span, onSpan, isShown, last: days.length - 1 });
  const dayText = (index: number): string => {
    const day = nameOf(days[index] ?? '');
    const amount = amounts[index];
    if (amount === undefined) return day;
    return `${day}: ${amount === null ? t('heatmap.uncounted') : format.text(amount)}`;
  };
  const ends = [
    { key: 'first', label: t('heatmap.firstDay'), at: span.first },
    { key: 'last', label: t('heatmap.lastDay'), at: span.last },
  ] as const;
  return (
    <div className={styles['brush']}>
      <button
        aria-label={t(isPlaying ? 'heatmap.pause' : 'heatmap.play')}
        className={styles['play']}
        onClick={toggle}
        type="button"
      >
        <svg aria-hidden="true" fill="currentColor" height="12" viewBox="0 0 12 12" width="12">
          <path d={isPlaying ? 'M2 1h3v10H2zM7 1h3v10H7z' : 'M3 1l8 5-8 5z'} />
        </svg>
      </button>
      <p className={styles['note']}>
        {format.unitPerDay(max)}
        <br />
        {t('heatmap.provisional')}
        <br />
        {t('heatmap.cutOff', { zone: businessDays.zone() })}
      </p>
      <div className={styles['field']}>
        <div className={styles['bars']}>
          {days.map((day, index) => (
            <span
              className={styles['bar']}
              data-chosen={index >= span.first && index <= span.last}
              data-provisional={provisionalFrom !== undefined && day >= provisionalFrom}
              key={day}
              style={{ height: `${Math.max(1, (100 * (amounts[index] ?? 0)) / max)}%` }}
              title={dayText(index)}
            />
          ))}
        </div>
        {ends.map(({ key, label, at }) => (
          <input
            aria-label={label}
            aria-valuetext={dayText(at)}
            className={styles['end']}
            key={key}
            max={days.length - 1}
            min={0}
            onChange={({ target }) => {
              const to = Number(target.value);
              // Pushes the other end along: at the same day they cover each other, and only one can be dragged.
              if (key === 'first') onSpan({ first: to, last: Math.max(to, span.last) });
              else onSpan({ first: Math.min(to, span.first), last: to });
            }}
            type="range"
            value={at}
          />
        ))}
        <div aria-hidden="true" className={styles['axis']}>
          <span>{nameOf(days[0] ?? '')}</span>
          <span>
            {span.first === 0 && span.last === days.length - 1
              ? null
              : period({ from: days[span.first] ?? '', to: days[span.last] ?? '' })}
          </span>
          <span>{nameOf(days.at(-1) ?? '')}</span>
        </div>
      </div>
    </div>
  );
};

/** Plays day after day, each once the previous one is on the map; at the end, shows all days again. */
const usePlaying = (
  playing: Pick<DaysBrushProps, 'span' | 'onSpan' | 'isShown'> & { end: number; last: number },
) => {
  const { span, onSpan, isShown, end, last } = playing;
  const [isPlaying, setPlaying] = useState(false);
  const shown = span.first;
  const next = useEffectEvent((after: number) => {
    if (after < end) return onSpan({ first: after + 1, last: after + 1 });
    setPlaying(false);
    onSpan({ first: 0, last });
  });
  useEffect(() => {
    if (!isPlaying || !isShown) return;
    const timer = setTimeout(() => next(shown), stepMs);
    return () => clearTimeout(timer);
  }, [isPlaying, isShown, shown]);
  const toggle = (): void => {
    // Continues from a single day that is shown; otherwise starts with the first.
    const from = span.first === span.last && span.first < end ? span.first : 0;
    if (!isPlaying) onSpan({ first: from, last: from });
    setPlaying(!isPlaying);
  };
  return { isPlaying, toggle };
};
