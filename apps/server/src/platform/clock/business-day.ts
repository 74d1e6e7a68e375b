/**
 * The two daily cut-offs of the specification (section 9, "Daily usage cut-off"), known here and nowhere else:
 * 23:59 UTC+8 for the dashboard's charts, 23:59 UTC+0 for SIM usage and CDRs. A day therefore is a calendar
 * day at a fixed offset; its end is given as the first instant that is no longer in it.
 */
export interface BusinessDays {
  offsetMinutes: number;
  /** The day, `YYYY-MM-DD`, that the instant belongs to. */
  dayOf(at: Date): string;
  startOf(day: string): Date;
  /** Exclusive: the start of the next day. */
  endOf(day: string): Date;
  /** The month, `YYYY-MM`, that the instant belongs to. */
  monthOf(at: Date): string;
  startOfMonth(month: string): Date;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

export const daysAt = (offsetMinutes: number): BusinessDays => {
  const shift = offsetMinutes * minuteMs;
  const local = (at: Date): string => new Date(at.getTime() + shift).toISOString();
  const startOf = (day: string): Date => new Date(instantOf(day) - shift);
  return {
    offsetMinutes,
    dayOf: (at) => local(at).slice(0, 10),
    startOf,
    endOf: (day) => new Date(instantOf(day) - shift + dayMs),
    monthOf: (at) => local(at).slice(0, 7),
    startOfMonth: (month) => startOf(`${month}-01`),
  };
};

/** Days of the dashboard and of bundle cycles: cut at 23:59 UTC+8. */
export const dashboardDays = daysAt(480);

/** Days of a SIM's usage and of CDRs: cut at 23:59 UTC+0. */
export const usageDays = daysAt(0);

/** The day `count` days after `day` (before it when negative). */
export const addDays = (day: string, count: number): string =>
  new Date(instantOf(day) + count * dayMs).toISOString().slice(0, 10);

/** The month `count` months after `month` (before it when negative). */
export const addMonths = (month: string, count: number): string => {
  const first = new Date(instantOf(`${month}-01`));
  first.setUTCMonth(first.getUTCMonth() + count);
  return first.toISOString().slice(0, 7);
};

/** The days from `first` to `last`, both included; empty when `last` is before `first`. */
export const daysFrom = (first: string, last: string): string[] => {
  const count = Math.round((instantOf(last) - instantOf(first)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index));
};

/** @throws RangeError when the text is no calendar day. */
const instantOf = (day: string): number => {
  const at = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(at)) throw new RangeError('Not a calendar day');
  return at;
};
