import { type PartitionedTable, partitionedTables, type Sql } from '../../platform/db/index.ts';

/** Start of the oldest month that every heavy table still has; of this month when there is none. */
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

/** Months that records are kept, by table. Sessions are kept as long as CDRs: they know what was counted. */
export const retentionMonths: Record<PartitionedTable, number> = {
  cdrs: 13,
  usage_hourly: 13,
  usage_daily: 37,
  sim_events: 25,
  sms_messages: 13,
  sms_contents: 13,
};

/**
 * An hour that a SIM has left open goes with its month, its day is kept longer. In the transaction of the drop: intake
 * that still remembers the hour can no longer write it, and decides again on what it reads.
 */
export const closeOpenHours = (tx: Sql, before: Date) =>
  tx.query(
    `with closed as (
       select sim_id, open_hour_at, open_plmn, open_radio, open_up_bytes, open_down_bytes, open_records
       from sim_live where open_hour_at < $1 order by sim_id for no key update),
     emptied as (
       update sim_live l set open_hour_at = null, open_plmn = null, open_radio = null, open_up_bytes = null,
         open_down_bytes = null, open_records = null
       from closed c where l.sim_id = c.sim_id)
     insert into usage_daily as t (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     select sim_id, (open_hour_at at time zone 'UTC')::date, open_plmn, open_radio, open_up_bytes, open_down_bytes,
       open_records
     from closed
     on conflict (sim_id, day_on, plmn, radio) do update set up_bytes = t.up_bytes + excluded.up_bytes,
       down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records`,
    [before],
  );
