import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import {
  combinePacks,
  daysPerGroup,
  groupStart,
  packSims,
  type SimCounts,
  type SimPack,
} from './sim-counts.rules.ts';

const groupMs = daysPerGroup * dayMs;

interface ComputedHours {
  orgId: number;
  /** Hours with records. */
  counted: readonly { hourAt: Date; bySim: readonly SimCounts[] }[];
  hours: readonly Date[];
  /** Hours that will be computed after these. */
  laterHours: readonly Date[];
  now: Date;
  /** Number of SIMs in a pack's head: those with the most usage, packed separately. */
  headSize: number;
}

/**
 * Computes the packs of hours, of their days, and of each group of days that is over. A group with hours still to be
 * computed is deleted; the last of those hours then computes it once.
 */
export const computeSims = async (
  tx: Sql,
  { orgId, counted, hours, laterHours, now, headSize }: ComputedHours,
): Promise<void> => {
  const packs = new Map<number, SimPack>(hours.map((hour) => [hour.getTime(), packSims([], headSize)]));
  for (const { hourAt, bySim } of counted) packs.set(hourAt.getTime(), packSims(bySim, headSize));
  await store(tx, { orgId, unit: 'hour', packs });
  const days = await combine(tx, { orgId, from: 'hour', unit: 'day', packs, lengthMs: dayMs, headSize });
  const unfinished = new Set(laterHours.map((hour) => groupStart(hour.getTime())));
  const isOver = (day: number) =>
    groupStart(day) + groupMs <= now.getTime() && !unfinished.has(groupStart(day));
  await tx.query(
    `delete from cdr_sim_counts where org_id = $1 and unit = 'days' and starts_at = any($2::timestamptz[])`,
    [orgId, [...days.keys()].filter((day) => !isOver(day)).map((day) => new Date(groupStart(day)))],
  );
  const completed = new Map([...days].filter(([day]) => isOver(day)));
  await combine(tx, { orgId, from: 'day', unit: 'days', packs: completed, lengthMs: groupMs, headSize });
};

type Unit = 'hour' | 'day' | 'days';

interface PacksToCombine {
  orgId: number;
  from: Unit;
  unit: Unit;
  /** Packs that were just computed, by their start. */
  packs: ReadonlyMap<number, SimPack>;
  /** Length of the resulting packs. */
  lengthMs: number;
  headSize: number;
}

/** Combines packs with the other stored ones of the same day or group of days. */
const combine = async (
  tx: Sql,
  { orgId, from, unit, packs, lengthMs, headSize }: PacksToCombine,
): Promise<Map<number, SimPack>> => {
  const parts = new Map<number, Buffer[]>();
  const add = (at: number, pack: Buffer) => {
    const start = at - (at % lengthMs);
    parts.set(start, [...(parts.get(start) ?? []), pack]);
  };
  for (const [at, { packed }] of packs) add(at, packed);
  if (parts.size === 0) return new Map();
  const { rows } = await tx.query<{ starts_at: Date; packed: Buffer }>(
    `select c.starts_at, c.packed from unnest($3::timestamptz[]) as v (since) cross join lateral (
       select starts_at, packed from cdr_sim_counts
       where org_id = $1 and unit = $2 and starts_at >= v.since and starts_at < v.since + make_interval(secs => $4)
         and starts_at <> all($5::timestamptz[]) order by org_id) as c`,
    [
      orgId,
      from,
      [...parts.keys()].map((start) => new Date(start)),
      lengthMs / 1000,
      [...packs.keys()].map((at) => new Date(at)),
    ],
  );
  for (const { starts_at, packed } of rows) add(starts_at.getTime(), packed);
  const added = new Map([...parts].map(([start, of]) => [start, combinePacks(of, headSize)]));
  await store(tx, { orgId, unit, packs: added });
  return added;
};

/** In the same form as a row's xmin: without the epoch. */
const transaction = '(pg_current_xact_id()::text::bigint & 4294967295)';

const store = async (
  tx: Sql,
  { orgId, unit, packs }: { orgId: number; unit: Unit; packs: ReadonlyMap<number, SimPack> },
): Promise<void> => {
  const rows = [...packs.values()];
  await tx.query(
    `insert into cdr_sim_counts (org_id, unit, starts_at, packed, ids, places, head, rest_bytes, map, map_from, written)
     select $1, $2, v.*, ${transaction}
     from unnest($3::timestamptz[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::bytea[], $10::bigint[]) as v
     on conflict (org_id, unit, starts_at) do update set packed = excluded.packed, ids = excluded.ids,
       places = excluded.places, head = excluded.head, rest_bytes = excluded.rest_bytes, map = excluded.map,
       map_from = excluded.map_from, written = excluded.written`,
    [
      orgId,
      unit,
      [...packs.keys()].map((start) => new Date(start)),
      rows.map(({ packed }) => packed),
      rows.map(({ ids }) => ids),
      rows.map(({ places }) => places),
      rows.map(({ head }) => head),
      rows.map(({ rest_bytes }) => rest_bytes),
      rows.map(({ map }) => map),
      rows.map(({ map_from }) => map_from),
    ],
  );
};

/** Packs without a map of their SIMs, or with the map of an earlier version; at most `limit`. */
export const listIncomplete = async (
  sql: Sql,
  limit: number,
): Promise<{ orgId: number; unit: Unit; startsAt: Date }[]> => {
  const { rows } = await sql.query<{ orgId: number; unit: Unit; startsAt: Date }>(
    `select org_id as "orgId", unit, starts_at as "startsAt" from cdr_sim_counts
     where written is distinct from xmin::text::bigint or map is null limit $1`,
    [limit],
  );
  return rows;
};

/** Recreates the map and head of a pack. The caller has locked the counts of its organisation. */
export const completePack = async (
  tx: Sql,
  { orgId, unit, startsAt, headSize }: { orgId: number; unit: Unit; startsAt: Date; headSize: number },
): Promise<void> => {
  const { rows } = await tx.query<{ packed: Buffer }>(
    'select packed from cdr_sim_counts where org_id = $1 and unit = $2 and starts_at = $3',
    [orgId, unit, startsAt],
  );
  const packs = new Map(rows.map(({ packed }) => [startsAt.getTime(), combinePacks([packed], headSize)]));
  await store(tx, { orgId, unit, packs });
};
