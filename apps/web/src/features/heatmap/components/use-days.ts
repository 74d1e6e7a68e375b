import type { Heatmap } from '@simcube/contract/heatmap';
import { useTranslation } from 'react-i18next';
import { businessDays, now } from '../../../lib/time/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import type { Days } from '../period.ts';

/** Formats days, with their year if it is not the current one. */
export const useDays = () => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const year = businessDays.dayOf(now()).slice(0, 4);
  const day = (date: string): string =>
    date.startsWith(year) ? calendar.shortDay(date) : calendar.day(date);
  const period = ({ from, to }: Days): string => (from === to ? day(from) : `${day(from)} – ${day(to)}`);
  return {
    day,
    period,
    /** Names the comparison; empty if no day is compared. */
    comparison: ({ period: shown, compared, before }: Heatmap): string => {
      if (!compared) return '';
      return compared.to === shown.to
        ? t('heatmap.compared', { before: period(before) })
        : t('heatmap.comparedPart', { compared: period(compared), before: period(before) });
    },
  };
};
