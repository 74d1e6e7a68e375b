import { sql } from 'kysely';
import { type Db, readBinary } from '../../../platform/db/index.ts';
import type { Fragment } from '../cdr-filter.views.ts';
import { forEachSim, type PackPart, partsWith, type SimAmounts } from './sim-counts.rules.ts';
import { bitsBytes, rangeBytes, rangeIds, simBefore } from './sim-maps.rules.ts';

export type PackUnit = 'hour' | 'day' | 'days';

/** SIMs to look up in the pack of an hour, a day or a group of days. */
export interface PackLookup {
  unit: PackUnit;
  at: Date;
  /** Sorted. */
  sims: readonly number[];
}

/** Receives a SIM found in a pack, always in the same object, with a function that returns its sessions. */
export type SimVisitor<W extends PackLookup> = (
  lookup: W,
  amounts: SimAmounts,
  sessions: () => Uint8Array,
) => void;

/** Number of attempts to read packs that are recomputed while they are read. */
const maxAttempts = 3;

/**
 * Looks SIMs up in packs. The database finds them by the pack's map. Without a map, the pack's ids locate its SIMs,
 * and only those parts are read; packs without either are read completely.
 * @returns false, without calling `visit`, if a pack is missing or was recomputed on each attempt
 */
export const lookUpSims = async <W extends PackLookup>(
  db: Db,
  { orgId, lookups, visit }: { orgId: number; lookups: readonly W[]; visit: SimVisitor<W> },
): Promise<boolean> => {
  if (lookups.length === 0) return true;
  const mapped = await readMapped(db, { orgId, lookups });
  if (!mapped) return false;
  const others = mapped.others.length > 0 ? await readOthers(db, { orgId, lookups: mapped.others }) : [];
  if (!others) return false;
  for (const part of [...mapped.parts, ...others]) visitSims(part, visit);
  return true;
};

const readOthers = async <W extends PackLookup>(
  db: Db,
  of: LookupQuery<W>,
): Promise<FoundPart<W>[] | undefined> => {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const parts = await readParts(db, of);
    if (parts) return parts;
  }
  return undefined;
};

/**
 * The parts of packs that contain the SIMs, and the packs without a map; undefined if one is missing. A map is read
 * once for all SIMs (`|| ''`, and `offset 0` before the join); otherwise each bit test would read it again.
 */
const readMapped = async <W extends PackLookup>(
  db: Db,
  { orgId, lookups }: LookupQuery<W>,
): Promise<{ parts: FoundPart<W>[]; others: W[] } | undefined> => {
  const lists = [...new Set(lookups.map(({ sims }) => sims))];
  const listOf = new Map(lists.map((sims, place) => [sims, place + 1]));
  const [ids, bytes] = [sql.lit(rangeIds), sql.lit(rangeBytes)];
  const range = sql`(s.sim / ${ids} - c.map_from)::integer`;
  const offsetOf = (place: Fragment) =>
    sql.join(
      [24, 16, 8, 0].map(
        (shift, byte) =>
          sql`(get_byte(m.map, (${place}) * ${bytes} + ${sql.lit(bitsBytes + byte)}) << ${sql.lit(shift)})`,
      ),
      sql` + `,
    );
  const query = sql`
    select v.place, m.map is not null as mapped, c.map_from + f.range as range, f.bits,
      substr(c.packed, f.since + 1, f.until - f.since) as part
    from (select unnest(${lookups.map((_, place) => place)}::integer[]) as place,
        unnest(${lookups.map(({ unit }) => unit)}::text[]) as unit,
        unnest(${lookups.map(({ at }) => at)}::timestamptz[]) as starts_at,
        unnest(${lookups.map(({ sims }) => listOf.get(sims))}::integer[]) as list) as v
    join unnest(${lists.map((sims) => `{${sims.join(',')}}`)}::text[]) with ordinality as l (sims, number)
      on l.number = v.list
    join cdr_sim_counts c on c.org_id = ${orgId} and c.unit = v.unit and c.starts_at = v.starts_at
    cross join lateral (
      select case when c.written = c.xmin::text::bigint and octet_length(c.map) > 0 then c.map || '' end as map offset 0) as m
    left join lateral (
      select r.range, substr(m.map, r.range * ${bytes} + 1, ${sql.lit(bitsBytes)}) as bits, ${offsetOf(sql`r.range`)} as since,
        ${offsetOf(sql`r.range + 1`)} as until
      from (
        select distinct ${range} as range from unnest(l.sims::bigint[]) as s (sim)
        where case when s.sim / ${ids} between c.map_from and c.map_from + octet_length(m.map) / ${bytes} - 2
          then get_bit(m.map, ${range} * ${bytes} * 8 + s.sim % ${ids}) = 1 end) as r) as f on true`;
  const rows = await readBinary(db, query, (row) => ({
    place: row.integer() ?? 0,
    mapped: row.flag(),
    range: row.integer(),
    bits: row.bytes(),
    part: row.bytes(),
  }));
  const others = new Set<W>();
  const seen = new Set<number>();
  const parts: FoundPart<W>[] = [];
  for (const { place, mapped, range, bits, part } of rows) {
    const pack = lookups[place];
    if (!pack) continue;
    seen.add(place);
    if (!mapped) others.add(pack);
    else if (range !== null && bits && part)
      parts.push({ lookup: pack, packed: part, sim: simBefore(range, bits, part) });
  }
  return seen.size === lookups.length ? { parts, others: [...others] } : undefined;
};

interface PackRow {
  /** Position in the list of wanted packs. */
  place: number;
  /** The transaction that wrote it. */
  version: string;
  ids: Buffer | null;
  places: Buffer;
  /** The whole pack, if it has no index. */
  packed: Buffer | null;
}

interface FoundPart<W> {
  lookup: W;
  packed: Buffer;
  /** Last SIM before the part. */
  sim: number;
}

interface LookupQuery<W> {
  orgId: number;
  lookups: readonly W[];
}

/** Undefined if a pack is missing, or was recomputed between reading its index and its parts. */
const readParts = async <W extends PackLookup>(
  db: Db,
  { orgId, lookups }: LookupQuery<W>,
): Promise<FoundPart<W>[] | undefined> => {
  const { rows } = await sql<PackRow>`
    select v.place, c.xmin::text as version, case when c.written = c.xmin::text::bigint then c.ids end as ids, c.places,
      case when c.written is distinct from c.xmin::text::bigint then c.packed end as packed
    from (select unnest(${lookups.map((_, place) => place)}::integer[]) as place,
        unnest(${lookups.map(({ unit }) => unit)}::text[]) as unit,
        unnest(${lookups.map(({ at }) => at)}::timestamptz[]) as starts_at) as v
    join cdr_sim_counts c on c.org_id = ${orgId} and c.unit = v.unit and c.starts_at = v.starts_at`.execute(
    db,
  );
  if (rows.length < lookups.length) return undefined;
  const whole: FoundPart<W>[] = [];
  const partLookups: (PackPart & { pack: W; version: string })[] = [];
  for (const { place, version, ids, places, packed } of rows) {
    const pack = lookups[place];
    if (!pack) continue;
    if (packed) whole.push({ lookup: pack, packed, sim: 0 });
    if (!ids) continue;
    for (const part of partsWith({ ids, places }, pack.sims)) partLookups.push({ ...part, pack, version });
  }
  if (partLookups.length === 0) return whole;
  const { rows: found } = await sql<{ place: number; part: Buffer }>`
    select v.place, case when v.bytes is null then substr(c.packed, v.since) else substr(c.packed, v.since, v.bytes) end as part
    from (select unnest(${partLookups.map((_, place) => place)}::integer[]) as place,
        unnest(${partLookups.map(({ pack }) => pack.unit)}::text[]) as unit,
        unnest(${partLookups.map(({ pack }) => pack.at)}::timestamptz[]) as starts_at,
        unnest(${partLookups.map(({ version }) => version)}::text[]) as version,
        unnest(${partLookups.map(({ from }) => from + 1)}::integer[]) as since,
        unnest(${partLookups.map(({ bytes }) => bytes ?? null)}::integer[]) as bytes) as v
    join cdr_sim_counts c on c.org_id = ${orgId} and c.unit = v.unit and c.starts_at = v.starts_at
      and c.xmin::text = v.version`.execute(db);
  if (found.length < partLookups.length) return undefined;
  const parts = found.flatMap(({ place, part }) => {
    const one = partLookups[place];
    return one ? [{ lookup: one.pack, packed: part, sim: one.sim }] : [];
  });
  return [...whole, ...parts];
};

/** Calls back with the wanted SIMs in a part of a pack; both are sorted. */
const visitSims = <W extends PackLookup>(
  { lookup, packed, sim }: FoundPart<W>,
  visit: SimVisitor<W>,
): void => {
  const { sims } = lookup;
  let place = firstAfter(sims, sim);
  forEachSim(
    packed,
    (amounts, sessions) => {
      while ((sims[place] ?? Number.POSITIVE_INFINITY) < amounts.sim) place += 1;
      if (sims[place] === amounts.sim) visit(lookup, amounts, sessions);
    },
    sim,
  );
};

const firstAfter = (sorted: readonly number[], number: number): number => {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((sorted[middle] ?? 0) > number) to = middle;
    else from = middle + 1;
  }
  return from;
};
