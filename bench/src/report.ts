import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

/** One line of the table. A line without a budget explains the others. */
export interface Measurement {
  what: string;
  measured: number;
  unit: string;
  baseline?: number;
  /** Ratio to the baseline; whether more or less is better depends on the budget, so each section states it. */
  ratio?: number;
  budget?: string;
  met?: boolean;
  /** Shown below the line: percentiles, processor time by user, checks. */
  details?: Record<string, number | string>;
}

export interface SectionResult {
  section: string;
  lines: Measurement[];
  notes: string[];
  seconds: number;
  loadBefore: number;
}

const numberText = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 10 ? 1 : 2 });

const verdict = ({ met }: Measurement): string => {
  if (met === undefined) return '';
  return met ? 'met' : 'NOT MET';
};

const cells = (line: Measurement): string[] => [
  line.what,
  `${numberText(line.measured)} ${line.unit}`,
  line.baseline === undefined ? '' : `${numberText(line.baseline)} ${line.unit}`,
  line.ratio === undefined ? '' : `${line.ratio.toFixed(2)} ×`,
  line.budget ?? '',
  verdict(line),
];

const headings = ['what', 'measured', 'baseline', 'ratio', 'budget', ''];

export const printSection = ({ section, lines, notes, seconds }: SectionResult): void => {
  const rows = [headings, ...lines.map(cells)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const print = (row: string[]) =>
    console.log(
      `  ${row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')}`.trimEnd(),
    );
  console.log(`\n${section} (${Math.round(seconds)} s)`);
  for (const row of rows) print(row);
  for (const note of notes) console.log(`  · ${note}`);
};

/** The measured machine; absolute figures are meaningless without it. */
const machine = () => ({
  processors: cpus().length,
  model: cpus()[0]?.model ?? 'unknown',
  memoryBytes: totalmem(),
  node: process.version,
  loadAverage: loadavg(),
});

const commit = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
};

/** @returns the path of the file */
export const writeResults = (directory: string, results: SectionResult[]): string => {
  mkdirSync(directory, { recursive: true });
  const at = new Date().toISOString();
  const path = join(directory, `${at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(
    path,
    `${JSON.stringify({ at, commit: commit(), machine: machine(), results }, undefined, 2)}\n`,
  );
  return path;
};

/** The value below which the share `q` of the samples is. */
export const quantile = (samples: readonly number[], q: number): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};

export const median = (samples: readonly number[]): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [high = Number.NaN, low = high] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
};
