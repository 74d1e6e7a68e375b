import { dayMs, hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import { type Db, type Sql, typedWithin } from '../../../platform/db/index.ts';
import { forEachSim, type SimAmounts } from './sim-counts.rules.ts';
import { type Range, readHours, recordsOf, type Sources, sourcesOf } from './stored.views.ts';

/** Whole days (UTC) of an organisation, with an exclusive end. */
export interface SimDaysQuery {
  orgId: number;
  from: Date;
  to: Date;
}

/** Usage of SIMs on a day, or in a part of it. */
export interface SimDay {
  /** Start of the day. */
  at: Date;
  /** Calls back with each SIM, in the order of ids, always in the same object. */
  each(visit: (used: SimAmounts) => void): void;
}

/**
 * Usage of each SIM by day, earliest first: from packs, and from the records of hours that are not computed. A day
 * may be returned in consecutive parts, which add up. The figures match the records in the transaction's snapshot,
 * which must not change; nothing else may use the transaction while the days are read.
 */
export async function* listSimDays(tx: Sql, query: SimDaysQuery): AsyncGenerator<SimDay> {
  const db = typedWithin(tx);
  const selection = { ...query, fewSims: 0 };
  const hours = await readHours(db, selection);
  const parts = partsOf(sourcesOf(selection, { hours, by: 'day', cut: query.from, few: 0 }), query);
  let next: Promise<SimDay[]> | undefined;
  try {
    for (const [index, part] of parts.entries()) {
      const days = await (next ?? readPart(db, query.orgId, part));
      const following = parts[index + 1];
      // The database reads the next part while the caller processes this one.
      next = following && readPart(db, query.orgId, following);
      next?.catch(() => undefined);
      yield* days;
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

interface Part {
  at: Date;
  unit: 'day' | 'hour';
  starts: Date[];
  records: Range[];
}

const partsOf = ({ days, hours, records }: Sources, { from, to }: SimDaysQuery): Part[] => {
  const parts: Part[] = [];
  for (let at = from.getTime(); at < to.getTime(); at += dayMs) {
    const end = at + dayMs;
    const within = (start: Date) => start.getTime() >= at && start.getTime() < end;
    const whole = days.filter(within);
    const cut = records.flatMap((range): Range[] => {
      const [since, until] = [Math.max(range.from.getTime(), at), Math.min(range.to.getTime(), end)];
      return since < until ? [{ from: new Date(since), to: new Date(until) }] : [];
    });
    const [unit, starts] =
      whole.length > 0 ? (['day', whole] as const) : (['hour', hours.filter(within)] as const);
    if (starts.length + cut.length > 0) parts.push({ at: new Date(at), unit, starts, records: cut });
  }
  return parts;
};

/** Reads records if the pack of a part is missing although its hours were computed. */
const readPart = async (db: Db, orgId: number, { at, unit, starts, records }: Part): Promise<SimDay[]> => {
  const { rows } = await sql<{ starts_at: Date; packed: Buffer }>`
    select starts_at, packed from cdr_sim_counts
    where org_id = ${orgId} and unit = ${unit} and starts_at = any(${starts}::timestamptz[])`.execute(db);
  const found = new Set(rows.map(({ starts_at }) => starts_at.getTime()));
  const lengthMs = unit === 'day' ? dayMs : hourMs;
  const missing = starts
    .filter((start) => !found.has(start.getTime()))
    .map((start) => ({ from: start, to: new Date(start.getTime() + lengthMs) }));
  const packs = rows.map(({ packed }): SimDay => ({ at, each: (visit) => forEachSim(packed, visit) }));
  const remaining = [...records, ...missing];
  return remaining.length === 0
    ? packs
    : [...packs, { at, each: eachOf(await sumRecords(db, { orgId, at, ranges: remaining })) }];
};

const sumRecords = async (
  db: Db,
  { orgId, at, ranges }: { orgId: number; at: Date; ranges: readonly Range[] },
): Promise<SimAmounts[]> => {
  const selection = { orgId, from: at, to: new Date(at.getTime() + dayMs), fewSims: 0 };
  const { rows } = await sql<SimAmounts>`
    select sim_id as sim, count(*) as records, sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes
    from (${recordsOf(selection, ranges)}) as c group by sim_id order by sim_id`.execute(db);
  return rows;
};

const eachOf =
  (rows: readonly SimAmounts[]): SimDay['each'] =>
  (visit) => {
    for (const row of rows) visit(row);
  };
