import { int8Column, rowsOf, type Sql, type Statement, timestampColumn } from '../../../platform/db/index.ts';
import type { CycleCount, CycleSpan } from '../bundle.cycles.ts';

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

const statementOf = (name: keyof typeof statements, cycles: readonly CycleCount[]): Statement[] => {
  if (cycles.length === 0) return [];
  const values = [
    int8Column(cycles, (row) => row.simId),
    timestampColumn(cycles, (row) => row.startedAt),
    timestampColumn(cycles, (row) => row.endsAt),
    int8Column(cycles, (row) => row.used),
    int8Column(cycles, (row) => row.limit),
  ];
  return [{ name: `bundle-add-${name}-cycles`, text: statements[name], values }];
};

/**
 * Adds to closed cycles: those that have just ended, with their final limit; and late usage, which changes no
 * limit.
 */
export const addToCycles = (counts: {
  closed: readonly CycleCount[];
  late: readonly CycleCount[];
}): Statement[] => [...statementOf('closed', counts.closed), ...statementOf('late', counts.late)];

export const closeCycles = async (tx: Sql, closed: readonly CycleCount[]): Promise<void> => {
  for (const statement of addToCycles({ closed, late: [] })) await tx.query(statement);
};

/** Corrects one closed cycle by the difference from its records, up or down. */
export const correctCycle = async (
  tx: Sql,
  { simId, startedAt, missing }: { simId: number; startedAt: Date | null; missing: number },
): Promise<void> => {
  await tx.query(
    'update usage_cycles set used_bytes = used_bytes + $3 where sim_id = $1 and cycle_started_at = $2',
    [simId, startedAt, missing],
  );
};

const containingCycle = `
  select distinct v.sim_id as "simId", date_part('epoch', c.cycle_started_at) * 1000 as "startedAt",
    date_part('epoch', c.cycle_ends_at) * 1000 as "endsAt"
  from ${rowsOf({ sim_id: 'bigint', at: 'timestamptz' })} as v
  cross join lateral (
    select cycle_started_at, cycle_ends_at from usage_cycles u
    where u.sim_id = v.sim_id and u.cycle_started_at <= v.at and u.cycle_ends_at > v.at
    order by u.cycle_started_at desc limit 1) as c`;

/** The closed cycles that contain the instants, by SIM. */
export const findClosedCycles = async (
  sql: Sql,
  instants: readonly { simId: number; at: number }[],
): Promise<Map<number, CycleSpan[]>> => {
  const bySim = new Map<number, CycleSpan[]>();
  if (instants.length === 0) return bySim;
  const { rows } = await sql.query<CycleSpan & { simId: number }>({
    name: 'bundle-find-closed-cycles',
    text: containingCycle,
    values: [int8Column(instants, ({ simId }) => simId), timestampColumn(instants, ({ at }) => at)],
  });
  for (const { simId, ...cycle } of rows) {
    const known = bySim.get(simId);
    if (known) known.push(cycle);
    else bySim.set(simId, [cycle]);
  }
  return bySim;
};
