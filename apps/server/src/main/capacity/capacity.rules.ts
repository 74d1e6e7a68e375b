import {
  recordCosts,
  type StoredUnits,
  serverBytes,
  type TableCost,
  tableCosts,
  type Unit,
} from './capacity.costs.ts';

export interface CapacityInput {
  sims: number;
  /** Time between two reports of a session. */
  interimSeconds: number;
  /** Per SIM; together they last the whole day. */
  sessionsPerDay: number;
  /** The time for which tables without retention are calculated. */
  years: number;
  /** Disk and processors of one database node. */
  nodeBytes: number;
  nodeCores: number;
}

export interface TableGrowth {
  table: string;
  per: Unit;
  bytesEach: number;
  /** Undefined: nothing is dropped. */
  months: number | undefined;
  bytesPerDay: number;
  /** The maximum: just before the oldest month is dropped, or after the given years. */
  bytes: number;
}

export interface Capacity {
  recordsPerDayOfSim: { start: number; interim: number; stop: number };
  recordsPerSecond: { mean: number; busiest: number };
  tables: TableGrowth[];
  bytesPerDay: number;
  bytes: number;
  /** As planned for the busiest hour. */
  cores: { server: number; database: number };
  aaaProcesses: number;
  memory: { serverBytes: number; databaseBytes: number };
  nodes: { count: number; byDisk: number; byCores: number };
}

/** How a load is planned: the busiest hour relative to the mean, and the usable share of processors and disks. */
export const planning = { busiestHour: 2, usedCores: 0.5, usedDisk: 0.7 };

const daySeconds = 86_400;
const daysOfMonth = 30.4375;
const daysOfYear = 365.25;
/** Web and worker, in addition to those for accounting. */
const otherProcesses = 2;

/** What a number of SIMs needs, calculated from the costs of a record and a row. */
export const capacityOf = (input: CapacityInput): Capacity => {
  const { sims } = input;
  const records = recordsOfDay(input);
  const recordsPerSecond = (sims * (records.start + records.interim + records.stop)) / daySeconds;
  const units = unitsOfDay(records);
  const tables = tableCosts.map((cost) => growthOf(cost, { ...input, units }));
  const bytesPerDay = sum(tables.map((table) => table.bytesPerDay));
  const bytes = sum(tables.map((table) => table.bytes));
  const cores = coresOf(sims, { ...records, hour: units.hour });
  const aaaProcesses = Math.max(1, Math.ceil(cores.server));
  const byDisk = Math.ceil(bytes / (input.nodeBytes * planning.usedDisk));
  const byCores = Math.ceil(cores.database / input.nodeCores);
  return {
    recordsPerDayOfSim: records,
    recordsPerSecond: { mean: recordsPerSecond, busiest: recordsPerSecond * planning.busiestHour },
    tables,
    bytesPerDay,
    bytes,
    cores,
    aaaProcesses,
    memory: {
      serverBytes: (aaaProcesses + otherProcesses) * serverBytes,
      // What every record accesses: the rows of SIMs, and those that a day adds.
      databaseBytes: sum(tables.filter(({ per }) => per === 'SIM').map((table) => table.bytes)) + bytesPerDay,
    },
    nodes: { count: Math.max(byDisk, byCores, 1), byDisk, byCores },
  };
};

/** The size of each table for what is stored. */
export const bytesOfTables = (stored: StoredUnits): { table: string; per: Unit; bytes: number }[] =>
  tableCosts.map(({ table, per, bytes }) => ({ table, per, bytes: bytes * stored[per] }));

/** A session reports at each interval, and at its end in any case. */
const recordsOfDay = ({ interimSeconds, sessionsPerDay }: CapacityInput) => {
  const seconds = daySeconds / sessionsPerDay;
  const cdrs = sessionsPerDay * Math.max(1, Math.ceil(seconds / interimSeconds - 1e-9));
  return { start: sessionsPerDay, interim: cdrs - sessionsPerDay, stop: sessionsPerDay };
};

/** Every Interim-Update and every Stop creates a CDR; hours and days without one have no row. */
const unitsOfDay = ({ start, interim, stop }: Capacity['recordsPerDayOfSim']): StoredUnits => {
  const cdrs = interim + stop;
  return {
    SIM: 0,
    CDR: cdrs,
    hour: Math.min(24, cdrs),
    day: Math.min(1, cdrs),
    session: start,
    'session with CDRs': start,
  };
};

const growthOf = (
  { table, per, bytes: bytesEach, months }: TableCost,
  { sims, years, units }: CapacityInput & { units: StoredUnits },
): TableGrowth => {
  const bytesPerDay = sims * units[per] * bytesEach;
  // A month is dropped when its last day is old enough: until then there is one more month.
  const days = months === undefined ? years * daysOfYear : (months + 1) * daysOfMonth;
  return {
    table,
    per,
    bytesEach,
    months,
    bytesPerDay,
    bytes: per === 'SIM' ? sims * bytesEach : bytesPerDay * days,
  };
};

const coresOf = (sims: number, counts: Readonly<Record<keyof typeof recordCosts, number>>) => {
  const coresFor = (of: 'server' | 'database') => {
    const micros = sum(
      Object.entries(recordCosts).map(([kind, cost]) => counts[kind as keyof typeof recordCosts] * cost[of]),
    );
    return ((sims * micros) / 1e6 / daySeconds) * (planning.busiestHour / planning.usedCores);
  };
  return { server: coresFor('server'), database: coresFor('database') };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
