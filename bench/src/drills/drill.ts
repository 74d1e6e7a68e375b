/** Result of one kind of work during a drill. */
export interface Tally {
  what: string;
  /** Distinct items, not counting repetitions. */
  sent: number;
  acknowledged: number;
  stored: number;
  /** Acknowledged but not stored. */
  lost: number;
  /** Stored or done more than once. */
  doubled: number;
}

export interface DrillOptions {
  /** Duration of the faults. */
  minutes: number;
  /** Accounting packets per second. */
  rate: number;
  /** A built checkout of the previous version. */
  before?: string;
}

/** Environment of a drill. */
export interface DrillRun {
  options: DrillOptions;
  progress(text: string): void;
  /** Adds a note below the table. */
  note(text: string): void;
}

export type Drill = (run: DrillRun) => Promise<Tally[]>;

export const passed = (tallies: readonly Tally[]): boolean =>
  tallies.every(({ lost, doubled }) => lost === 0 && doubled === 0);

const headings = ['what', 'sent', 'acknowledged', 'stored', 'lost', 'doubled'];

/** Formats aligned rows with a heading. */
export const formatTable = (tallies: readonly Tally[]): string => {
  const rows = [
    headings,
    ...tallies.map(({ what, ...counts }) => [
      what,
      ...[counts.sent, counts.acknowledged, counts.stored, counts.lost, counts.doubled].map((count) =>
        count.toLocaleString('en-US'),
      ),
    ]),
  ];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return rows.map(lineOf).join('\n');
};
