import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCalendar } from '../../../ui/time/index.ts';
import styles from './days-brush.module.css';
import type { Amounts } from './use-amounts.ts';

export interface Span {
  first: number;
  last: number;
}

interface DaysBrushProps {
  days: readonly string[];
  amounts: readonly number[];
  /** The first day whose figure may still change. */
  provisionalFrom: string;
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
  const { shortDay } = useCalendar();
  const max = Math.max(1, ...amounts);
  const end = Math.max(0, days.filter((day) => day <= today).length - 1);
  const { isPlaying, toggle } = usePlaying({ end, span, onSpan, isShown, last: days.length - 1 });
  const dayText = (index: number) => `${shortDay(days[index] ?? '')}: ${format.text(amounts[index] ?? 0)}`;
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
        {t('heatmap.perDay', { unit: format.unitUpTo(max) })}
        <br />
        {t('heatmap.provisional')}
      </p>
      <div className={styles['field']}>
        <div className={styles['bars']}>
          {days.map((day, index) => (
            <span
              className={styles['bar']}
              data-chosen={index >= span.first && index <= span.last}
              data-provisional={day >= provisionalFrom}
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
              if (key === 'first') onSpan({ first: Math.min(to, span.last), last: span.last });
              else onSpan({ first: span.first, last: Math.max(to, span.first) });
            }}
            type="range"
            value={at}
          />
        ))}
        <div aria-hidden="true" className={styles['axis']}>
          <span>{shortDay(days[0] ?? '')}</span>
          <span>
            {span.first === 0 && span.last === days.length - 1
              ? null
              : span.first === span.last
                ? shortDay(days[span.first] ?? '')
                : `${shortDay(days[span.first] ?? '')} – ${shortDay(days[span.last] ?? '')}`}
          </span>
          <span>{shortDay(days.at(-1) ?? '')}</span>
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
