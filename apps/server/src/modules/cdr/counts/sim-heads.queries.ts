import type { Sql } from '../../../platform/db/index.ts';
import { combinePacks, headDays } from './sim-counts.rules.ts';

/** Days whose heads are combined. */
export interface SimHead {
  orgId: number;
  days: number;
  startsAt: Date;
}

/**
 * Groups of past days whose combined heads are missing, or were made from earlier versions of their packs; at most
 * `limit`. A rest of 0 although a day omits SIMs is of an earlier version of the product.
 */
export const listMissingHeads = async (sql: Sql, now: Date, limit: number): Promise<SimHead[]> => {
  const { rows } = await sql.query<SimHead>(
    `select m.org_id as "orgId", m.days, m.starts_at as "startsAt" from (
       select c.org_id, v.days, date_bin(make_interval(days => v.days), c.starts_at, timestamptz '1970-01-01 00:00:00+00') as starts_at,
         array_agg(c.xmin::text::bigint order by c.starts_at) as made_of, bool_or(c.head is not null) as is_partial
       from cdr_sim_counts c cross join unnest($1::integer[]) as v (days)
       where c.unit = 'day' group by 1, 2, 3 having count(*) > 1) as m
     left join cdr_sim_heads h on h.org_id = m.org_id and h.days = m.days and h.starts_at = m.starts_at
     where m.starts_at + make_interval(days => m.days) <= $2 
       and (h.made_of is distinct from m.made_of or (m.is_partial and h.rest_bytes = 0))
     order by m.starts_at desc limit $3`,
    [headDays, now, limit],
  );
  return rows;
};

/** Creates a combined head. The caller has locked the counts of its organisation. */
export const makeHead = async (
  tx: Sql,
  { orgId, days, startsAt, headSize }: SimHead & { headSize: number },
): Promise<void> => {
  const { rows } = await tx.query<{ packed: Buffer; writer: number }>(
    `select packed, xmin::text::bigint as writer from cdr_sim_counts
     where org_id = $1 and unit = 'day' and starts_at >= $2 and starts_at < $2 + make_interval(days => $3) order by starts_at`,
    [orgId, startsAt, days],
  );
  const { packed, head, rest_bytes } = combinePacks(
    rows.map((row) => row.packed),
    headSize,
  );
  await tx.query(
    `insert into cdr_sim_heads (org_id, days, starts_at, head, rest_bytes, made_of) values ($1, $2, $3, $4, $5, $6)
     on conflict (org_id, days, starts_at) do update set head = excluded.head, rest_bytes = excluded.rest_bytes,
       made_of = excluded.made_of`,
    [orgId, days, startsAt, head ?? packed, rest_bytes, rows.map(({ writer }) => writer)],
  );
};
