import { int8Column, rowsOf, type Sql, timestampColumn } from '../../platform/db/index.ts';
import type { CycleSpan, CycleUsage } from './usage.rules.ts';
import type { Statement } from './usage-rollups.queries.ts';

const cycleColumns = {
  sim_id: 'bigint',
  started_at: 'timestamptz',
  ends_at: 'timestamptz',
  used: 'bigint',
  limit_bytes: 'bigint',
} as const;

const addCycles = (limit: string) => `
  insert into usage_cycles as t (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
  select sim_id, started_at, max(ends_at), sum(used), max(limit_bytes) from ${rowsOf(cycleColumns)} as v
  group by sim_id, started_at order by sim_id, started_at
  on conflict (sim_id, cycle_started_at) do update set used_bytes = t.used_bytes + excluded.used_bytes,
    cycle_ends_at = greatest(t.cycle_ends_at, excluded.cycle_ends_at), limit_bytes = ${limit}`;

const statements = {
  closed: addCycles('coalesce(excluded.limit_bytes, t.limit_bytes)'),
  late: addCycles('t.limit_bytes'),
};

const statementOf = (name: keyof typeof statements, cycles: readonly CycleUsage[]): Statement[] => {
  if (cycles.length === 0) return [];
  const values = [
    int8Column(cycles, (row) => row.simId),
    timestampColumn(cycles, (row) => row.startedAt),
    timestampColumn(cycles, (row) => row.endsAt),
    int8Column(cycles, (row) => row.used),
    int8Column(cycles, (row) => row.limit),
  ];
  return [{ name: `usage-add-${name}-cycles`, text: statements[name], values }];
};

/** Cycles that have just ended, with the limit that they had in the end; and late usage, which changes no limit. */
export const cycleUsage = (usage: {
  closed: readonly CycleUsage[];
  late: readonly CycleUsage[];
}): Statement[] => [...statementOf('closed', usage.closed), ...statementOf('late', usage.late)];

const holding = `
  select distinct v.sim_id as "simId", date_part('epoch', c.cycle_started_at) * 1000 as "startedAt",
    date_part('epoch', c.cycle_ends_at) * 1000 as "endsAt"
  from ${rowsOf({ sim_id: 'bigint', at: 'timestamptz' })} as v
  cross join lateral (
    select cycle_started_at, cycle_ends_at from usage_cycles u
    where u.sim_id = v.sim_id and u.cycle_started_at <= v.at and u.cycle_ends_at > v.at
    order by u.cycle_started_at desc limit 1) as c`;

/** The closed cycles that hold the instants, by SIM. */
export const findClosedCycles = async (
  sql: Sql,
  wanted: readonly { simId: number; at: number }[],
): Promise<Map<number, CycleSpan[]>> => {
  const bySim = new Map<number, CycleSpan[]>();
  if (wanted.length === 0) return bySim;
  const { rows } = await sql.query<CycleSpan & { simId: number }>({
    name: 'usage-find-closed-cycles',
    text: holding,
    values: [int8Column(wanted, ({ simId }) => simId), timestampColumn(wanted, ({ at }) => at)],
  });
  for (const { simId, ...cycle } of rows) {
    const known = bySim.get(simId);
    if (known) known.push(cycle);
    else bySim.set(simId, [cycle]);
  }
  return bySim;
};
