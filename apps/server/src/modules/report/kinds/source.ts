import type { Language } from '@simcube/contract';
import type { ReportColumn, ReportSeries, ReportUnit } from '@simcube/contract/report';
import { phrase } from '@simcube/phrases';
import { type Cell, localTimeFormatter } from '../../../platform/files/index.ts';
import type { DayBounds, MonthBounds, OwnFigure } from '../report.rules.ts';

export interface ReportQuery extends DayBounds {
  orgId: number;
  /** Bills belong to months of business days, whatever the report's time zone. */
  month: string;
  /** So do cycles: to the month of business days in which they end. */
  cycles: MonthBounds;
}

/** The texts for the cells and labels of a report. */
export interface Formatter {
  language: Language;
  time: (at: Date | null) => string | null;
  country: (code: string | null) => string;
}

/** Adds up rows one by one: figures and picture are derived from the rows. */
export interface Tally<R> {
  add: (row: R) => void;
  figures: () => OwnFigure[];
  series: () => ReportSeries;
}

/** A kind of report: the statement for its rows, and how each row is shown. */
export interface Source<R> {
  columns: readonly (readonly [column: ReportColumn, unit: ReportUnit])[];
  rows: (query: ReportQuery) => { text: string; values: unknown[] };
  cells: (row: R, formatter: Formatter) => Cell[];
  tally: (formatter: Formatter) => Tally<R>;
}

/** A kind whose row type only its own file knows. */
export type AnySource = Source<never>;

export const createFormatter = (language: Language, timeZone: string): Formatter => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return {
    language,
    time: localTimeFormatter(timeZone),
    country: (code) => (code === null ? phrase(language, 'files.unknownCountry') : (names.of(code) ?? code)),
  };
};

export const series = (
  unit: ReportSeries['unit'],
  bars: ReportSeries['bars'],
  currency: string | null = null,
): ReportSeries => ({ unit, currency, bars });
