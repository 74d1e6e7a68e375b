export { type Calendar, useCalendar } from './calendar.ts';
export {
  Ago,
  AsOf,
  clock,
  dateSecondsWidth,
  dateTimeWidth,
  dateWidth,
  momentWidth,
  Time,
  type TimeProps,
  type TimeStyle,
  useZoneName,
} from './time.tsx';
export { useNow } from './use-now.ts';
