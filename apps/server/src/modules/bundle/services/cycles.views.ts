import { limits } from '@simcube/contract';
import type { Cycle } from '@simcube/contract/bundle';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { decodeCursor, encodeCursor } from '../../../platform/http/index.ts';
import { instantTextSchema, type OwnSim, whileOwned } from '../../sim/index.ts';
import type { ServicesQuestion } from './services.views.ts';

const hourMs = 3_600_000;
const positionSchema = z.object({ a: instantTextSchema });

/** Cycles that are over, each the organisation's in whose time it ended, and the one that runs. */
const cycles = (sim: OwnSim) => sql`
  select cycle_started_at, cycle_ends_at, used_bytes, limit_bytes from usage_cycles
  where sim_id = ${sim.id} and ${whileOwned(sim, sql`cycle_ends_at`)}
  union all
  select cycle_started_at, cycle_ends_at, used_bytes, limit_bytes from sim_live
  where sim_id = ${sim.id} and cycle_started_at is not null and cycle_ends_at is not null`;

interface CycleColumns {
  cycle_started_at: Date;
  cycle_ends_at: Date;
  used_bytes: number;
  limit_bytes: number | null;
  position: string;
}

export const countCycles = async (db: Db, sim: OwnSim): Promise<number> => {
  const { rows } = await sql<{
    total: number;
  }>`select count(*) as total from (${cycles(sim)}) as c`.execute(db);
  return rows[0]?.total ?? 0;
};

/** Cycles of one SIM, the newest first. */
export const listCycles = async (
  db: Db,
  { sim, page, now }: ServicesQuestion & { now: Date },
): Promise<{ data: Cycle[]; total: number; nextCursor: string | null }> => {
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, positionSchema);
  const offset = after ? 0 : (page.page_no - 1) * page.page_size;
  const [{ rows }, total] = await Promise.all([
    sql<CycleColumns>`
      select *, cycle_started_at::text as position from (${cycles(sim)}) as c
      where ${after ? sql`cycle_started_at < ${after.a}` : sql`true`}
      order by cycle_started_at desc limit ${page.page_size + 1} offset ${offset}`.execute(db),
    countCycles(db, sim),
  ]);
  const shown = rows.slice(0, page.page_size);
  const last = rows.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: shown.map((row) => shownCycle(row, now)),
    total,
    nextCursor: last ? encodeCursor({ a: last.position }) : null,
  };
};

const shownCycle = (row: CycleColumns, now: Date): Cycle => ({
  started_at: row.cycle_started_at.toISOString(),
  ends_at: row.cycle_ends_at.toISOString(),
  used_bytes: row.used_bytes,
  limit_bytes: row.limit_bytes,
  // One that is over but was not turned, as nothing has been used since, runs no longer.
  current: row.cycle_ends_at > now,
  provisional: now.getTime() - row.cycle_ends_at.getTime() < limits.provisionalHours * hourMs,
});
