import type { Sql } from '../../../platform/db/index.ts';
import { ownDays } from '../../sim/index.ts';

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

/** A span of a SIM's time, milliseconds; the end is exclusive. */
export interface SimSpan {
  simId: number;
  from: number;
  to: number;
}

/** A cycle, running or closed, with its counter. Times are milliseconds. */
export interface PastCycle {
  simId: number;
  startsAt: number;
  endsAt: number;
  used: number;
  limit: number | null;
}

/**
 * Cycles of the organisation's SIMs that end after an instant and have reached an amount, or a percentage of their
 * limit. The running cycle of a SIM comes first.
 */
export const listPastCycles = async (
  sql: Sql,
  {
    orgId,
    simIds,
    after,
    threshold,
  }: {
    orgId: number;
    simIds: readonly number[];
    after: number;
    threshold: { bytes: number } | { percent: number } | null;
  },
): Promise<PastCycle[]> => {
  const condition = `($4::bigint is null or used_bytes >= $4) and ($5::bigint is null or used_bytes * 100 >= limit_bytes * $5)`;
  const columns = `sim_id as "simId", ${ms('cycle_started_at')} as "startsAt", ${ms('cycle_ends_at')} as "endsAt",
    used_bytes as used, limit_bytes as limit`;
  const { rows } = await sql.query<PastCycle>(
    `select * from (
       select ${columns}, 0 as place from sim_live
       where sim_id = any($1::bigint[]) and org_id = $2 and cycle_started_at is not null
         and cycle_ends_at > to_timestamp($3::float8 / 1000) and ${condition}
       union all
       select ${columns}, 1 from usage_cycles
       where sim_id = any($1::bigint[]) and cycle_ends_at > to_timestamp($3::float8 / 1000) and ${condition}) c
     order by "simId", place, "startsAt" desc`,
    [
      simIds,
      orgId,
      after,
      threshold && 'bytes' in threshold ? threshold.bytes : null,
      threshold && 'percent' in threshold ? threshold.percent : null,
    ],
  );
  return rows;
};

/** A SIM's usage by day (UTC), and its number of records since a later day. */
export interface PastDays {
  simId: number;
  records: number;
  /** By the number of days since the first one requested; 0 for days without usage or with too little. */
  bytes: Float64Array;
}

export interface PastDaysQuery {
  orgId: number;
  /** SIMs that never changed hands, and those that did: for the latter only the organisation's own times are read. */
  sims: { neverTransferred: readonly number[]; transferred: readonly number[] };
  /** SIMs whose days are returned; for the others only records are counted. */
  simIdsWithDays: readonly number[];
  /** First day, number of days, and the day from which records are counted. */
  from: string;
  days: number;
  countedFrom: string;
  /** Days with less usage are left out. */
  minBytes: number;
}

const daysOfTransferred = ownDays(String.raw, {
  sims: '$3',
  orgId: '$1',
  from: '$4',
  until: '($4::date + $5::integer)',
});

/** Daily sums of SIMs that had usage. */
export const listPastDays = async (sql: Sql, query: PastDaysQuery): Promise<PastDays[]> => {
  const { orgId, sims, simIdsWithDays, from, days, countedFrom, minBytes } = query;
  const { rows } = await sql.query<{ sim_id: number; records: number; days: string | null }>(
    `select d.sim_id, sum(d.records) filter (where d.day_on >= $6::date)::float8 as records,
       string_agg((d.day_on - $4::date) || ' ' || d.bytes, ' ')
         filter (where d.bytes >= $7::float8 and d.sim_id = any($8::bigint[])) as days
     from (
       select sim_id, day_on, sum(bytes) as bytes, sum(records) as records from (
         select sim_id, day_on, up_bytes + down_bytes as bytes, records from usage_daily
         where sim_id = any($2::bigint[]) and day_on >= $4::date and day_on < $4::date + $5::integer
         union all
         select sim_id, (open_hour_at at time zone 'UTC')::date, open_up_bytes + open_down_bytes, open_records from sim_live
         where sim_id = any($2::bigint[]) and open_hour_at >= $4::date
         union all
         select sim_id, day_on, up_bytes + down_bytes, 0 from (${daysOfTransferred}) as moved
         union all
         select sim_id, (ended_at at time zone 'UTC')::date, 0, 1 from cdrs
         where sim_id = any($3::bigint[]) and org_id = $1 and ended_at >= $6::date) as u
       group by sim_id, day_on) as d
     group by d.sim_id`,
    [orgId, sims.neverTransferred, sims.transferred, from, days, countedFrom, minBytes, simIdsWithDays],
  );
  return rows.map(({ sim_id: simId, records, days: text }) => {
    const bytes = new Float64Array(days);
    const pairs = text === null ? [] : text.split(' ');
    for (let at = 0; at < pairs.length; at += 2) bytes[Number(pairs[at])] = Number(pairs[at + 1]);
    return { simId, records: records ?? 0, bytes };
  });
};

/** Sums of the organisation's records in each of the spans. */
export const sumPastRecords = async (
  sql: Sql,
  { orgId, spans }: { orgId: number; spans: readonly SimSpan[] },
): Promise<number[]> => {
  const sums = spans.map(() => 0);
  if (spans.length === 0) return sums;
  const { rows } = await sql.query<{ place: number; bytes: number }>(
    `select v.place::int, c.bytes ${eachSpan('sum(r.up_bytes + r.down_bytes)::float8 as bytes')}`,
    valuesOf(orgId, spans),
  );
  for (const { place, bytes } of rows) sums[place - 1] = bytes;
  return sums;
};

/** The organisation's records in each of the spans: when they ended, and octets. */
export const listPastRecords = async (
  sql: Sql,
  { orgId, spans }: { orgId: number; spans: readonly SimSpan[] },
): Promise<{ ends: number[]; bytes: number[] }[]> => {
  const found: { ends: number[]; bytes: number[] }[] = spans.map(() => ({ ends: [], bytes: [] }));
  const { rows } = await sql.query<{ place: number; ends: number[]; bytes: number[] }>(
    `select v.place::int, c.ends, c.bytes
     ${eachSpan(`array_agg(${ms('r.ended_at')}) as ends, array_agg((r.up_bytes + r.down_bytes)::float8) as bytes`)}`,
    valuesOf(orgId, spans),
  );
  for (const { place, ends, bytes } of rows) found[place - 1] = { ends, bytes };
  return found;
};

/** For spans with records; grouped by SIM, as a cluster requires. */
const eachSpan = (columns: string): string =>
  `from unnest($2::bigint[], $3::float8[], $4::float8[]) with ordinality as v (sim_id, starts, ends, place)
   cross join lateral (
     select ${columns} from cdrs r where r.sim_id = v.sim_id and r.org_id = $1
       and r.ended_at >= to_timestamp(v.starts / 1000) and r.ended_at < to_timestamp(v.ends / 1000) group by r.sim_id) as c`;

const valuesOf = (orgId: number, spans: readonly SimSpan[]): unknown[] => [
  orgId,
  spans.map(({ simId }) => simId),
  spans.map(({ from }) => from),
  spans.map(({ to }) => to),
];

interface FirstUse {
  simId: number;
  activatedAt: number;
  at: number;
  bytes: number;
}

/**
 * The first record since activation of SIMs that had none before an instant. Times are milliseconds. Daily sums
 * locate it: on the day of the activation, else on the next day with usage.
 */
export const listFirstUses = async (
  sql: Sql,
  { orgId, simIds, from }: { orgId: number; simIds: readonly number[]; from: number },
): Promise<FirstUse[]> => {
  const { rows } = await sql.query<FirstUse & { orgId: number }>(
    `with own as (
       select id as sim_id, activated_at, (activated_at at time zone 'UTC')::date as day_on from sims
       where id = any($1::bigint[]) and org_id = $2 and activated_at is not null),
     used as (
       select o.sim_id, u.next_on from own o cross join lateral (
         select min(d.day_on) filter (where d.day_on > o.day_on) as next_on from usage_daily d
         where d.sim_id = o.sim_id and d.day_on >= o.day_on group by d.sim_id) as u
       union all
       select o.sim_id, nullif((l.open_hour_at at time zone 'UTC')::date, o.day_on) from own o
       join sim_live l on l.sim_id = o.sim_id and (l.open_hour_at at time zone 'UTC')::date >= o.day_on),
     days as (
       select o.sim_id, o.activated_at, o.day_on, min(u.next_on) as next_on from own o join used u on u.sim_id = o.sim_id
       group by 1, 2, 3)
     select d.sim_id as "simId", ${ms('d.activated_at')} as "activatedAt", ${ms('r.at')} as at, r.bytes, r.org_id as "orgId"
     from days d cross join lateral (
       select min(c.ended_at) as at, (array_agg(c.org_id order by c.ended_at))[1] as org_id,
         (array_agg((c.up_bytes + c.down_bytes)::float8 order by c.ended_at))[1] as bytes
       from cdrs c where c.sim_id = d.sim_id and c.ended_at >= d.activated_at
         and c.ended_at < (coalesce(d.next_on, d.day_on) + 1)::timestamp at time zone 'UTC'
       group by c.sim_id) as r`,
    [simIds, orgId],
  );
  return rows.flatMap(({ orgId: ownerId, ...use }) => (ownerId === orgId && use.at >= from ? [use] : []));
};
