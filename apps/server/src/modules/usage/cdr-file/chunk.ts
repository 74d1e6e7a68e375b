import { hourMs } from '@simcube/contract/time';
import { dashboardDays, usageDays } from '../../../platform/clock/business-day.ts';
import { type CycleUsage, cycleOf } from '../usage.rules.ts';
import { UsageSums } from '../usage-sums.ts';
import type { ReadLines } from './line-reader.ts';
import type { RecordColumns } from './record-columns.ts';
import type { Chunk, ResolvedSim } from './records.ts';
import type { SimDirectory } from './sim-directory.ts';

export interface TimeRange {
  from: number;
  to: number;
}

/** Assigns each record its SIM, in the order of the store; records that can't be accepted are refused with their line. */
export const gatherChunk = (
  { columns, texts, refusals: earlierRefusals }: ReadLines,
  directory: SimDirectory,
  range: TimeRange,
): Chunk => {
  // A copy, so that the chunk keeps its basis when the directory changes.
  const sims = directory.sims.slice();
  const refusals = [...earlierRefusals];
  const owners = new Int32Array(columns.length);
  const counts = new Int32Array(sims.length);
  for (let position = 0; position < columns.length; position += 1) {
    const sim = directory.positionOf(columns.identifier[position] as number);
    const endedAt = columns.endedAt[position] as number;
    const isAccepted = sim >= 0 && endedAt >= range.from && endedAt < range.to;
    owners[position] = isAccepted ? sim : -1;
    if (isAccepted) counts[sim] = (counts[sim] as number) + 1;
    else {
      const reason = sim < 0 ? 'unknown-sim' : 'time-out-of-range';
      refusals.push({ line: columns.line[position] as number, reason });
    }
  }
  if (refusals.length > earlierRefusals.length) refusals.sort((a, b) => a.line - b.line);
  const chunk = { columns, texts, owners, sims, refusals };
  const acceptedCount = columns.length + earlierRefusals.length - refusals.length;
  const sorted = sortBySim(chunk, counts, acceptedCount);
  const order = withoutDuplicates(chunk, sorted);
  return { ...chunk, order, repeated: sorted.length - order.length };
};

type Unsorted = Pick<Chunk, 'columns' | 'owners' | 'sims'>;

/** Positions sorted by SIM, end and key. SIMs are sorted by counting; within a SIM, files are mostly in order already. */
const sortBySim = (
  { columns, owners, sims }: Unsorted,
  counts: Int32Array,
  acceptedCount: number,
): Int32Array => {
  const idOf = (sim: number): number => sims[sim]?.simId ?? 0;
  const presentSims: number[] = [];
  for (let sim = 0; sim < counts.length; sim += 1) if (counts[sim] !== 0) presentSims.push(sim);
  presentSims.sort((a, b) => idOf(a) - idOf(b));
  const next = new Int32Array(sims.length);
  let begin = 0;
  for (const sim of presentSims) {
    next[sim] = begin;
    begin += counts[sim] as number;
  }
  const order = new Int32Array(acceptedCount);
  const isUnsorted = new Uint8Array(sims.length);
  for (let position = 0; position < columns.length; position += 1) {
    const sim = owners[position] as number;
    if (sim < 0) continue;
    const at = next[sim] as number;
    order[at] = position;
    next[sim] = at + 1;
    const before = at > 0 ? (order[at - 1] as number) : -1;
    if (before >= 0 && owners[before] === sim && byTime(columns, before, position) > 0) isUnsorted[sim] = 1;
  }
  for (const sim of presentSims) {
    if (isUnsorted[sim] === 0) continue;
    const end = next[sim] as number;
    order.subarray(end - (counts[sim] as number), end).sort((a, b) => byTime(columns, a, b));
  }
  return order;
};

const byTime = ({ endedAt, key }: RecordColumns, a: number, b: number): number =>
  (endedAt[a] as number) - (endedAt[b] as number) || (key[a] as number) - (key[b] as number);

const withoutDuplicates = ({ columns, owners }: Unsorted, sorted: Int32Array): Int32Array => {
  let count = 0;
  const order = new Int32Array(sorted.length);
  for (const position of sorted) {
    const last = count > 0 ? (order[count - 1] as number) : -1;
    if (last >= 0 && owners[last] === owners[position] && byTime(columns, last, position) === 0) continue;
    order[count] = position;
    count += 1;
  }
  return order.subarray(0, count);
};

/** What a chunk adds to all stored usage. */
export interface ChunkUsage {
  hourly: UsageSums;
  daily: UsageSums;
  orgHourly: UsageSums;
  orgDaily: UsageSums;
  cycles: CycleUsage[];
  /** The organisation that each SIM was counted for. */
  owners: ReadonlyMap<number, number>;
}

const hoursOfDay = 24;
/** Hours begin where days do, because offsets are whole hours. */
const dayOf = (hour: number, days: { offsetMinutes: number }): number =>
  Math.floor((hour + days.offsetMinutes / 60) / hoursOfDay);

/** Sums up the records of a chunk. */
export const usageOf = ({ columns, owners, sims, order }: Chunk): ChunkUsage => {
  const hourly = new UsageSums(order.length);
  const cycles: CycleUsage[] = [];
  const orgs = new Map<number, number>();
  let cycle: CycleUsage | undefined;
  for (const position of order) {
    const sim = sims[owners[position] as number];
    if (!sim) continue;
    const endedAt = columns.endedAt[position] as number;
    const hour = Math.floor(endedAt / hourMs);
    const [plmn, radio] = [columns.plmn[position] as number, columns.radio[position] as number];
    const [up, down] = [columns.up[position] as number, columns.down[position] as number];
    hourly.add(hourly.positionOf(sim.simId, hour, plmn, radio), up, down, 1);
    if (cycle?.simId !== sim.simId) orgs.set(sim.simId, sim.orgId);
    if (!cycle || cycle.simId !== sim.simId || !isWithin(cycle, endedAt)) {
      cycle = cycleOfSim(sim, endedAt);
      cycles.push(cycle);
    }
    cycle.used += up + down;
  }
  const orgHourly = byOrganisation(hourly, orgs);
  return {
    hourly,
    daily: byDay(hourly, usageDays),
    orgHourly,
    orgDaily: byDay(orgHourly, dashboardDays),
    cycles,
    owners: orgs,
  };
};

const byOrganisation = (hours: UsageSums, orgs: ReadonlyMap<number, number>): UsageSums => {
  const sums = new UsageSums();
  let [simId, orgId] = [0, 0];
  for (let at = 0; at < hours.length; at += 1) {
    if (hours.owner[at] !== simId) {
      simId = hours.owner[at] as number;
      orgId = orgs.get(simId) ?? 0;
    }
    addTo(sums, hours, { at, owner: orgId, time: hours.time[at] as number });
  }
  return sums;
};

const byDay = (hours: UsageSums, days: { offsetMinutes: number }): UsageSums => {
  const sums = new UsageSums(hours.length);
  for (let at = 0; at < hours.length; at += 1) {
    const day = dayOf(hours.time[at] as number, days);
    addTo(sums, hours, { at, owner: hours.owner[at] as number, time: day });
  }
  return sums;
};

const addTo = (
  sums: UsageSums,
  { plmn, radio, up, down, records }: UsageSums,
  { at, owner, time }: { at: number; owner: number; time: number },
): void => {
  const position = sums.positionOf(owner, time, plmn[at] as number, radio[at] as number);
  sums.add(position, up[at] as number, down[at] as number, records[at] as number);
};

/** Usage from before its cycle stays separate: it may belong to a closed one. */
const isWithin = ({ startedAt, endsAt, before }: CycleUsage, at: number): boolean =>
  before === undefined && at >= startedAt && at < endsAt;

const cycleOfSim = ({ simId, resetCycle, activatedAt }: ResolvedSim, at: number): CycleUsage => {
  const bundle = resetCycle && { resetCycle };
  const cycle = cycleOf({ bundle, activatedAt }, new Date(at));
  const [startedAt, endsAt] = [cycle.startedAt.getTime(), cycle.endsAt.getTime()];
  return { simId, startedAt, endsAt, used: 0, limit: null, ...(at < startedAt && { before: at }) };
};
