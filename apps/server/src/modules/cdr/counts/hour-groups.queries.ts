import { unknownValues } from '@simcube/contract/cdr';
import { int8Column, type Sql } from '../../../platform/db/index.ts';
import type { HourGroups } from './hour-counts.rules.ts';

export interface HoursOfOrg {
  orgId: number;
  hours: readonly Date[];
}

/**
 * Reads the records of hours once, for everything computed from them; hours without records are omitted. New traits
 * get an id, and new sessions a number.
 */
export const readGroups = async (tx: Sql, hours: HoursOfOrg): Promise<HourGroups[]> => {
  let rows = await selectGroups(tx, hours);
  if (rows.some(({ traits }) => traits.includes(null))) {
    await addTraits(tx, hours);
    rows = await selectGroups(tx, hours);
  }
  const numberOf = await numberSessions(tx, hours.orgId, rows);
  return rows.map((row) => groupsOf(row, numberOf));
};

/** Groups of an hour's records with the same trait, SIM and session, in columns. */
interface GroupRow {
  hour_at: Date;
  /** Null for a new trait. */
  traits: (number | null)[];
  sims: number[];
  keys: (number | null)[];
  /** Null without a session, and for a new one. */
  numbers: (number | null)[];
  records: number[];
  up_bytes: number[];
  down_bytes: number[];
}

/**
 * The records (`c`) of hours. The explicit order, which they are in anyway, keeps the planner from reading all
 * records of the organisation and joining the hours to them. Because they are selected first, a cluster fetches them
 * before it joins tables that are in one place.
 */
const recordsOfHours = `c as (
  select h.hour_at, r.sim_id, r.session_key, r.plmn, r.radio, r.source, coalesce(r.apn, '') as apn, r.up_bytes, r.down_bytes
  from unnest($2::timestamptz[]) as h (hour_at) cross join lateral (
    select * from cdrs
    where org_id = $1 and ended_at >= h.hour_at and ended_at < h.hour_at + interval '1 hour' order by org_id) as r)`;

/**
 * `offset 0` keeps the planner from reading all sessions of the organisation and joining the records to them. The
 * organisation is hidden from the planner as well: for one that began after the table was analysed, it would assume
 * hardly any sessions and read all of them for each record.
 */
const groupsText = `
  with ${recordsOfHours},
  g as materialized (
    select hour_at, plmn, radio, source, apn, sim_id, session_key, count(*) as records, sum(up_bytes)::bigint as up_bytes,
      sum(down_bytes)::bigint as down_bytes
    from c group by 1, 2, 3, 4, 5, 6, 7)
  select g.hour_at, json_agg(t.id) as traits, json_agg(g.sim_id) as sims, json_agg(g.session_key) as keys,
    json_agg(s.number) as numbers, json_agg(g.records) as records, json_agg(g.up_bytes) as up_bytes,
    json_agg(g.down_bytes) as down_bytes
  from g
  left join cdr_traits t on t.org_id = $1 and t.plmn = g.plmn and t.radio = g.radio and t.source = g.source and t.apn = g.apn
  left join lateral (
    select number from cdr_sessions
    where org_id = (select $1::bigint) and sim_id = g.sim_id and session_key = g.session_key offset 0) as s on true
  group by 1`;

const selectGroups = async (tx: Sql, { orgId, hours }: HoursOfOrg): Promise<GroupRow[]> => {
  const { rows } = await tx.query<GroupRow>(groupsText, [orgId, hours]);
  return rows;
};

const addTraits = async (tx: Sql, { orgId, hours }: HoursOfOrg): Promise<void> => {
  await tx.query(
    `with ${recordsOfHours}
     insert into cdr_traits (org_id, plmn, radio, source, apn, country)
     select found.*, coalesce(n.country, '${unknownValues.country}') from (
       select distinct $1::bigint, c.plmn, c.radio, c.source, c.apn from c) as found
     left join networks n on n.plmn = found.plmn
     on conflict do nothing`,
    [orgId, hours],
  );
};

type NumberOf = (sim: number, key: number) => number | undefined;

/** Numbers new sessions, those of a SIM consecutively, so that sets of them take fewer bytes. */
const numberSessions = async (tx: Sql, orgId: number, rows: readonly GroupRow[]): Promise<NumberOf> => {
  const found = new Map<number, Map<number, number>>();
  for (const { sims, keys, numbers } of rows) {
    for (const [index, key] of keys.entries()) {
      if (key === null || numbers[index] !== null) continue;
      const sim = sims[index] ?? 0;
      const ofSim = found.get(sim) ?? new Map<number, number>();
      if (ofSim.size === 0) found.set(sim, ofSim);
      ofSim.set(key, 0);
    }
  }
  if (found.size === 0) return () => undefined;
  const { rows: last } = await tx.query<{ next: number }>(
    'select coalesce(max(number), -1) + 1 as next from cdr_sessions where org_id = $1',
    [orgId],
  );
  let next = last[0]?.next ?? 0;
  const added: { sim: number; key: number; number: number }[] = [];
  for (const [sim, keys] of [...found].sort(([a], [b]) => a - b)) {
    for (const key of keys.keys()) {
      keys.set(key, next);
      added.push({ sim, key, number: next });
      next += 1;
    }
  }
  await tx.query(
    `insert into cdr_sessions (org_id, sim_id, session_key, number)
     select $1, unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::bigint[])`,
    [
      orgId,
      int8Column(added, ({ sim }) => sim),
      int8Column(added, ({ key }) => key),
      int8Column(added, ({ number }) => number),
    ],
  );
  return (sim, key) => found.get(sim)?.get(key);
};

/** Omits traits that have appeared since; the hour is then stale and computed again. */
const groupsOf = (row: GroupRow, numberOf: NumberOf): HourGroups => {
  const { hour_at: hourAt, traits, sims, keys, records, up_bytes, down_bytes } = row;
  const sessions = row.numbers.map((number, position) => {
    const key = keys[position] ?? null;
    return number ?? (key === null ? null : (numberOf(sims[position] ?? 0, key) ?? null));
  });
  const columns = { sims, sessions, records, up_bytes, down_bytes };
  const isKnown = (_: unknown, position: number) => traits[position] !== null;
  return traits.includes(null)
    ? {
        hourAt,
        traits: traits.filter((trait) => trait !== null),
        sims: sims.filter(isKnown),
        sessions: sessions.filter(isKnown),
        records: records.filter(isKnown),
        up_bytes: up_bytes.filter(isKnown),
        down_bytes: down_bytes.filter(isKnown),
      }
    : { hourAt, traits: traits as number[], ...columns };
};
