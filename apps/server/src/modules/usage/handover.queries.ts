import type { Sql } from '../../platform/db/index.ts';

/**
 * Records the usage so far in the current hour and day of SIMs that were just transferred: the part of both that does not
 * belong to the new organisation (`own_usage_hourly`, `own_usage_daily`). Their live state is locked.
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
