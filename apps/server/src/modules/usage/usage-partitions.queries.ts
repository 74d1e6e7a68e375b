import {
  int2Column,
  int4Column,
  int8Column,
  partitionedTables,
  rowsOf,
  type Sql,
  timestampColumn,
} from '../../platform/db/index.ts';

/** Start of the oldest month that every heavy table still has; of the current month if there is none. */
export const oldestRetainedMonth = async (sql: Sql, now: Date): Promise<Date> => {
  const { rows } = await sql.query<{ month: string | null }>(
    `select max(oldest) as month from (
       select min(right(c.relname, 7)) as oldest from pg_class c join pg_inherits i on i.inhrelid = c.oid
       join pg_class p on p.oid = i.inhparent where p.relname = any($1) group by p.relname) as months`,
    [partitionedTables],
  );
  const [year, month] = (rows[0]?.month ?? '').split('_').map(Number);
  if (!year || !month) return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return new Date(Date.UTC(year, month - 1, 1));
};

interface OpenHour {
  sim_id: number;
  open_hour_at: Date;
  open_plmn: number;
  open_radio: number;
  open_up_bytes: number;
  open_down_bytes: number;
  open_records: number;
}

/** Hours closed by one statement. */
const hoursPerStatement = 20_000;

/**
 * An hour that a SIM has left open is dropped with its month, but added to its day, which is retained longer. Runs in
 * the transaction of the drop: intake that still has the hour cached can no longer write it, and decides again on
 * what it reads.
 */
export const closeOpenHours = async (tx: Sql, before: Date): Promise<void> => {
  for (let last = hoursPerStatement; last === hoursPerStatement; ) {
    const { rows } = await tx.query<OpenHour>(
      `with closed as (
         select sim_id, open_hour_at, open_plmn, open_radio, open_up_bytes, open_down_bytes, open_records
         from sim_live where open_hour_at < $1 order by sim_id limit $2 for no key update),
       emptied as (
         update sim_live l set open_hour_at = null, open_plmn = null, open_radio = null, open_up_bytes = null,
           open_down_bytes = null, open_records = null
         from closed c where l.sim_id = c.sim_id)
       select * from closed`,
      [before, hoursPerStatement],
    );
    last = rows.length;
    if (last > 0) await addDays(tx, rows);
  }
};

const addDays = async (tx: Sql, hours: readonly OpenHour[]): Promise<void> => {
  await tx.query(
    `insert into usage_daily as t (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     select v.sim_id, (v.hour_at at time zone 'UTC')::date, v.plmn, v.radio, v.up, v.down, v.records
     from ${rowsOf({ sim_id: 'bigint', hour_at: 'timestamptz', plmn: 'integer', radio: 'smallint', up: 'bigint', down: 'bigint', records: 'integer' })} as v
     on conflict (sim_id, day_on, plmn, radio) do update set up_bytes = t.up_bytes + excluded.up_bytes,
       down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records`,
    [
      int8Column(hours, (hour) => hour.sim_id),
      timestampColumn(hours, (hour) => hour.open_hour_at.getTime()),
      int4Column(hours, (hour) => hour.open_plmn),
      int2Column(hours, (hour) => hour.open_radio),
      int8Column(hours, (hour) => hour.open_up_bytes),
      int8Column(hours, (hour) => hour.open_down_bytes),
      int4Column(hours, (hour) => hour.open_records),
    ],
  );
};

/**
 * The rows of a dropped month for its archive file: all of them, with the ICCID of each SIM, which stays valid longer
 * than numbers do.
 */
export const archivedRows = async (tx: Sql, table: string): Promise<string> => {
  const { rowCount } = await tx.query(
    `select from pg_attribute where attrelid = $1::regclass and attname = 'sim_id' and not attisdropped`,
    [table],
  );
  return rowCount
    ? `select t.*, s.iccid from ${table} t left join sims s on s.id = t.sim_id`
    : `select t.* from ${table} t`;
};
