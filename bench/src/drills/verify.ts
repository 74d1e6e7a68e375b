import { runSimcube } from '../product.ts';
import type { Drill, Tally } from './drill.ts';

/** Output of `simcube usage verify --json`: a line for each difference, then the totals. */
export interface UsageLine {
  recordedBytes?: string;
  storedBytes?: string;
  sims?: number;
  pools?: number;
}

/** Output of `simcube bills check --all --json`. */
export interface BillLine {
  mismatches: { billed: string; computed: string }[];
}

/** Compares counters and bills with the records of the installation in the environment or `simcube.env`; read-only. */
export const verify: Drill = async ({ note }) => verifyInstallation(process.env, note);

const verifyInstallation = (settings: NodeJS.ProcessEnv, note: (text: string) => void): Tally[] => {
  const bills = runJson<BillLine>(settings, ['bills', 'check', '--all', '--json']);
  const differs = bills.lines.some(({ mismatches }) => mismatches.length > 0);
  if (bills.status !== 0 && !differs) throw new Error(`simcube bills check failed: ${bills.errors}`);
  return [...usageTallies(verifyUsage(settings)), ...billTallies(bills.lines, note)];
};

/** A line for each difference, then the totals. */
export const verifyUsage = (settings: NodeJS.ProcessEnv): UsageLine[] => {
  const { lines, errors } = runJson<UsageLine>(settings, ['usage', 'verify', '--json']);
  if (lines.at(-1)?.sims === undefined) throw new Error(`simcube usage verify failed: ${errors}`);
  return lines;
};

/** With differences, the command exits like on failure, but its output contains them. */
const runJson = <T>(settings: NodeJS.ProcessEnv, args: readonly string[]) => {
  const { status, stdout, stderr } = runSimcube(settings, args);
  const lines = stdout.split('\n').filter(Boolean);
  return { status, errors: stderr.slice(-2000), lines: lines.map((line) => JSON.parse(line) as T) };
};

interface Difference {
  stored: string;
  computed: string;
}

/** Lost: in the records but not in the stored totals; doubled: stored beyond the records. */
const tallyOf = (what: string, count: number, differences: readonly Difference[]): Tally => {
  const doubled = differences.filter(({ stored, computed }) => BigInt(stored) > BigInt(computed)).length;
  return {
    what,
    sent: count,
    acknowledged: count,
    stored: count,
    lost: differences.length - doubled,
    doubled,
  };
};

export const usageTallies = (lines: readonly UsageLine[]): Tally[] => {
  const sums = lines.at(-1);
  const differences = lines
    .slice(0, -1)
    .map(({ recordedBytes = '0', storedBytes = '0' }) => ({ stored: storedBytes, computed: recordedBytes }));
  return [
    tallyOf('counters and rollups of SIMs and pools', (sums?.sims ?? 0) + (sums?.pools ?? 0), differences),
  ];
};

export const billTallies = (bills: readonly BillLine[], note: (text: string) => void): Tally[] => {
  if (bills.length === 0) note('There is no bill in force to compute again.');
  const mismatches = bills.flatMap((bill) => bill.mismatches);
  return [
    tallyOf(
      'bills',
      bills.length,
      mismatches.map(({ billed, computed }) => ({ stored: billed, computed })),
    ),
  ];
};
