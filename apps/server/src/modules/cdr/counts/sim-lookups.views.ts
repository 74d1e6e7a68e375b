import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { eachSim, type PackPart, partsWith, type SimAmounts } from './sim-counts.rules.ts';

export type PackUnit = 'hour' | 'day' | 'days';

/** Some SIMs of what was computed of an hour, a day or days together. */
export interface PackWanted {
  unit: PackUnit;
  at: Date;
  /** Sorted. */
  sims: readonly number[];
}

/** Hands over a SIM that was found in a pack, in the same object each time, with a way to its sessions. */
export type ToldSim<W extends PackWanted> = (
  wanted: W,
  amounts: SimAmounts,
  sessions: () => Uint8Array,
) => void;

/** Packs that are computed again while they are read are read again, so often. */
const triesMost = 3;

/**
 * Looks SIMs up in packs: the ids that a pack has say where its SIMs are, and those places alone are read. Of packs that say
 * nothing of places all is read.
 * @returns false, without a call of `told`, where a pack is not there or was computed again each time that it was read
 */
export const lookUpSims = async <W extends PackWanted>(
  db: Db,
  { orgId, wanted, told }: { orgId: number; wanted: readonly W[]; told: ToldSim<W> },
): Promise<boolean> => {
  if (wanted.length === 0) return true;
  for (let tried = 1; tried <= triesMost; tried += 1) {
    const parts = await readParts(db, { orgId, wanted });
    if (!parts) continue;
    for (const part of parts) tellSims(part, told);
    return true;
  }
  return false;
};

interface PackRow {
  /** Of what is wanted. */
  place: number;
  /** The transaction that wrote it. */
  version: string;
  ids: Buffer | null;
  places: Buffer;
  /** Where it says nothing of places. */
  packed: Buffer | null;
}

interface FoundPart<W> {
  wanted: W;
  packed: Buffer;
  /** Before it. */
  sim: number;
}

interface Wanted<W> {
  orgId: number;
  wanted: readonly W[];
}

/** Undefined where a pack is not there, or was computed again between the reading of its places and that of its parts. */
const readParts = async <W extends PackWanted>(
  db: Db,
  { orgId, wanted }: Wanted<W>,
): Promise<FoundPart<W>[] | undefined> => {
  const { rows } = await sql<PackRow>`
    select v.place, c.xmin::text as version, case when c.written = c.xmin::text::bigint then c.ids end as ids, c.places,
      case when c.written is distinct from c.xmin::text::bigint then c.packed end as packed
    from (select unnest(${wanted.map((_, place) => place)}::integer[]) as place,
        unnest(${wanted.map(({ unit }) => unit)}::text[]) as unit,
        unnest(${wanted.map(({ at }) => at)}::timestamptz[]) as starts_at) as v
    join cdr_sim_counts c on c.org_id = ${orgId} and c.unit = v.unit and c.starts_at = v.starts_at`.execute(
    db,
  );
  if (rows.length < wanted.length) return undefined;
  const whole: FoundPart<W>[] = [];
  const sought: (PackPart & { pack: W; version: string })[] = [];
  for (const { place, version, ids, places, packed } of rows) {
    const pack = wanted[place];
    if (!pack) continue;
    if (packed) whole.push({ wanted: pack, packed, sim: 0 });
    if (!ids) continue;
    for (const part of partsWith({ ids, places }, pack.sims)) sought.push({ ...part, pack, version });
  }
  if (sought.length === 0) return whole;
  const { rows: found } = await sql<{ place: number; part: Buffer }>`
    select v.place, case when v.bytes is null then substr(c.packed, v.since) else substr(c.packed, v.since, v.bytes) end as part
    from (select unnest(${sought.map((_, place) => place)}::integer[]) as place,
        unnest(${sought.map(({ pack }) => pack.unit)}::text[]) as unit,
        unnest(${sought.map(({ pack }) => pack.at)}::timestamptz[]) as starts_at,
        unnest(${sought.map(({ version }) => version)}::text[]) as version,
        unnest(${sought.map(({ from }) => from + 1)}::integer[]) as since,
        unnest(${sought.map(({ bytes }) => bytes ?? null)}::integer[]) as bytes) as v
    join cdr_sim_counts c on c.org_id = ${orgId} and c.unit = v.unit and c.starts_at = v.starts_at
      and c.xmin::text = v.version`.execute(db);
  if (found.length < sought.length) return undefined;
  const parts = found.flatMap(({ place, part }) => {
    const one = sought[place];
    return one ? [{ wanted: one.pack, packed: part, sim: one.sim }] : [];
  });
  return [...whole, ...parts];
};

/** The SIMs of a part of a pack that are wanted: both are sorted. */
const tellSims = <W extends PackWanted>({ wanted, packed, sim }: FoundPart<W>, told: ToldSim<W>): void => {
  const { sims } = wanted;
  let place = firstAfter(sims, sim);
  eachSim(
    packed,
    (amounts, sessions) => {
      while ((sims[place] ?? Number.POSITIVE_INFINITY) < amounts.sim) place += 1;
      if (sims[place] === amounts.sim) told(wanted, amounts, sessions);
    },
    { from: { offset: 0, sim } },
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
