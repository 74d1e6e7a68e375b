import { dayMs, hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Narrowing, PagePosition } from '../../../platform/lists/index.ts';
import type { Fragment, RecordSelection } from '../cdr-filter.views.ts';
import type { Level } from './levels.rules.ts';
import { forEachNumber } from './number-sets.rules.ts';
import { lookUpSims } from './sim-lookups.views.ts';
import {
  fewRecords,
  isComputed,
  isOfManySims,
  levelOf,
  type Range,
  readHours,
  recordsOf,
  type Sources,
  sourcesOf,
  storedCounts,
} from './stored.views.ts';

/** Maximum number of SIMs times days for which records are looked up individually. */
const maxLookups = 4000;
/** Number of rows that can be scanned in the time of looking up one SIM's day. */
const rowsPerLookup = 10;

/** A time range with its matching records. */
interface Part extends Range {
  /** Undefined if the number is only known from records, which were not read. */
  matches: number | undefined;
  /** Whether the number comes from stored counts. */
  isComputed: boolean;
  /** The SIMs with matches, if known. */
  sims?: number[];
}

/**
 * Narrows a page of records down by stored counts of hours and days: how many match, the time range of the page, how
 * many come before it, and the SIMs to look up if scanning the range would pass too many other records.
 * @param few sums of up to this number of records are read from the records
 */
export const narrowToPage = async (
  db: Db,
  {
    selection,
    few = fewRecords,
    ...position
  }: PagePosition & { selection: RecordSelection; few?: number | undefined },
): Promise<Narrowing> => {
  const { simIds } = selection;
  if (simIds && !isOfManySims(selection)) return {};
  const hours = await readHours(db, selection);
  const sources = sourcesOf(selection, { hours, by: 'day', cut: selection.to, few });
  if (!isComputed(sources)) return {};
  const level = levelOf(selection, { country: false, network: false, radio: false });
  const computed = simIds
    ? await readPartsOfSims(db, { selection, sources })
    : await readParts(db, { selection, sources, level });
  if (!computed) return {};
  // Querying a cluster's nodes costs more than everything else for a page: if the rest of the total is not shown, it
  // is not counted.
  const isCounted = totalOf(computed) <= position.countLimit || position.skipped > 0;
  const parts = [...computed, ...(await readRecords(db, { selection, ranges: sources.records, isCounted }))];
  const total = totalOf(parts);
  const { skipped, page } = partsOfPage(
    simIds ? parts : await splitIntoHours(db, { selection, parts, level, position }),
    position,
  );
  const known = { total, skipped };
  const lookups = page
    .filter((part) => part.isComputed)
    .reduce((sum, { matches = 0, sims }) => sum + (sims?.length ?? matches), 0);
  const scannedRows = total === 0 ? sources.all : ((position.rows - skipped) * sources.all) / total;
  if (lookups > maxLookups || lookups * rowsPerLookup > scannedRows)
    return { ...known, from: between(selection, page) };
  const withSimIds = simIds ? page : await withSims(db, { selection, page, level });
  return { ...known, from: recordsOfLookups(selection, withSimIds) };
};

const totalOf = (parts: readonly Part[]): number => parts.reduce((sum, { matches = 0 }) => sum + matches, 0);

/** The parts of many SIMs, which are looked up in packs; undefined if the packs change during the read. */
const readPartsOfSims = async (
  db: Db,
  { selection, sources }: { selection: RecordSelection; sources: Sources },
): Promise<Part[] | undefined> => {
  const parts = new Map<number, Part & { matches: number; isComputed: true; sims: number[] }>();
  const sims = (selection.simIds ?? []).toSorted((a, b) => a - b);
  const isFound = await lookUpSims(db, {
    orgId: selection.orgId,
    lookups: [
      ...sources.days.map((at) => ({ unit: 'day' as const, at, sims, length: dayMs })),
      ...sources.hours.map((at) => ({ unit: 'hour' as const, at, sims, length: hourMs })),
    ],
    visit: ({ at: from, length }, { sim, records }) => {
      const part = parts.get(from.getTime());
      if (part) {
        part.matches += records;
        part.sims.push(sim);
      } else {
        const to = new Date(from.getTime() + length);
        parts.set(from.getTime(), { from, to, matches: records, isComputed: true, sims: [sim] });
      }
    },
  });
  return isFound ? [...parts.values()] : undefined;
};

/** Divides days of a page into their hours if they have more matches than the page needs. */
const splitIntoHours = async (
  db: Db,
  {
    selection,
    parts,
    level,
    position,
  }: { selection: RecordSelection; parts: readonly Part[]; level: Level; position: PagePosition },
): Promise<Part[]> => {
  const { skipped, page } = partsOfPage(parts, position);
  const days = page.filter(({ from, to, matches = 0, isComputed: isComputedPart }) => {
    return isComputedPart && to.getTime() - from.getTime() === dayMs && matches > position.rows - skipped;
  });
  if (days.length === 0) return [...parts];
  const hours = days.flatMap(({ from }) =>
    Array.from({ length: 24 }, (_, hour) => new Date(from.getTime() + hour * hourMs)),
  );
  const divided = await readParts(db, { selection, sources: { days: [], hours }, level });
  return [...parts.filter((part) => !days.includes(part)), ...divided];
};

const readParts = async (
  db: Db,
  {
    selection,
    sources,
    level,
  }: { selection: RecordSelection; sources: Pick<Sources, 'days' | 'hours'>; level: Level },
): Promise<Part[]> => {
  const { rows } = await sql<{ hour_at: Date; matches: number }>`
    select hour_at, sum(records)::bigint as matches from (${storedCounts(selection, sources, level)}) as s
    group by 1`.execute(db);
  const days = new Set(sources.days.map((day) => day.getTime()));
  return rows.map(({ hour_at: from, matches }) => {
    const length = days.has(from.getTime()) ? dayMs : hourMs;
    return { from, to: new Date(from.getTime() + length), matches, isComputed: true };
  });
};

/** Ranges without stored counts. */
const readRecords = async (
  db: Db,
  {
    selection,
    ranges,
    isCounted,
  }: { selection: RecordSelection; ranges: readonly Range[]; isCounted: boolean },
): Promise<Part[]> => {
  const isRead = isCounted && ranges.length > 0;
  const { rows } = isRead
    ? await sql<{ nth: number; matches: number }>`
        select width_bucket(r.ended_at, ${ranges.map(({ from }) => from)}::timestamptz[]) as nth, count(*) as matches
        from (${recordsOf(selection, ranges)}) as r group by 1`.execute(db)
    : { rows: [] };
  const counts = new Map(rows.map(({ nth, matches }) => [nth - 1, matches]));
  return ranges.map((range, index) => ({
    ...range,
    matches: isRead ? (counts.get(index) ?? 0) : undefined,
    isComputed: false,
  }));
};

/**
 * The parts that contain the matches of a page, and how many of the skipped matches are in earlier parts. How many
 * matches remain of the part in which the page begins is unknown.
 */
const partsOfPage = (
  parts: readonly Part[],
  { descending, after, rows, skipped: maxSkipped }: PagePosition,
): { skipped: number; page: Part[] } => {
  const ordered = parts.toSorted((a, b) => (a.from.getTime() - b.from.getTime()) * (descending ? -1 : 1));
  const start = after ? instantOf(after) : undefined;
  const page: Part[] = [];
  let [skipped, certain] = [0, 0];
  for (const part of ordered) {
    const isPast = start !== undefined && (descending ? part.from > start : part.to < start);
    if (isPast) continue;
    if (skipped + certain >= rows) break;
    if (page.length === 0 && part.matches !== undefined && skipped + part.matches <= maxSkipped) {
      skipped += part.matches;
      continue;
    }
    page.push(part);
    if (start === undefined || part.to < start || part.from > start) certain += part.matches ?? 0;
  }
  return { skipped, page };
};

/** Parses the database's text format: microseconds, and an offset in hours only. */
const instantOf = (text: string): Date => new Date(`${text.replace(' ', 'T')}:00`);

const between = ({ orgId }: RecordSelection, page: readonly Part[]): Fragment => {
  const from = new Date(Math.min(...page.map((part) => part.from.getTime())));
  const to = new Date(Math.max(...page.map((part) => part.to.getTime())));
  return sql`(select * from cdrs where org_id = ${orgId} and ended_at >= ${from} and ended_at < ${to}) as c`;
};

/** The parts with the SIMs of their matches. */
const withSims = async (
  db: Db,
  { selection, page, level }: { selection: RecordSelection; page: readonly Part[]; level: Level },
): Promise<Part[]> => {
  const computed = page.filter((part) => part.isComputed);
  const lengthOf = ({ from, to }: Range) => to.getTime() - from.getTime();
  const { rows } = await sql<{ hour_at: Date; sim_set: Buffer }>`
    select hour_at, sim_set from (${storedCounts(
      selection,
      {
        days: computed.filter((part) => lengthOf(part) === dayMs).map(({ from }) => from),
        hours: computed.filter((part) => lengthOf(part) === hourMs).map(({ from }) => from),
      },
      level,
    )}) as s`.execute(db);
  const sims = new Map<number, Set<number>>();
  for (const { hour_at, sim_set } of rows) {
    const found = sims.get(hour_at.getTime()) ?? new Set();
    forEachNumber(sim_set, (sim) => found.add(sim));
    sims.set(hour_at.getTime(), found);
  }
  return page.map((part) =>
    part.isComputed ? { ...part, sims: [...(sims.get(part.from.getTime()) ?? [])] } : part,
  );
};

/** The records of SIMs with matches, and those without stored counts. */
const recordsOfLookups = (selection: RecordSelection, page: readonly Part[]): Fragment => {
  const simRanges = page.flatMap(({ from, to, sims = [] }) => sims.map((sim) => ({ sim, from, to })));
  const ranges = page.filter((part) => !part.isComputed);
  return sql`(
    select c.* from unnest(${simRanges.map(({ sim }) => sim)}::bigint[], ${simRanges.map(({ from }) => from)}::timestamptz[],
      ${simRanges.map(({ to }) => to)}::timestamptz[]) as v (sim_id, since, until)
    cross join lateral (
      select * from cdrs where sim_id = v.sim_id and ended_at >= v.since and ended_at < v.until) as c
    union all ${recordsOf(selection, ranges)}) as c`;
};
