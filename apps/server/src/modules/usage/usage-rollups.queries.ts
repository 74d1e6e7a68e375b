import type pg from 'pg';
import { dashboardDays, usageDays } from '../../platform/clock/business-day.ts';
import {
  copyRows,
  dateColumn,
  int2Column,
  int4Column,
  int8Column,
  timestampColumn,
} from '../../platform/db/index.ts';
import type { CycleUsage, UsageOfHour } from './usage.rules.ts';
import type { UsageSums } from './usage-sums.ts';

/** A statement to send, alone or among others in a pipeline. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Days since 1970 of the business day that an instant belongs to. Hours begin where days do: offsets are whole hours. */
const dayNumber = (at: number, days: { offsetMinutes: number }): number =>
  Math.floor((at + days.offsetMinutes * minuteMs) / dayMs);

const volumes = (from: number) => `$${from}::bigint[], $${from + 1}::bigint[], $${from + 2}::integer[]`;

const valueColumns = ['plmn', 'radio', 'up_bytes', 'down_bytes', 'records'];

/** The tables; `time` is a count of hours or of days. */
const rollups = {
  hourly: { table: 'usage_hourly', owner: 'sim_id', time: 'hour_at', isHourly: true },
  daily: { table: 'usage_daily', owner: 'sim_id', time: 'day_on', isHourly: false },
  orgHourly: { table: 'org_usage_hourly', owner: 'org_id', time: 'hour_at', isHourly: true },
  orgDaily: { table: 'org_usage_daily', owner: 'org_id', time: 'day_on', isHourly: false },
};
export type Rollup = keyof typeof rollups;

const addTo = ({ table, owner, time, isHourly }: (typeof rollups)[Rollup]) => `
  insert into ${table} as t (${owner}, ${time}, ${valueColumns.join(', ')})
  select * from unnest($1::bigint[], $2::${isHourly ? 'timestamptz' : 'date'}[], $3::integer[], $4::smallint[],
    ${volumes(5)})
  on conflict (${owner}, ${time}, plmn, radio) do update set up_bytes = t.up_bytes + excluded.up_bytes,
    down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records`;

const statements: Record<Rollup, string> = {
  hourly: addTo(rollups.hourly),
  daily: addTo(rollups.daily),
  orgHourly: addTo(rollups.orgHourly),
  orgDaily: addTo(rollups.orgDaily),
};

interface Sum {
  owner: number;
  time: number;
  plmn: number;
  radio: number;
  up: number;
  down: number;
  records: number;
}

const volumeColumns = (rows: Sum[]) => [
  int4Column(rows, (row) => row.plmn),
  int2Column(rows, (row) => row.radio),
  int8Column(rows, (row) => row.up),
  int8Column(rows, (row) => row.down),
  int4Column(rows, (row) => row.records),
];

const byHour = (rows: Sum[]) => [
  int8Column(rows, (row) => row.owner),
  timestampColumn(rows, (row) => row.time),
  ...volumeColumns(rows),
];

const byDay = (rows: Sum[]) => [
  int8Column(rows, (row) => row.owner),
  dateColumn(rows, (row) => row.time),
  ...volumeColumns(rows),
];

/** Adds usage to the rollups by SIM. */
export const simUsage = (usage: readonly UsageOfHour[]): Statement[] => {
  if (usage.length === 0) return [];
  const hourly = summed(
    usage,
    (row) => row.simId,
    (row) => row.hourAt,
  );
  const daily = summed(
    usage,
    (row) => row.simId,
    (row) => dayNumber(row.hourAt, usageDays),
  );
  return [
    { name: 'usage-add-hourly', text: statements.hourly, values: byHour(hourly) },
    { name: 'usage-add-daily', text: statements.daily, values: byDay(daily) },
  ];
};

/**
 * Adds usage to the rollups by organisation. All batches of an organisation meet in these rows: written last, they
 * are locked only for the commit.
 */
export const orgUsage = (usage: readonly UsageOfHour[]): Statement[] => {
  if (usage.length === 0) return [];
  const hourly = summed(
    usage,
    (row) => row.orgId,
    (row) => row.hourAt,
  );
  const daily = summed(
    usage,
    (row) => row.orgId,
    (row) => dayNumber(row.hourAt, dashboardDays),
  );
  return [
    { name: 'usage-add-org-hourly', text: statements.orgHourly, values: byHour(hourly) },
    { name: 'usage-add-org-daily', text: statements.orgDaily, values: byDay(daily) },
  ];
};

/** Sums by owner, time, network and radio type, in the order of their keys: concurrent writers lock alike. */
const summed = (
  usage: readonly UsageOfHour[],
  owner: (row: UsageOfHour) => number,
  time: (row: UsageOfHour) => number,
): Sum[] => {
  const rows = usage
    .map((row) => ({
      owner: owner(row),
      time: time(row),
      plmn: row.plmn,
      radio: row.radio,
      up: row.up,
      down: row.down,
      records: row.records,
    }))
    .sort(byKey);
  let kept = 0;
  for (const row of rows) {
    const last = rows[kept - 1];
    if (last && byKey(last, row) === 0) {
      last.up += row.up;
      last.down += row.down;
      last.records += row.records;
    } else {
      rows[kept] = row;
      kept += 1;
    }
  }
  rows.length = kept;
  return rows;
};

const byKey = (a: Sum, b: Sum): number =>
  a.owner - b.owner || a.time - b.time || a.plmn - b.plmn || a.radio - b.radio;

const hourMs = 3_600_000;

/** Adds sums, given by their places, to one of the rollups; their times are hours or days as the rollup's are. */
export const addSums = (rollup: Rollup, sums: UsageSums, places: Int32Array): Statement => {
  const of = (column: ArrayLike<number>) => (place: number) => column[place] as number;
  return {
    name: `usage-sums-${rollup}`,
    text: statements[rollup],
    values: [
      int8Column(places, of(sums.owner)),
      rollups[rollup].isHourly
        ? timestampColumn(places, (place) => (sums.time[place] as number) * hourMs)
        : dateColumn(places, of(sums.time)),
      int4Column(places, of(sums.plmn)),
      int2Column(places, of(sums.radio)),
      int8Column(places, of(sums.up)),
      int8Column(places, of(sums.down)),
      int4Column(places, of(sums.records)),
    ],
  };
};

/** Inserts sums that are not there yet, all or none. @throws 23505 when one is there */
export const copySums = (
  client: pg.ClientBase,
  { rollup, sums, places }: { rollup: Rollup; sums: UsageSums; places: Int32Array },
): Promise<void> => {
  const { table, owner, time, isHourly } = rollups[rollup];
  return copyRows(client, {
    table,
    columns: [owner, time, ...valueColumns],
    rows: places,
    write: (place, to) => {
      to.int8(sums.owner[place] as number);
      if (isHourly) to.timestamp((sums.time[place] as number) * hourMs);
      else to.date(sums.time[place] as number);
      to.int4(sums.plmn[place] as number);
      to.int2(sums.radio[place] as number);
      to.int8(sums.up[place] as number);
      to.int8(sums.down[place] as number);
      // The records of an organisation are too many for an integer.
      if (owner === 'org_id') to.int8(sums.records[place] as number);
      else to.int4(sums.records[place] as number);
    },
  });
};

const addCycles = `
  insert into usage_cycles as t (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
  select sim_id, started_at, max(ends_at), sum(used), max(limit_bytes)
  from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[])
    as v (sim_id, started_at, ends_at, used, limit_bytes)
  group by sim_id, started_at order by sim_id, started_at
  on conflict (sim_id, cycle_started_at) do update set used_bytes = t.used_bytes + excluded.used_bytes,
    limit_bytes = coalesce(excluded.limit_bytes, t.limit_bytes)`;

/** Closed cycles, and late usage for them. */
export const cycleUsage = (cycles: readonly CycleUsage[]): Statement[] => {
  if (cycles.length === 0) return [];
  const values = [
    int8Column(cycles, (row) => row.simId),
    timestampColumn(cycles, (row) => row.startedAt),
    timestampColumn(cycles, (row) => row.endsAt),
    int8Column(cycles, (row) => row.used),
    int8Column(cycles, (row) => row.limit),
  ];
  return [{ name: 'usage-add-cycles', text: addCycles, values }];
};
