export { businessDays } from './business-days.ts';
export { dayOf, endOfDay, startOfDay } from './days.ts';
export { type InstantStyle, instants, type TimeZoneChoice } from './instants.ts';
export { now } from './now.ts';
export { deviceTimeZone, displayedTimeZone, setTimeDisplay, useTimeDisplay } from './time-display.ts';
