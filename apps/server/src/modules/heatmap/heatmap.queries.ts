import type pg from 'pg';
import { addDays, dashboardDays } from '../../platform/clock/business-day.ts';
import { groupBy } from '../../platform/collections/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { finestResolution } from '../place/index.ts';
import { coarsest, finest } from './heatmap.rules.ts';
import {
  combinePacks,
  daysPerGroup,
  groupStart,
  type HexagonColumns,
  packHexagons,
} from './hexagon-packs.rules.ts';

export interface Day {
  orgId: number;
  day: string;
}

/** A day is recomputed only after this many times its computation time, so that it takes at most a tenth of the time. */
const pauseFactor = 10;

interface StaleDaysQuery {
  since: string;
  now: Date;
  /** Of the page before. */
  after: Day | undefined;
  /** Omits days whose last computation took longer; null omits none. */
  maxMs: number | null;
  limit: number;
}

/** Days since `since` whose records have changed since they were computed, newest first. */
export const listStaleDays = async (
  sql: Sql,
  { since, now, after, maxMs, limit }: StaleDaysQuery,
): Promise<Day[]> => {
  const { rows } = await sql.query<{ org_id: number; day_on: string }>(
    `select u.org_id, u.day_on
     from (select org_id, day_on, sum(records) as records from org_usage_daily
       where day_on >= $1 and ($4::date is null or day_on < $4 or (day_on = $4 and org_id > $5)) group by 1, 2) u
     left join heatmap_days h on h.org_id = u.org_id and h.day_on = u.day_on
     where h.records is distinct from u.records
       and (h.computed_at is null or h.computed_at + h.took_ms * interval '${pauseFactor} milliseconds' <= $2)
       and ($6::integer is null or coalesce(h.took_ms, 0) <= $6)
     order by u.day_on desc, u.org_id limit $3`,
    [since, now, limit, after?.day ?? null, after?.orgId ?? null, maxMs],
  );
  return rows.map(({ org_id, day_on }) => ({ orgId: org_id, day: day_on }));
};

/**
 * Computes the figures of a day from its records: one statement, so that all are from the same moment. A session is
 * identified by its SIM and key, combined into one number; a record without a session counts for none.
 */
const computation = `
  with used as materialized (
    select c.sim_id, c.plmn, c.radio, c.cell, hashint8extended(c.session_key, c.sim_id) as session,
      sum(c.up_bytes + c.down_bytes) as bytes, count(*) as records
    from cdrs c where c.org_id = $1 and c.ended_at >= $3 and c.ended_at < $4 group by 1, 2, 3, 4, 5),
  counts as (
    insert into heatmap_counts (org_id, day_on, country, plmn, radio, sims, sessions)
    select $1, $2::date, case grouping(n.country) when 0 then coalesce(n.country, '') else '*' end,
      case grouping(u.plmn) when 0 then u.plmn else -1 end, case grouping(u.radio) when 0 then u.radio else -1 end,
      count(distinct u.sim_id), count(distinct u.session)
    from used u left join networks n on n.plmn = u.plmn
    group by grouping sets ((), (u.radio), (n.country), (n.country, u.radio), (n.country, u.plmn),
      (n.country, u.plmn, u.radio))
    having count(*) > 0),
  hexagons as (
    select p.resolution, case grouping(p.plmn) when 0 then p.plmn else -1 end as plmn,
      case grouping(p.radio) when 0 then p.radio else -1 end as radio, p.hexagon, sum(p.bytes) as bytes,
      count(distinct p.sim_id) as sims, count(distinct p.session) as sessions
    from (
      select u.*, r.resolution, coalesce(c.hexagon >> (3 * (${finestResolution} - r.resolution)), -1) as hexagon
      from used u left join cells c on c.cell = u.cell
        join generate_series(${coarsest}, ${finest}) r (resolution) on c.hexagon is not null or r.resolution = ${coarsest}) p
    group by grouping sets ((p.resolution, p.hexagon), (p.resolution, p.hexagon, p.plmn, p.radio))),
  computed as (
    update heatmap_days set records = coalesce((select sum(records) from used), 0), computed_at = $5
    where org_id = $1 and day_on = $2::date)
  select resolution, plmn, radio, json_agg(hexagon order by hexagon) as hexagons, json_agg(bytes order by hexagon) as bytes,
    json_agg(sims order by hexagon) as sims, json_agg(sessions order by hexagon) as sessions
  from hexagons group by 1, 2, 3`;

/** Records are never removed, so a cell that was seen on a day remains. */
const cellsSeen = `
  insert into heatmap_cells (org_id, month, plmn, radio, cell, days)
  select distinct $1::bigint, date_trunc('month', $2::date)::date, c.plmn, c.radio, c.cell,
    1 << extract(day from $2::date)::int - 1
  from cdrs c where c.org_id = $1 and c.ended_at >= $3 and c.ended_at < $4 and c.cell is not null
  on conflict (org_id, month, plmn, radio, cell) do update set days = heatmap_cells.days | excluded.days
  where heatmap_cells.days & excluded.days = 0`;

/** For days with tens of millions of records. */
export const allowLongStatements = async (tx: Sql): Promise<void> => {
  await tx.query(`set local statement_timeout = '30min'`);
};

/** Computes a day from its records; repeating it gives the same result. */
export const computeDay = async (tx: pg.PoolClient, { orgId, day }: Day, now: Date): Promise<void> => {
  // Locks the day, so that two processes compute it one after the other.
  await tx.query(
    `insert into heatmap_days (org_id, day_on, records, computed_at, took_ms) values ($1, $2, -1, $3, 0)
     on conflict (org_id, day_on) do update set took_ms = 0`,
    [orgId, day, now],
  );
  await tx.query('delete from heatmap_counts where org_id = $1 and day_on = $2', [orgId, day]);
  const records = [orgId, day, dashboardDays.startOf(day), dashboardDays.endOf(day)];
  const { rows } = await tx.query<PackKey & HexagonColumns>(computation, [...records, now]);
  const packs = rows.map((row) => ({ ...row, packed: packHexagons(row) }));
  await store(tx, { orgId, days: 1, start: day, packs });
  await combineGroup(tx, { orgId, start: groupStart(day), now });
  await tx.query(cellsSeen, records);
  // In a separate statement: rows that a statement inserts in a `with` clause are not visible to its main part, and
  // would not be counted.
  await tx.query(
    `update heatmap_days set took_ms = extract(epoch from clock_timestamp() - transaction_timestamp()) * 1000
     where org_id = $1 and day_on = $2`,
    [orgId, day],
  );
};

/** All networks and radio types (-1), or one of them. */
interface PackKey {
  resolution: number;
  plmn: number;
  radio: number;
}

interface Packs {
  orgId: number;
  /** Number of days from `start`. */
  days: number;
  start: string;
  packs: readonly (PackKey & { packed: Buffer })[];
}

const store = async (tx: Sql, { orgId, days, start, packs }: Packs): Promise<void> => {
  await tx.query(
    `delete from heatmap_hexagons
     where org_id = $1 and resolution between ${coarsest} and ${finest} and days = $2 and day_on = $3`,
    [orgId, days, start],
  );
  await tx.query(
    `insert into heatmap_hexagons (org_id, resolution, days, day_on, plmn, radio, packed)
     select $1, v.resolution, $2, $3, v.plmn, v.radio, v.packed
     from unnest($4::smallint[], $5::integer[], $6::smallint[], $7::bytea[]) as v (resolution, plmn, radio, packed)`,
    [
      orgId,
      days,
      start,
      packs.map(({ resolution }) => resolution),
      packs.map(({ plmn }) => plmn),
      packs.map(({ radio }) => radio),
      packs.map(({ packed }) => packed),
    ],
  );
};

/** Combines groups of days that are over. */
const combineGroup = async (
  tx: Sql,
  { orgId, start, now }: { orgId: number; start: string; now: Date },
): Promise<void> => {
  const after = addDays(start, daysPerGroup);
  if (dashboardDays.dayOf(now) < after) return;
  // Neighbouring days may be computed concurrently.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('heatmap.days ' || $1::bigint, 0))`, [orgId]);
  const { rows } = await tx.query<PackKey & { packed: Buffer }>(
    `select resolution, plmn, radio, packed from heatmap_hexagons
     where org_id = $1 and resolution between ${coarsest} and ${finest} and days = 1 and day_on >= $2 and day_on < $3`,
    [orgId, start, after],
  );
  const byKind = groupBy(rows, ({ resolution, plmn, radio }) => `${resolution} ${plmn} ${radio}`);
  const packs = [...byKind.values()].flatMap((of) => {
    const [first] = of;
    return first ? [{ ...first, packed: combinePacks(of.map(({ packed }) => packed)) }] : [];
  });
  await store(tx, { orgId, days: daysPerGroup, start, packs });
};

/** Coordinates of cells or countries of networks have changed, so every day must be computed again. */
export const invalidateAllDays = async (tx: Sql): Promise<void> => {
  await tx.query('update heatmap_days set records = -1 where records <> -1');
};

/** Deletes days whose records are no longer retained. */
export const dropDaysBefore = async (tx: Sql, day: string): Promise<void> => {
  await tx.query(
    `with days as (delete from heatmap_days where day_on < $1 returning org_id, day_on),
       counts as (delete from heatmap_counts c using days d where c.org_id = d.org_id and c.day_on = d.day_on)
     delete from heatmap_hexagons h using (select distinct org_id from days) d
     where h.org_id = d.org_id and h.resolution between ${coarsest} and ${finest} and h.day_on < $1`,
    [day],
  );
  await tx.query(`delete from heatmap_cells where month < date_trunc('month', $1::date)`, [day]);
};
