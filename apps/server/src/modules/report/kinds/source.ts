import type { Language } from '@simcube/contract';
import type { ReportColumn, ReportSeries, ReportUnit } from '@simcube/contract/report';
import { phrase } from '@simcube/phrases';
import { type Cell, localTimes } from '../../../platform/files/index.ts';
import type { DayBounds, OwnFigure } from '../report.rules.ts';

export interface ReportQuestion extends DayBounds {
  orgId: number;
  /** Bills are of months of business days, whatever the zone of the report. */
  month: string;
}

/** What the cells and labels of a report are written with. */
export interface Words {
  language: Language;
  time: (at: Date | null) => string | null;
  country: (code: string | null) => string;
}

/** Adds rows up, one by one: figures and picture are what the rows come to. */
export interface Tally<R> {
  add: (row: R) => void;
  figures: () => OwnFigure[];
  series: () => ReportSeries;
}

/** A kind of reports: its rows as one statement, and what is made of each. */
export interface Source<R> {
  columns: readonly (readonly [column: ReportColumn, unit: ReportUnit])[];
  rows: (question: ReportQuestion) => { text: string; values: unknown[] };
  cells: (row: R, words: Words) => Cell[];
  tally: (words: Words) => Tally<R>;
}

/** A kind whose rows only its own file knows. */
export type AnySource = Source<never>;

export const wordsOf = (language: Language, timeZone: string): Words => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return {
    language,
    time: localTimes(timeZone),
    country: (code) => (code === null ? phrase(language, 'files.unknownCountry') : (names.of(code) ?? code)),
  };
};

export const series = (
  unit: ReportSeries['unit'],
  bars: ReportSeries['bars'],
  currency: string | null = null,
): ReportSeries => ({ unit, currency, bars });
