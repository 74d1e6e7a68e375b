import type { CycleUsage, UsageOfHour } from '../usage.rules.ts';
import { hash53 } from '../usage-hash.rules.ts';
import type { CdrLayout } from './cdr-columns.rules.ts';
import { type CdrLine, type RefusalReason, readCdrLine } from './cdr-line.rules.ts';
import type { FileLine } from './lines.ts';
import type { CdrRow, KnownSim, Refusal } from './records.ts';
import { cycleOfSim, type SimDirectory } from './resolve.ts';

export interface Chunk {
  rows: CdrRow[];
  refusals: Refusal[];
  /** Records that stand twice within the chunk. */
  repeated: number;
}

export interface ReadLine {
  number: number;
  line: CdrLine | RefusalReason;
}

export const readLines = (lines: readonly FileLine[], layout: CdrLayout): ReadLine[] => {
  const read: ReadLine[] = [];
  for (const { number, text } of lines) {
    // The header, and lines that hold nothing.
    if (number === 1 || text === '') continue;
    read.push({ number, line: text === undefined ? 'line-too-long' : readCdrLine(text, layout) });
  }
  return read;
};

export interface TimeRange {
  from: number;
  to: number;
}

/** Gives each record its SIM and its key, in the order of the store; what can't be taken is refused with its line. */
export const gatherChunk = (lines: readonly ReadLine[], directory: SimDirectory, range: TimeRange): Chunk => {
  const refusals: Refusal[] = [];
  const rows: CdrRow[] = [];
  for (const { number, line } of lines) {
    if (typeof line === 'string') {
      refusals.push({ line: number, reason: line });
      continue;
    }
    const sim = directory.find(line.identifier);
    if (!sim) refusals.push({ line: number, reason: 'unknown-sim' });
    else if (line.endedAt < range.from || line.endedAt >= range.to) {
      refusals.push({ line: number, reason: 'time-out-of-range' });
    } else rows.push(rowOf(line, sim));
  }
  rows.sort(byKey);
  const once = rows.filter((row, index) => {
    const before = rows[index - 1];
    return !before || byKey(before, row) !== 0;
  });
  return { rows: once, refusals, repeated: rows.length - once.length };
};

const rowOf = (line: CdrLine, sim: KnownSim): CdrRow => ({
  sim,
  dedupeKey: hash53(line.record),
  startedAt: line.startedAt,
  endedAt: line.endedAt,
  up: line.up,
  down: line.down,
  plmn: line.plmn,
  radio: line.radio,
  apn: line.apn,
  cell: line.cell,
});

const byKey = (a: CdrRow, b: CdrRow): number =>
  a.sim.simId - b.sim.simId || a.endedAt - b.endedAt || a.dedupeKey - b.dedupeKey;

const hourMs = 3_600_000;

/** What the rows add to the rollups: rows come sorted by SIM and time, so equal hours follow one another. */
export const usageOf = (rows: readonly CdrRow[]): UsageOfHour[] => {
  const usage: UsageOfHour[] = [];
  let last: UsageOfHour | undefined;
  for (const { sim, endedAt, plmn, radio, up, down } of rows) {
    const hourAt = endedAt - (endedAt % hourMs);
    if (last?.simId === sim.simId && last.hourAt === hourAt && last.plmn === plmn && last.radio === radio) {
      last.up += up;
      last.down += down;
      last.records += 1;
    } else {
      last = { simId: sim.simId, orgId: sim.orgId, hourAt, plmn, radio, up, down, records: 1 };
      usage.push(last);
    }
  }
  return usage;
};

export const cyclesOf = (rows: readonly CdrRow[]): CycleUsage[] => {
  const cycles: CycleUsage[] = [];
  let last: CycleUsage | undefined;
  for (const { sim, endedAt, up, down } of rows) {
    if (last?.simId === sim.simId && endedAt >= last.startedAt && endedAt < last.endsAt) {
      last.used += up + down;
      continue;
    }
    const { startedAt, endsAt } = cycleOfSim(sim, endedAt);
    last = { simId: sim.simId, startedAt, endsAt, used: up + down, limit: null };
    cycles.push(last);
  }
  return cycles;
};
