import { sql } from 'kysely';
import { type Db, readBinary } from '../../../platform/db/index.ts';
import { countUnion } from '../counts/number-sets.rules.ts';
import { type Grouped, type GroupRow, grouped } from './amounts.views.ts';
import type { Members } from './remaining.rules.ts';
import { type RemainingSpan, readMembers } from './remaining.views.ts';
import type { Distinct, GroupedResults } from './sums.rules.ts';

/** Stored counts, with the remaining records. */
export type MemberSpan = Grouped & RemainingSpan;

interface SetRow extends Distinct {
  /** The groups that include it: span, key and name. */
  groups: readonly (readonly [GroupRow['span'], GroupRow['key'], GroupRow['name']])[];
  /** Null if the row's counts are those of all its groups, because nothing else contributes to them. */
  sim_set: Buffer | null;
  session_set: Buffer | null;
  /** Whether the sets are bits. */
  sim_bits: boolean;
  session_bits: boolean;
}

/**
 * The number of SIMs and sessions in each group, by uniting sets: each set is read once, whatever groups include it.
 * `usage` has `sims`, `sessions`, `sim_set`, `session_set`, `sim_bits` and `session_bits`.
 */
export const countMembers = async (
  db: Db,
  spans: readonly MemberSpan[],
): Promise<GroupedResults<Distinct>[]> => {
  const members = await Promise.all(spans.map((span) => readMembers(db, span)));
  const sets = spans.map(({ keys }, span): GroupedResults<SetRow[]> => {
    const remainingNames = (key: GroupRow['key']) => members[span]?.get(key)?.keys() ?? [];
    return new Map(keys.map((key) => [key, new Map([...remainingNames(key)].map((name) => [name, []]))]));
  });
  for (const row of await readSets(db, spans, members)) {
    for (const [span, key, name] of row.groups) {
      const byName = sets[span]?.get(key);
      const rows = byName?.get(name);
      if (rows) rows.push(row);
      else byName?.set(name, [row]);
    }
  }
  return sets.map((found, span) => {
    const unite = (key: GroupRow['key'], byName: ReadonlyMap<string, SetRow[]>) =>
      [...byName].map(([name, rows]): [string, Distinct] => [
        name,
        uniteRows(rows, members[span]?.get(key)?.get(name)),
      ]);
    return new Map([...found].map(([key, byName]) => [key, new Map(unite(key, byName))]));
  });
};

const readSets = async (
  db: Db,
  spans: readonly Grouped[],
  members: readonly GroupedResults<Members>[],
): Promise<SetRow[]> => {
  const selects = spans.flatMap(({ keys, usage }, span) =>
    keys.length > 0 ? sql`select ${sql.lit(span)} as span, u.* from ${usage} as u` : [],
  );
  if (selects.length === 0) return [];
  const rowsOf = spans.map((one, span) => ({
    ...one,
    usage: sql`(select * from r where span = ${sql.lit(span)})`,
  }));
  const remaining = members.flatMap((found, span) =>
    [...found].flatMap(([key, byName]) => [...byName.keys()].map((name) => ({ span, key, name }))),
  );
  const query = sql`
    with r as materialized (
      select row_number() over () as id, u.* from (${sql.join(selects, sql` union all `)}) as u),
    parts as (
      select span, key, name, id, count(*) over (partition by span, key, name) = 1
        and (span, key, name) not in (select * from unnest(${remaining.map(({ span }) => span)}::integer[],
          ${remaining.map(({ key }) => key)}::text[], ${remaining.map(({ name }) => name)}::text[])) as alone
      from (${grouped(rowsOf, sql`u.id`)}) as g)
    select p.groups, r.sims, r.sessions, r.sim_bits is not null as sim_bits, r.session_bits is not null as session_bits,
      case when not p.alone then coalesce(r.sim_bits, r.sim_set) end as sim_set,
      case when not p.alone then coalesce(r.session_bits, r.session_set) end as session_set
    from r join (
      select id, json_agg(json_build_array(span, key, name)) as groups, bool_and(alone) as alone
      from parts group by id) as p using (id)`;
  return readBinary(db, query, (row) => ({
    groups: JSON.parse(row.text() ?? '[]'),
    sims: row.integer() ?? 0,
    sessions: row.integer() ?? 0,
    sim_bits: row.flag(),
    session_bits: row.flag(),
    sim_set: row.bytes(),
    session_set: row.bytes(),
  }));
};

const uniteRows = (rows: readonly SetRow[], recent: Members | undefined): Distinct => {
  const [only] = rows;
  if (only && rows.length === 1 && !recent) return { sims: only.sims, sessions: only.sessions };
  return {
    sims: countUnion(
      rows.flatMap(({ sim_set: packed, sim_bits: isBits }) => (packed ? { packed, isBits } : [])),
      recent?.sims,
    ),
    sessions:
      (recent?.unnumbered ?? 0) +
      countUnion(
        rows.flatMap(({ session_set: packed, session_bits: isBits }) => (packed ? { packed, isBits } : [])),
        recent?.sessions,
      ),
  };
};
