import { dayMs, hourMs, minuteMs } from '@simcube/contract/time';
import type pg from 'pg';
import { dashboardDays, usageDays } from '../../platform/clock/business-day.ts';
import {
  copyRows,
  dateColumn,
  int2Column,
  int4Column,
  int8Column,
  rowsOf,
  type Statement,
  timestampColumn,
} from '../../platform/db/index.ts';
import { UsageSums } from './usage-sums.ts';

/** Days since 1970 of the business day of an instant. Hours begin where days do, because offsets are whole hours. */
const dayNumber = (at: number, days: { offsetMinutes: number }): number =>
  Math.floor((at + days.offsetMinutes * minuteMs) / dayMs);

const valueTypes = {
  plmn: 'integer',
  radio: 'smallint',
  up_bytes: 'bigint',
  down_bytes: 'bigint',
  records: 'integer',
} as const;
const valueColumns = Object.keys(valueTypes);

/** The rollup tables; `time` is a number of hours or of days. */
const rollups = {
  hourly: { table: 'usage_hourly', owner: 'sim_id', time: 'hour_at', isHourly: true },
  daily: { table: 'usage_daily', owner: 'sim_id', time: 'day_on', isHourly: false },
  orgHourly: { table: 'org_usage_hourly', owner: 'org_id', time: 'hour_at', isHourly: true },
  orgDaily: { table: 'org_usage_daily', owner: 'org_id', time: 'day_on', isHourly: false },
};
export type Rollup = keyof typeof rollups;

const addTo = ({ table, owner, time, isHourly }: (typeof rollups)[Rollup]) => `
  insert into ${table} as t (${owner}, ${time}, ${valueColumns.join(', ')})
  select * from ${rowsOf({ owner: 'bigint', time: isHourly ? 'timestamptz' : 'date', ...valueTypes })} as v
  on conflict (${owner}, ${time}, plmn, radio) do update set up_bytes = t.up_bytes + excluded.up_bytes,
    down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records`;

const statements: Record<Rollup, string> = {
  hourly: addTo(rollups.hourly),
  daily: addTo(rollups.daily),
  orgHourly: addTo(rollups.orgHourly),
  orgDaily: addTo(rollups.orgDaily),
};

/** Adds hours of SIMs to their rollups. */
export const addSimUsage = (hours: UsageSums): Statement[] =>
  addHours(hours, { hourly: 'hourly', daily: 'daily', days: usageDays });

/**
 * Adds hours of organisations to their rollups. All batches of an organisation update the same rows; because they are
 * written last, they are locked only for the commit.
 */
export const addOrgUsage = (hours: UsageSums): Statement[] =>
  addHours(hours, { hourly: 'orgHourly', daily: 'orgDaily', days: dashboardDays });

const addHours = (
  hours: UsageSums,
  targets: { hourly: Rollup; daily: Rollup; days: { offsetMinutes: number } },
): Statement[] => {
  if (hours.length === 0) return [];
  const days = new UsageSums(16);
  const positions = hours.sortedPositions();
  for (const position of positions) {
    const of = (column: ArrayLike<number>) => column[position] as number;
    const day = dayNumber(of(hours.time) * hourMs, targets.days);
    const sum = days.positionOf(of(hours.owner), day, of(hours.plmn), of(hours.radio));
    days.add(sum, of(hours.up), of(hours.down), of(hours.records));
  }
  return [addSums(targets.hourly, hours, positions), addSums(targets.daily, days, days.sortedPositions())];
};

/** Adds the sums at these positions to one of the rollups; their times are in the rollup's unit (hours or days). */
export const addSums = (rollup: Rollup, sums: UsageSums, positions: Int32Array): Statement => {
  const of = (column: ArrayLike<number>) => (position: number) => column[position] as number;
  return {
    name: `usage-sums-${rollup}`,
    text: statements[rollup],
    values: [
      int8Column(positions, of(sums.owner)),
      rollups[rollup].isHourly
        ? timestampColumn(positions, (position) => (sums.time[position] as number) * hourMs)
        : dateColumn(positions, of(sums.time)),
      int4Column(positions, of(sums.plmn)),
      int2Column(positions, of(sums.radio)),
      int8Column(positions, of(sums.up)),
      int8Column(positions, of(sums.down)),
      int4Column(positions, of(sums.records)),
    ],
  };
};

/** Inserts sums that don't exist yet, all or none. @throws 23505 if one exists */
export const copySums = (
  client: pg.ClientBase,
  { rollup, sums, positions }: { rollup: Rollup; sums: UsageSums; positions: Int32Array },
): Promise<void> => {
  const { table, owner, time, isHourly } = rollups[rollup];
  return copyRows(client, {
    table,
    columns: [owner, time, ...valueColumns],
    rows: positions,
    write: (position, to) => {
      to.int8(sums.owner[position] as number);
      if (isHourly) to.timestamp((sums.time[position] as number) * hourMs);
      else to.date(sums.time[position] as number);
      to.int4(sums.plmn[position] as number);
      to.int2(sums.radio[position] as number);
      to.int8(sums.up[position] as number);
      to.int8(sums.down[position] as number);
      // An organisation's number of records may exceed an integer.
      if (owner === 'org_id') to.int8(sums.records[position] as number);
      else to.int4(sums.records[position] as number);
    },
  });
};
