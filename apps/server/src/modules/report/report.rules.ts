import { limits } from '@simcube/contract';
import type { ReportFigure, ReportSeries } from '@simcube/contract/report';
import { dayMs } from '@simcube/contract/time';
import { addMonths, dashboardDays } from '../../platform/clock/business-day.ts';

/**
 * Business days of the month from which reports are made, and by whose end all are ready (specification,
 * section 9).
 */
const firstDay = '05';
const dayAfterLast = '09';

export interface DueMonth {
  /** The previous month. */
  month: string;
  from: Date;
  /** The end of the last day: kinds that are switched on later begin with the next month. */
  readyBy: Date;
}

/** Number of months before the last one whose missing reports are still made: no worker ran, or reports failed. */
const awaitedMonths = 3;

/** The months whose reports are due at a time, the oldest first; the last one from the 5th on. */
export const dueMonthsAt = (now: Date): string[] => {
  const last = lastMonth(now);
  const months = Array.from({ length: awaitedMonths + 1 }, (_, index) =>
    addMonths(last, index - awaitedMonths),
  );
  return months.filter((month) => now >= dueMonth(month).from);
};

/** The month of business days before the one that contains an instant. */
export const lastMonth = (now: Date): string => addMonths(dashboardDays.monthOf(now), -1);

/** When the reports of a month are made. */
export const dueMonth = (month: string): DueMonth => {
  const next = addMonths(month, 1);
  return {
    month,
    from: dashboardDays.startOf(`${next}-${firstDay}`),
    readyBy: dashboardDays.startOf(`${next}-${dayAfterLast}`),
  };
};

/** The first month whose reports are made by the current preferences. */
export const nextDueMonth = (now: Date): DueMonth => {
  const due = dueMonth(lastMonth(now));
  return now < due.readyBy ? due : dueMonth(dashboardDays.monthOf(now));
};

/** The oldest month that is retained. */
export const oldestRetainedMonth = (now: Date): string =>
  addMonths(dashboardDays.monthOf(now), -limits.reports.months);

export interface MonthBounds {
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** A calendar month of a time zone. */
export const boundsOf = (month: string, timeZone: string): MonthBounds => ({
  from: startOfMonth(month, timeZone),
  until: startOfMonth(addMonths(month, 1), timeZone),
});

/** A month of business days, in which bills and cycles are counted. */
export const businessMonth = (month: string): MonthBounds => ({
  from: dashboardDays.startOfMonth(month),
  until: dashboardDays.startOfMonth(addMonths(month, 1)),
});

const startOfMonth = (month: string, timeZone: string): Date => {
  const local = Date.parse(`${month}-01T00:00:00Z`);
  // The offset depends on the instant itself, so a second step is needed.
  const estimate = local - offsetAt(timeZone, local);
  return new Date(local - offsetAt(timeZone, estimate));
};

const offsetAt = (timeZone: string, at: number): number => {
  const shown = new Date(at).toLocaleString('sv-SE', { timeZone });
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - at;
};

export interface DayBounds extends MonthBounds {
  /** The days (UTC) that are completely within the month; the time before and after them is read by the hour. */
  firstDay: Date;
  lastDay: Date;
}

export const daysWithin = ({ from, until }: MonthBounds): DayBounds => ({
  from,
  until,
  firstDay: new Date(Math.ceil(from.getTime() / dayMs) * dayMs),
  lastDay: new Date(Math.floor(until.getTime() / dayMs) * dayMs),
});

export type OwnFigure = Omit<ReportFigure, 'before'>;

export const figure = (name: ReportFigure['figure'], unit: 'count' | 'bytes', value: number): OwnFigure => ({
  figure: name,
  unit,
  currency: null,
  value,
});

/** Figures compared with those of the previous month, if that has them. */
export const compareFigures = (own: readonly OwnFigure[], before: readonly OwnFigure[]): ReportFigure[] =>
  own.map((one) => {
    const other = before.find(
      ({ figure: name, currency }) => name === one.figure && currency === one.currency,
    );
    return { ...one, before: other?.value ?? null };
  });

type Bar = ReportSeries['bars'][number];

/** The largest sums as bars, the others combined in one. */
export const largestBars = (sums: ReadonlyMap<string, number>, others: string): Bar[] => {
  const all = [...sums]
    .filter(([, value]) => value !== 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const isCut = all.length > limits.reports.bars;
  const shown = isCut ? all.slice(0, limits.reports.bars - 1) : all;
  const rest = all.slice(shown.length).reduce((sum, [, value]) => sum + value, 0);
  return [...shown, ...(isCut ? [[others, rest] as const] : [])].map(([label, value]) => ({
    label,
    value,
    tone: 'plain',
  }));
};

/** Adds a value to a map's entry. */
export const addToSum = <K extends string>(sums: Map<K, number>, key: K, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value);
};

const shareSteps = [10, 20, 30, 40, 50, 60, 70, 80, 100] as const;

/** A share in whole percent: what is over the whole is never 100. */
export const percentOf = (used: number | null, whole: number | null): number | null => {
  if (used === null || !whole) return null;
  const percent = Math.round((used * 100) / whole);
  return used > whole ? Math.max(percent, 101) : percent;
};

/** SIMs by the used share of their quota: zero, shares up to all of it, more. */
export const createShareBars = () => {
  const counts = Array.from({ length: shareSteps.length + 2 }, () => 0);
  return {
    add: (used: number, quota: number | null): void => {
      const index = used === 0 ? 0 : quota === null ? undefined : stepOf(used, quota);
      if (index !== undefined) counts[index] = (counts[index] ?? 0) + 1;
    },
    /** Those in the last bar. */
    over: (): number => counts.at(-1) ?? 0,
    bars: (): Bar[] =>
      counts.map((value, index) => {
        const step = shareSteps[index - 1];
        if (index === 0) return { label: '0', value, tone: 'idle' };
        return step === undefined
          ? { label: '> 100', value, tone: 'over' }
          : { label: `≤ ${step}`, value, tone: 'plain' };
      }),
  };
};

const stepOf = (used: number, quota: number): number => {
  const step = shareSteps.findIndex((share) => used * 100 <= quota * share);
  return step === -1 ? shareSteps.length + 1 : step + 1;
};
