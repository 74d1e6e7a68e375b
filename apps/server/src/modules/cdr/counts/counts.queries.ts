import { unknownValues } from '@simcube/contract/cdr';
import { dayMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { countFirsts } from './firsts.queries.ts';
import { countsOfHour } from './hour-counts.rules.ts';
import { readGroups } from './hour-groups.queries.ts';
import { type Counted, onLevels, type TraitCounts } from './levels.rules.ts';
import { unpackSet } from './number-sets.rules.ts';
import { computeSims } from './sim-counts.queries.ts';

/** A stale hour with its current number of records. */
export interface StaleHour {
  at: Date;
  records: number;
}

export interface StaleHours {
  orgId: number;
  hours: StaleHour[];
}

/** Serialises the computation of an organisation's hours, because sessions are numbered consecutively. */
export const lockCounts = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('cdr.counts ' || $1::bigint, 0))`, [orgId]);
};

/**
 * Hours whose number of records differs from the one they were computed from, by organisation. In order of time: the
 * counts of a day depend on the days before it.
 * @param orgId null for all organisations
 */
export const listStaleHours = async (
  sql: Sql,
  { orgId, from, to, limit }: { orgId: number | null; from: Date; to: Date; limit: number },
): Promise<StaleHours[]> => {
  const { rows } = await sql.query<{ org_id: number; hour_at: Date; records: number }>(
    `select org_id, hour_at, records from cdr_hour_states
     where ($1::bigint is null or org_id = $1) and hour_at >= $2 and hour_at < $3 and not fresh
     order by hour_at limit $4`,
    [orgId, from, to, limit],
  );
  const byOrg = new Map<number, StaleHour[]>();
  for (const { org_id, hour_at: at, records } of rows) {
    const hours = byOrg.get(org_id);
    if (hours) hours.push({ at, records });
    else byOrg.set(org_id, [{ at, records }]);
  }
  return [...byOrg].map(([id, hours]) => ({ orgId: id, hours }));
};

export interface HoursToCompute {
  orgId: number;
  hours: readonly Date[];
  /** Hours that will be computed after these. */
  laterHours: readonly Date[];
  now: Date;
  /** Number of SIMs in a head: those with the most usage, which can be read without the others. */
  headSize: number;
}

/**
 * Computes hours of an organisation and the days they belong to, and stores the number of records that were read: if
 * more have arrived since, the hour is stale and is computed again.
 */
export const computeHours = async (
  tx: Sql,
  { orgId, hours, laterHours, now, headSize }: HoursToCompute,
): Promise<void> => {
  await markMoved(tx, orgId);
  const groups = await readGroups(tx, { orgId, hours });
  const counted = groups.map((hour) => ({ hourAt: hour.hourAt, ...countsOfHour(hour) }));
  const traits = await readTraits(tx, orgId);
  const byHour = new Map<number, TraitCounts[]>(hours.map((hour) => [hour.getTime(), []]));
  for (const { hourAt, byTrait } of counted) {
    byHour.set(
      hourAt.getTime(),
      [...byTrait].flatMap(([id, one]) => traitCounts(traits.get(id), one)),
    );
  }
  await store(tx, { orgId, unit: 'hour', counts: byHour });
  await tx.query(
    `insert into cdr_hours (org_id, hour_at, records, computed_at)
     select $1, hour_at, records, $4 from unnest($2::timestamptz[], $3::bigint[]) as h (hour_at, records)
     on conflict (org_id, hour_at) do update
       set records = excluded.records, computed_at = excluded.computed_at, moved = false`,
    [orgId, hours, hours.map((hour) => recordsOf(byHour.get(hour.getTime()) ?? [])), now],
  );
  await computeDays(tx, { orgId, byHour, traits });
  await computeSims(tx, { orgId, counted, hours, laterHours, now, headSize });
};

/**
 * If a network has moved to another country, the figures by country of hours with its records are wrong. Such hours
 * are marked, because other hours may be computed first; their other figures stay valid.
 */
const markMoved = async (tx: Sql, orgId: number): Promise<void> => {
  await tx.query(
    `update cdr_hours h set moved = true from cdr_moved_hours m
     where m.org_id = $1 and h.org_id = $1 and h.hour_at = m.hour_at`,
    [orgId],
  );
  await tx.query(
    `update cdr_traits t set country = coalesce(n.country, '${unknownValues.country}')
     from cdr_traits o left join networks n on n.plmn = o.plmn
     where o.id = t.id and t.org_id = $1 and t.country <> coalesce(n.country, '${unknownValues.country}')`,
    [orgId],
  );
};

const recordsOf = (counts: readonly TraitCounts[]): number =>
  counts.reduce((sum, { records }) => sum + records, 0);

type Trait = Omit<TraitCounts, keyof Counted>;

const readTraits = async (tx: Sql, orgId: number): Promise<Map<number, Trait>> => {
  const { rows } = await tx.query<Trait>(
    `select id as trait_id, country, min(id) over (partition by apn) as apn_id, plmn, radio, source
     from cdr_traits where org_id = $1`,
    [orgId],
  );
  return new Map(rows.map((trait) => [trait.trait_id, trait]));
};

const traitCounts = (trait: Trait | undefined, counted: Counted): TraitCounts[] =>
  trait ? [{ ...trait, ...counted }] : [];

interface Stored {
  orgId: number;
  unit: 'hour' | 'day';
  /** By the start of the hour or day. */
  counts: ReadonlyMap<number, readonly TraitCounts[]>;
}

const store = async (tx: Sql, { orgId, unit, counts }: Stored): Promise<void> => {
  const starts = [...counts.keys()].map((start) => new Date(start));
  await tx.query(
    'delete from cdr_counts where org_id = $1 and unit = $2 and starts_at = any($3::timestamptz[])',
    [orgId, unit, starts],
  );
  const rows = [...counts].flatMap(([start, of]) =>
    onLevels(of).map((row) => ({ ...row, start: new Date(start) })),
  );
  await tx.query(
    `insert into cdr_counts (org_id, unit, level, starts_at, part, records, up_bytes, down_bytes, sims, sessions,
       sim_set, session_set, sim_bits, session_bits)
     select $1, $2, * from unnest($3::text[], $4::timestamptz[], $5::integer[], $6::bigint[], $7::bigint[], $8::bigint[],
       $9::bigint[], $10::bigint[], $11::bytea[], $12::bytea[], $13::bytea[], $14::bytea[])`,
    [
      orgId,
      unit,
      rows.map(({ level }) => level),
      rows.map(({ start }) => start),
      rows.map(({ part }) => part),
      rows.map(({ records }) => records),
      rows.map(({ up_bytes }) => up_bytes),
      rows.map(({ down_bytes }) => down_bytes),
      rows.map(({ sims }) => sims),
      rows.map(({ sessions }) => sessions),
      rows.map(({ sim_set }) => sim_set),
      rows.map(({ session_set }) => session_set),
      // Stored for days only: a query reads many of them, and each has many members.
      rows.map(({ sim_bits }) => (unit === 'day' ? sim_bits : null)),
      rows.map(({ session_bits }) => (unit === 'day' ? session_bits : null)),
    ],
  );
};

interface Days {
  orgId: number;
  /** Hours that were just computed. */
  byHour: ReadonlyMap<number, readonly TraitCounts[]>;
  traits: ReadonlyMap<number, Trait>;
}

interface HourRow extends Pick<Counted, 'records' | 'up_bytes' | 'down_bytes'> {
  day: Date;
  trait_id: number;
  sim_set: Buffer;
  session_set: Buffer;
}

/** Computes the days of these hours, including their other hours. */
const computeDays = async (tx: Sql, { orgId, byHour, traits }: Days): Promise<void> => {
  const counts = new Map<number, TraitCounts[]>();
  for (const [hour, ofHour] of byHour) {
    const day = hour - (hour % dayMs);
    counts.set(day, [...(counts.get(day) ?? []), ...ofHour]);
  }
  const { rows } = await tx.query<HourRow>(
    `select d.day, h.part as trait_id, h.records, h.up_bytes, h.down_bytes, h.sim_set, h.session_set
     from unnest($2::timestamptz[]) as d (day) cross join lateral (
       select * from cdr_counts
       where org_id = $1 and unit = 'hour' and level = 'trait' and starts_at >= d.day
         and starts_at < d.day + interval '1 day' and starts_at <> all($3::timestamptz[]) order by org_id) as h`,
    [orgId, [...counts.keys()].map((day) => new Date(day)), [...byHour.keys()].map((hour) => new Date(hour))],
  );
  for (const { day, trait_id, sim_set, session_set, ...amounts } of rows) {
    const counted = { ...amounts, sims: unpackSet(sim_set), sessions: unpackSet(session_set) };
    counts.get(day.getTime())?.push(...traitCounts(traits.get(trait_id), counted));
  }
  await store(tx, { orgId, unit: 'day', counts });
  await countFirsts(tx, orgId, [...counts.keys()]);
};

/**
 * Deletes figures of records that are no longer retained. Sessions keep their numbers, so that a continuing session
 * is not counted twice.
 */
export const dropCountsBefore = async (tx: Sql, before: Date): Promise<void> => {
  await tx.query('delete from cdr_hours where hour_at < $1', [before]);
  await tx.query('delete from cdr_counts where starts_at < $1', [before]);
  await tx.query('delete from cdr_firsts where starts_at < $1', [before]);
  await tx.query('delete from cdr_sim_counts where starts_at < $1', [before]);
  await tx.query('delete from cdr_sim_heads where starts_at < $1', [before]);
};
