import { hourMs } from '@simcube/contract/time';
import {
  int2Column,
  int4Column,
  int8Column,
  rowsOf,
  type Sql,
  type Statement,
  timestampColumn,
} from '../../platform/db/index.ts';
import type { UsageSums } from './usage-sums.ts';

/**
 * Records the usage so far in the current hour and day of SIMs that were just transferred: the part of both that does
 * not belong to the new organisation (`own_usage_hourly`, `own_usage_daily`). The caller has locked their live state.
 */
export const addUsageHandovers = async (
  tx: Sql,
  { simIds, at }: { simIds: readonly number[]; at: Date },
): Promise<void> => {
  await tx.query(
    `with used as (
       select sim_id, 'hour' as unit, plmn, radio, up_bytes, down_bytes from usage_hourly
       where sim_id = any($1::bigint[]) and hour_at = date_trunc('hour', $2::timestamptz, 'UTC')
       union all
       select sim_id, 'day', plmn, radio, up_bytes, down_bytes from usage_daily
       where sim_id = any($1::bigint[]) and day_on = ($2::timestamptz at time zone 'UTC')::date
       union all
       select sim_id, u.unit, open_plmn, open_radio, open_up_bytes, open_down_bytes
       from sim_live cross join unnest(array['hour', 'day']) as u (unit)
       where sim_id = any($1::bigint[]) and date_trunc(u.unit, open_hour_at, 'UTC') = date_trunc(u.unit, $2::timestamptz, 'UTC'))
     insert into usage_handovers (sim_id, number, unit, starts_at, plmn, radio, up_bytes, down_bytes)
     select s.id, s.ownership - 1, u.unit, date_trunc(u.unit, $2::timestamptz, 'UTC'), u.plmn, u.radio,
       sum(u.up_bytes), sum(u.down_bytes)
     from sims s join used u on u.sim_id = s.id where s.id = any($1::bigint[]) group by s.id, u.unit, u.plmn, u.radio`,
    [simIds, at],
  );
};

const lateColumns = {
  sim_id: 'bigint',
  hour_at: 'timestamptz',
  plmn: 'integer',
  radio: 'smallint',
  up_bytes: 'bigint',
  down_bytes: 'bigint',
} as const;

/**
 * Of hours and days that were over when an ownership ended: for an hour or day in which it ended, the usage counted
 * until then is stored.
 */
const subtractLate = `
  insert into usage_handovers as t (sim_id, number, unit, starts_at, plmn, radio, up_bytes, down_bytes)
  select v.sim_id, o.number, u.unit, date_trunc(u.unit, v.hour_at, 'UTC'), v.plmn, v.radio, -sum(v.up_bytes), -sum(v.down_bytes)
  from ${rowsOf(lateColumns)} as v
  join sim_ownerships o on o.sim_id = v.sim_id
  cross join (values ('hour'), ('day')) as u (unit)
  where date_trunc(u.unit, o.until, 'UTC') > date_trunc(u.unit, v.hour_at, 'UTC')
  group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
  on conflict (sim_id, number, unit, starts_at, plmn, radio) do update
    set up_bytes = t.up_bytes + excluded.up_bytes, down_bytes = t.down_bytes + excluded.down_bytes`;

/**
 * Late hourly usage of SIMs, given by positions, that is being counted for the current owners: for hours and days of
 * former owners it is subtracted from those owners' part, because a record belongs to the owner at the time it is
 * counted.
 */
export const subtractLateUsage = (hours: UsageSums, positions: Int32Array): Statement[] => {
  if (positions.length === 0) return [];
  const of = (column: ArrayLike<number>) => (position: number) => column[position] as number;
  const values = [
    int8Column(positions, of(hours.owner)),
    timestampColumn(positions, (position) => (hours.time[position] as number) * hourMs),
    int4Column(positions, of(hours.plmn)),
    int2Column(positions, of(hours.radio)),
    int8Column(positions, of(hours.up)),
    int8Column(positions, of(hours.down)),
  ];
  return [{ name: 'usage-subtract-late', text: subtractLate, values }];
};

/** The SIMs that belonged to another organisation before. */
export const findTransferredSims = async (sql: Sql, simIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql.query<{ sim_id: number }>(
    'select sim_id from sim_ownerships where sim_id = any($1::bigint[]) group by 1',
    [simIds],
  );
  return new Set(rows.map(({ sim_id }) => sim_id));
};

/** In the transaction that deletes the hours or days themselves; otherwise a part would be subtracted from nothing. */
export const dropHandoversBefore = async (
  tx: Sql,
  { unit, before }: { unit: 'hour' | 'day'; before: Date },
): Promise<void> => {
  await tx.query('delete from usage_handovers where unit = $1 and starts_at < $2', [unit, before]);
};
