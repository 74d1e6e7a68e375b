export { type Calendar, useCalendar } from './calendar.ts';
export { CycleSpan, lastMomentOf } from './cycle-span.tsx';
export { Ago, AsOf, clock, dateTimeWidth, dateWidth, Time, type TimeProps, type TimeStyle } from './time.tsx';
export { useNow } from './use-now.ts';
