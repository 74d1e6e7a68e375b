import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { limits } from '@simcube/contract';
import { addDays, addMonths, instantOf } from '@simcube/contract/days';
import { dayMs, minuteMs } from '@simcube/contract/time';

export { addDays, addMonths };

/**
 * The two daily cut-offs of the specification (section 9, "Daily usage cut-off"), known only here: 23:59 UTC+8
 * for the dashboard's charts, 23:59 UTC+0 for SIM usage and CDRs. So a day is a calendar day at a fixed offset;
 * its end is the first instant after it.
 */
export interface BusinessDays {
  readonly offsetMinutes: number;
  /** `UTC+8` */
  readonly zone: string;
  /** The day, `YYYY-MM-DD`, that contains the instant. */
  dayOf(at: Date): string;
  startOf(day: string): Date;
  /** Exclusive: the start of the next day. */
  endOf(day: string): Date;
  /** The month, `YYYY-MM`, that contains the instant. */
  monthOf(at: Date): string;
  startOfMonth(month: string): Date;
}

export const daysAt = (offsetMinutes: number): BusinessDays => daysBy(() => offsetMinutes);

const daysBy = (offsetOf: () => number): BusinessDays => {
  const shift = (): number => offsetOf() * minuteMs;
  const local = (at: Date): string => new Date(at.getTime() + shift()).toISOString();
  const startOf = (day: string): Date => new Date(instantOf(day) - shift());
  return {
    get offsetMinutes() {
      return offsetOf();
    },
    get zone() {
      return zoneOf(offsetOf());
    },
    dayOf: (at) => local(at).slice(0, 10),
    startOf,
    endOf: (day) => new Date(instantOf(day) - shift() + dayMs),
    monthOf: (at) => local(at).slice(0, 7),
    startOfMonth: (month) => startOf(`${month}-01`),
  };
};

const zoneOf = (offsetMinutes: number): string => {
  const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  if (offsetMinutes === 0) return 'UTC';
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
};

/** Worker threads start with the process's value. */
const dayOffsetName = 'simcube.dayOffset';
const offsetOfProcess = getEnvironmentData(dayOffsetName);
let dayOffset = typeof offsetOfProcess === 'number' ? offsetOfProcess : limits.dayOffset.usual;

/**
 * Call once, before any day is computed: the hours by which the installation's business days are ahead of UTC,
 * a whole number.
 */
export const setDayOffset = (hours: number): void => {
  dayOffset = hours;
  setEnvironmentData(dayOffsetName, hours);
};

/**
 * Days of the dashboard, cycles, pools, tariffs, bills, reports and SMS quotas: they end at 23:59 UTC+8, unless
 * the installation was made with another offset.
 */
export const dashboardDays = daysBy(() => dayOffset * 60);

/** Days of a SIM's usage and of CDRs: they end at 23:59 UTC+0. */
export const usageDays = daysAt(0);

/** The days from `first` to `last`, both included; empty when `last` is before `first`. */
export const daysFrom = (first: string, last: string): string[] => {
  const count = Math.round((instantOf(last) - instantOf(first)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index));
};
