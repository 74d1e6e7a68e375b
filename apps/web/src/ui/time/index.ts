export { type Calendar, useCalendar } from './calendar.ts';
export { Ago, AsOf, clock, dateTimeWidth, dateWidth, Time, type TimeProps, type TimeStyle } from './time.tsx';
export { useNow } from './use-now.ts';
