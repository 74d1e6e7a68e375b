export { instants, type TimeZoneChoice } from './instants.ts';
export { setTimeDisplay, useTimeDisplay } from './time-display.ts';
