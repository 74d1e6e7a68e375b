import type { Sql } from '../../../platform/db/index.ts';
import { daysTogether, packSims, packTogether, togetherAt } from './sim-counts.rules.ts';

const dayMs = 86_400_000;
const togetherMs = daysTogether * dayMs;

interface HourRow {
  hour_at: Date;
  sims: number[];
  records: number[];
  up_bytes: number[];
  down_bytes: number[];
  sessions: number[][];
}

interface Computed {
  orgId: number;
  hours: readonly Date[];
  /** A common table of the records (`c`) with their hours, of `$1` and `$2`. */
  records: string;
  now: Date;
}

/**
 * Adds up hours by SIM, the days that they are of, and those days together that are over. After the records of the hours were
 * counted: one that has arrived since makes its hour stale. `offset 0` keeps the planner from reading all sessions of the
 * organisation and joining the records to them.
 */
export const computeSims = async (tx: Sql, { orgId, hours, records, now }: Computed): Promise<void> => {
  const { rows } = await tx.query<HourRow>(
    `${records}
     select hour_at, json_agg(sim_id order by sim_id) as sims, json_agg(records order by sim_id) as records,
       json_agg(up_bytes order by sim_id) as up_bytes, json_agg(down_bytes order by sim_id) as down_bytes,
       json_agg(sessions order by sim_id) as sessions
     from (
       select c.hour_at, c.sim_id, count(*) as records, sum(c.up_bytes) as up_bytes, sum(c.down_bytes) as down_bytes,
         coalesce(array_agg(distinct s.number order by s.number) filter (where s.number is not null), '{}') as sessions
       from c left join lateral (
         select number from cdr_sessions
         where org_id = $1 and sim_id = c.sim_id and session_key = c.session_key offset 0) as s on true
       where c.session_key is null or s.number is not null
       group by 1, 2) as by_sim
     group by 1`,
    [orgId, hours],
  );
  const packs = new Map<number, Buffer>(hours.map((hour) => [hour.getTime(), packSims([])]));
  for (const { hour_at, sims, sessions, ...amounts } of rows) {
    const counts = sims.map((sim, index) => ({
      sim,
      records: amounts.records[index] ?? 0,
      up_bytes: amounts.up_bytes[index] ?? 0,
      down_bytes: amounts.down_bytes[index] ?? 0,
      sessions: sessions[index] ?? [],
    }));
    packs.set(hour_at.getTime(), packSims(counts));
  }
  await store(tx, { orgId, unit: 'hour', packs });
  const days = new Set(hours.map((hour) => hour.getTime() - (hour.getTime() % dayMs)));
  await addUp(tx, { orgId, from: 'hour', unit: 'day', starts: [...days], lengthMs: dayMs });
  const over = [...new Set([...days].map(togetherAt))].filter((start) => start + togetherMs <= now.getTime());
  await addUp(tx, { orgId, from: 'day', unit: 'days', starts: over, lengthMs: togetherMs });
};

type Unit = 'hour' | 'day' | 'days';

const addUp = async (
  tx: Sql,
  {
    orgId,
    from,
    unit,
    starts,
    lengthMs,
  }: { orgId: number; from: Unit; unit: Unit; starts: readonly number[]; lengthMs: number },
): Promise<void> => {
  for (const start of starts) {
    const { rows } = await tx.query<{ packed: Buffer }>(
      'select packed from cdr_sim_counts where org_id = $1 and unit = $2 and starts_at >= $3 and starts_at < $4',
      [orgId, from, new Date(start), new Date(start + lengthMs)],
    );
    const packs = new Map([[start, packTogether(rows.map(({ packed }) => packed))]]);
    await store(tx, { orgId, unit, packs });
  }
};

const store = async (
  tx: Sql,
  { orgId, unit, packs }: { orgId: number; unit: Unit; packs: ReadonlyMap<number, Buffer> },
): Promise<void> => {
  await tx.query(
    `insert into cdr_sim_counts (org_id, unit, starts_at, packed)
     select $1, $2, * from unnest($3::timestamptz[], $4::bytea[])
     on conflict (org_id, unit, starts_at) do update set packed = excluded.packed`,
    [orgId, unit, [...packs.keys()].map((start) => new Date(start)), [...packs.values()]],
  );
};
