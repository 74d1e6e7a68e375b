import { limits } from '@simcube/contract';
import type { Cycle } from '@simcube/contract/bundle';
import { hourMs } from '@simcube/contract/time';
import { sql } from 'kysely';
import type { List } from '../../../platform/lists/index.ts';
import { type OwnSim, whileOwned } from '../../sim/index.ts';

/** Past cycles, each belonging to the organisation that had the SIM when it ended, and the running one. */
const cycles = (sim: OwnSim) => sql`
  select cycle_started_at, cycle_ends_at, used_bytes, limit_bytes from usage_cycles
  where sim_id = ${sim.id} and ${whileOwned(sim, sql`cycle_ends_at`)}
  union all
  select cycle_started_at, cycle_ends_at, used_bytes, limit_bytes from sim_live
  where sim_id = ${sim.id} and cycle_started_at is not null and cycle_ends_at is not null`;

export type UnpricedCycle = Omit<Cycle, 'cost' | 'cost_provisional'>;

interface CycleColumns {
  cycle_started_at: Date;
  cycle_ends_at: Date;
  used_bytes: number;
  limit_bytes: number | null;
}

/** Cycles of one SIM, the newest first. */
export const cycleList: List<OwnSim, object, CycleColumns, UnpricedCycle> = {
  name: 'bundle.cycles',
  tables: [{ name: 'cycles', from: ({ scope }) => sql`(${cycles(scope)}) as c` }],
  key: { column: 'cycle_started_at', type: 'instant', descending: true },
  order: [],
  filters: {},
  countLimit: 'all',
  select: sql`*`,
  show: (rows, { now }) => rows.map((row) => toCycle(row, now)),
};

const toCycle = (row: CycleColumns, now: Date): UnpricedCycle => ({
  started_at: row.cycle_started_at.toISOString(),
  ends_at: row.cycle_ends_at.toISOString(),
  used_bytes: row.used_bytes,
  limit_bytes: row.limit_bytes,
  // A cycle that is over but was not closed, because nothing was used since, is not the running one.
  current: row.cycle_ends_at > now,
  provisional: now.getTime() - row.cycle_ends_at.getTime() < limits.provisionalHours * hourMs,
});
