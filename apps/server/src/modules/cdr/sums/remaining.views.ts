import { unknownValues } from '@simcube/contract/cdr';
import { hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import { type Db, int8Column } from '../../../platform/db/index.ts';
import type { RecordSelection } from '../cdr-filter.views.ts';
import { type Range, recordsOf, type Sources } from '../counts/stored.views.ts';
import { hourOf } from './amounts.views.ts';
import { readCountries } from './record-sums.views.ts';
import { type MemberColumns, type Members, membersOf, onlySessions } from './remaining.rules.ts';
import type { GroupedResults, Key } from './sums.rules.ts';

export interface RemainingSpan {
  selection: RecordSelection;
  /** Only the records of these sources are used, not the stored counts. */
  sources: Pick<Sources, 'records' | 'stale'>;
  keys: readonly Key[];
  /** Seconds added to hours. */
  offsetSeconds: number;
}

interface HourRow extends MemberColumns {
  /** The counts by SIM of the hour; null if the hour is stale. */
  packed: Buffer | null;
}

/**
 * The SIMs and sessions in records outside the stored counts. An hour at an edge is computed, and mostly contains the
 * number of a session; other sessions are looked up one by one.
 */
export const readMembers = async (
  db: Db,
  { selection, sources, keys, offsetSeconds }: RemainingSpan,
): Promise<GroupedResults<Members>> => {
  if (sources.records.length === 0 || keys.length === 0) return new Map(keys.map((key) => [key, new Map()]));
  const [rows, countries] = await Promise.all([
    readRows(db, selection, sources),
    keys.includes('country') ? readCountries(db) : undefined,
  ]);
  const hours = rows.map(({ packed, ...columns }) => ({
    columns,
    known: packed ? onlySessions(packed) : new Map<number, number>(),
  }));
  const numbers = await lookUpSessions(db, selection.orgId, hours);
  const countryOf = (plmn: number) => countries?.get(plmn) ?? unknownValues.country;
  return membersOf(
    hours.map(({ columns, known }) => ({
      columns,
      numberOf: (sim, session) => known.get(sim) ?? numbers.get(sim)?.get(session),
    })),
    { keys, offsetSeconds, countryOf },
  );
};

/** Records and the counts of their hours, in one snapshot. */
const readRows = async (
  db: Db,
  selection: RecordSelection,
  { records, stale }: RemainingSpan['sources'],
): Promise<HourRow[]> => {
  const { orgId } = selection;
  const computed = edgesOf(records).filter(
    (hour) => !stale.some((other) => other.getTime() === hour.getTime()),
  );
  const { rows } = await sql<HourRow>`
    with r as materialized (
      select distinct ${hourOf(sql`c.ended_at`)} as hour_at, c.plmn, c.radio, c.sim_id, c.session_key
      from (${recordsOf(selection, records)}) as c),
    h as materialized (
      select hour_at, json_agg(plmn) as plmns, json_agg(radio) as radios, json_agg(sim_id) as sims,
        json_agg(session_key) as sessions
      from r group by 1)
    select h.*, p.packed from h left join (
      select c.starts_at, c.packed from cdr_sim_counts c
      join cdr_hour_states s on s.org_id = c.org_id and s.hour_at = c.starts_at
      where c.org_id = ${orgId} and c.unit = 'hour' and c.starts_at = any(${computed}::timestamptz[])
        and s.hour_at = any(${computed}::timestamptz[]) and s.fresh) as p on p.starts_at = h.hour_at`.execute(
    db,
  );
  return rows;
};

/** The hours within which ranges begin or end. */
const edgesOf = (records: readonly Range[]): Date[] => {
  const edges = records.flatMap(({ from, to }) => [from.getTime(), to.getTime()]);
  const within = edges.filter((at) => at % hourMs !== 0).map((at) => at - (at % hourMs));
  return [...new Set(within)].map((at) => new Date(at));
};

type Numbers = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** The numbers of sessions, by SIM and key; sessions that began after the last computation have none. */
const lookUpSessions = async (
  db: Db,
  orgId: number,
  hours: readonly { columns: MemberColumns; known: ReadonlyMap<number, number> }[],
): Promise<Numbers> => {
  const sessionsBySim = new Map<number, Set<number>>();
  for (const { columns, known } of hours) {
    for (const [position, sim] of columns.sims.entries()) {
      const session = columns.sessions[position] ?? null;
      if (session === null || known.has(sim)) continue;
      const sessions = sessionsBySim.get(sim);
      if (sessions) sessions.add(session);
      else sessionsBySim.set(sim, new Set([session]));
    }
  }
  const pairs = [...sessionsBySim].flatMap(([sim, sessions]) =>
    [...sessions].map((session) => ({ sim, session })),
  );
  if (pairs.length === 0) return new Map();
  // One by one: otherwise the planner overestimates them and reads all sessions that ever existed; or, for an
  // organisation that began after the table was analysed, it assumes there are none, unless the organisation is
  // hidden from it.
  const { rows } = await sql<{ sim_id: number; session_key: number; number: number | null }>`
    select v.*, (
      select s.number from cdr_sessions s
      where s.org_id = (select ${orgId}::bigint) and s.sim_id = v.sim_id and s.session_key = v.session_key) as number
    from unnest(${int8Column(pairs, ({ sim }) => sim)}::bigint[], ${int8Column(pairs, ({ session }) => session)}::bigint[])
      as v (sim_id, session_key)`.execute(db);
  const numbers = new Map<number, Map<number, number>>();
  for (const { sim_id: sim, session_key: session, number } of rows) {
    if (number === null) continue;
    const known = numbers.get(sim);
    if (known) known.set(session, number);
    else numbers.set(sim, new Map([[session, number]]));
  }
  return numbers;
};
