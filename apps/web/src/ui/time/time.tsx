import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../lib/format/index.ts';
import { dayOf, now } from '../../lib/time/index.ts';
import { useNow } from './use-now.ts';

export type TimeStyle =
  | 'date'
  | 'shortDate'
  | 'time'
  | 'seconds'
  | 'moment'
  | 'dateTime'
  | 'dateSeconds'
  | 'exact';

export interface TimeProps {
  /** ISO 8601 instant; null is shown as a dash. */
  at: string | null;
  style?: TimeStyle;
}

/**
 * Widths of columns that contain a date, or a date and a time, in any language: 2026年11月22日 18:13. Logs show seconds, without the
 * year if they are stored for less than one.
 */
export const dateWidth = 132;
export const dateTimeWidth = 172;
export const dateSecondsWidth = 190;
export const momentWidth = 146;

/** An instant formatted by the language and the UTC/local switch; the exact one on hover, with seconds and zone. */
export const Time = ({ at, style = 'dateTime' }: TimeProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (at === null) return t('common.states.none');
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format[style](at)}
    </time>
  );
};

/** The time since an instant, updated continuously. */
export const Ago = ({ at }: { at: string }) => {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.exact(at)}>
      {format.relative(at, Math.max(now, Date.parse(at)))}
    </time>
  );
};

/** The time of day, with the date if it isn't today, and with its zone if that isn't the person's own. */
export const clock = (format: Format, at: string): string => {
  const isToday = dayOf(at, format.zone) === dayOf(new Date(now()).toISOString(), format.zone);
  const shown = isToday ? format.time(at) : format.shortDateTime(at);
  return format.zone === 'UTC' ? `${shown} UTC` : shown;
};

/** "as of 14:32 UTC" */
export const AsOf = ({ at }: { at: string | null }) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (at === null) return null;
  return (
    <time dateTime={at} title={format.exact(at)}>
      {t('common.time.asOf', { time: clock(format, at) })}
    </time>
  );
};

/** The name of the zone of the times on screen. */
export const useZoneName = (): string => {
  const { t } = useTranslation();
  return t(useFormat().zone === 'UTC' ? 'common.time.utc' : 'common.time.local');
};
