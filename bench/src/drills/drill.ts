/** What came of one kind of work that went on during a drill. */
export interface Tally {
  what: string;
  /** Each thing once, however often it was repeated. */
  sent: number;
  acknowledged: number;
  stored: number;
  /** Acknowledged, and not stored. */
  lost: number;
  /** Stored or done more than once. */
  doubled: number;
}

export interface DrillOptions {
  /** How long faults go on. */
  minutes: number;
  /** Accounting packets a second. */
  rate: number;
  /** A checkout of the former version, built. */
  before?: string;
}

/** What a drill is handed. */
export interface DrillRun {
  options: DrillOptions;
  progress(text: string): void;
  /** Said below the table. */
  note(text: string): void;
}

export type Drill = (run: DrillRun) => Promise<Tally[]>;

export const passed = (tallies: readonly Tally[]): boolean =>
  tallies.every(({ lost, doubled }) => lost === 0 && doubled === 0);

const headings = ['what', 'sent', 'acknowledged', 'stored', 'lost', 'doubled'];

/** Rows of equal width, with a heading. */
export const tableOf = (tallies: readonly Tally[]): string => {
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
