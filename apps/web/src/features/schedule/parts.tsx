import type { Schedule, ScheduleWhen } from '@simcube/contract/schedule';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { joinList } from '../../lib/format/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { instants } from '../../lib/time/index.ts';
import { Status, type Tone } from '../../ui/status/index.ts';
import { dayKey, dayRanges, sortTimes } from './zones.ts';

const tones: Record<Schedule['state'], Tone> = { enabled: 'teal', disabled: 'grey', ended: 'grey' };

export const ScheduleState = ({ schedule }: { schedule: Pick<Schedule, 'state' | 'in_progress'> }) => {
  const { t } = useTranslation();
  return schedule.in_progress ? (
    <Status live tone="teal">
      {t('schedule.runStates.running')}
    </Status>
  ) : (
    <Status tone={tones[schedule.state]}>{t(`schedule.states.${schedule.state}`)}</Status>
  );
};

/** The times in the schedule's zone as text: "Mon, Wed, Fri 06:30", "Mon–Fri 06:30", "Dec 24, 2026, 18:00". */
export const useTimesText = (): ((when: ScheduleWhen) => string[]) => {
  const { t } = useTranslation();
  const language = useLanguage();
  return useCallback(
    (when) => {
      if (when.mode === 'once') return [instants(language, 'UTC').format(`${when.at}Z`, 'dateTime')];
      const dayLabel = (day: number) => t(`schedule.days.${dayKey(day)}`);
      const byTime = new Map<string, number[]>();
      for (const { day, time } of sortTimes(when.times)) byTime.set(time, [...(byTime.get(time) ?? []), day]);
      return [...byTime].map(([time, days]) => {
        const ranges = dayRanges(days).map(([first, last]) =>
          first === last ? dayLabel(first) : `${dayLabel(first)}–${dayLabel(last)}`,
        );
        return `${joinList(ranges)} ${time}`;
      });
    },
    [t, language],
  );
};

/** The first and last day of weekly runs: "from Nov 9, 2026 until Mar 31, 2027"; null for a single run. */
export const useSpanText = (): ((when: ScheduleWhen) => string | null) => {
  const { t } = useTranslation();
  const language = useLanguage();
  return useCallback(
    (when) => {
      if (when.mode === 'once') return null;
      const day = (date: string) => instants(language, 'UTC').format(`${date}T00:00Z`, 'date');
      const from = day(when.from);
      return when.until === null
        ? t('schedule.endless', { from })
        : t('schedule.span', { from, until: day(when.until) });
    },
    [t, language],
  );
};
