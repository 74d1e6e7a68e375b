import { limits } from '@simcube/contract';
import { lifecycleNumbers } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';

/** Organisations per page of the list that a job processes. */
export const orgsPerPage = 500;

/**
 * Organisations with usage in this or the last hour; others hourly, because older records, transfers and ends of cycles
 * change their ranks too.
 */
export const listOrgsToRank = async (sql: Sql, after: number, now: Date): Promise<number[]> => {
  const { rows } = await sql.query<{ id: number }>(
    `select id from organisations o where id > $1 and (
       exists (select 1 from org_usage_hourly u where u.org_id = o.id and u.hour_at >= $2)
       or exists (select 1 from org_usage_rank r where r.org_id = o.id and r.as_of <= $3)
       or (not exists (select 1 from org_usage_rank r where r.org_id = o.id)
         and exists (select 1 from sim_live l where l.org_id = o.id and l.used_bytes > 0)))
     order by id limit ${orgsPerPage}`,
    [after, new Date(now.getTime() - (now.getTime() % hourMs) - hourMs), new Date(now.getTime() - hourMs)],
  );
  return rows.map(({ id }) => id);
};

/** Replaces an organisation's ranking of the SIMs with the most usage in their running cycles. */
export const replaceRank = async (tx: Sql, orgId: number, now: Date): Promise<void> => {
  await tx.query(
    `insert into org_usage_rank (org_id, position, sim_id, used_bytes, as_of)
     select $1, row_number() over (order by used_bytes desc, sim_id), sim_id, used_bytes, $2
     from sim_live where org_id = $1 and used_bytes > 0 and (cycle_ends_at is null or cycle_ends_at > $2)
     order by used_bytes desc, sim_id limit ${limits.usageRank}
     on conflict (org_id, position) do update
       set sim_id = excluded.sim_id, used_bytes = excluded.used_bytes, as_of = excluded.as_of`,
    [orgId, now],
  );
  await tx.query('delete from org_usage_rank where org_id = $1 and as_of < $2', [orgId, now]);
};

/** Updates today's figures of every organisation; the last ones of a day remain as that day's. */
export const refreshDailyFigures = async (sql: Sql, now: Date): Promise<void> => {
  await sql.query(
    `insert into org_daily_figures (org_id, day_on, total_sims, active_sims, overage_sims, expiring_sims)
     select o.id, $1, coalesce(c.total, 0), coalesce(c.active, 0),
       (select count(*) from sim_live l where l.org_id = o.id and l.over_limit),
       (select count(*) from sims s where s.org_id = o.id and s.lifecycle = any($3) and s.expires_key > $2
          and s.expires_key <= $2::timestamptz + make_interval(days => ${limits.expiringSoonDays}))
     from organisations o left join lateral (
       select sum(sims) as total, sum(sims) filter (where lifecycle = ${lifecycleNumbers.active}) as active
       from org_sim_counts where org_id = o.id) c on true
     on conflict (org_id, day_on) do update set total_sims = excluded.total_sims,
       active_sims = excluded.active_sims, overage_sims = excluded.overage_sims,
       expiring_sims = excluded.expiring_sims`,
    [dashboardDays.dayOf(now), now, [lifecycleNumbers.active, lifecycleNumbers.paused]],
  );
};

/** The figures of an organisation on a past business day. */
export interface DailyFigures {
  orgCode: string;
  /** YYYY-MM-DD. */
  day: string;
  totalSims: number;
  activeSims: number;
  overageSims: number;
  expiringSims: number;
}

/** Adds figures of days before this server counted them; existing ones stay. */
export const insertPastFigures = async (tx: Sql, figures: readonly DailyFigures[]): Promise<void> => {
  await tx.query(
    `insert into org_daily_figures (org_id, day_on, total_sims, active_sims, overage_sims, expiring_sims)
     select o.id, t.day_on, t.total, t.active, t.overage, t.expiring
     from unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
       as t (code, day_on, total, active, overage, expiring)
     join organisations o on o.code = t.code
     on conflict (org_id, day_on) do nothing`,
    [
      figures.map(({ orgCode }) => orgCode),
      figures.map(({ day }) => day),
      figures.map(({ totalSims }) => totalSims),
      figures.map(({ activeSims }) => activeSims),
      figures.map(({ overageSims }) => overageSims),
      figures.map(({ expiringSims }) => expiringSims),
    ],
  );
};
