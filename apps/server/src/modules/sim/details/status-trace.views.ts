import { type StatusTrace, tracedSimEvents } from '@simcube/contract/sim';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { decodeCursor, encodeCursor } from '../../../platform/http/index.ts';
import { instantTextSchema } from '../sim-cursor.rules.ts';
import type { OwnSim } from '../sim-scope.views.ts';
import type { PageOfSim } from './details.views.ts';

interface TraceRow {
  id: number;
  at: Date;
  position: string;
  kind: string;
  facts: StatusTrace['facts'];
  actor: string | null;
  task_id: string | null;
  trace_id: string | null;
}

const positionSchema = z.object({ a: instantTextSchema, i: z.int().nonnegative() });

const traced = ({ id, orgId }: OwnSim) =>
  sql`from sim_events where sim_id = ${id} and org_id = ${orgId} and kind = any(${tracedSimEvents}::text[])`;

export const countTrace = async (db: Db, sim: OwnSim): Promise<number> => {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${traced(sim)}`.execute(db);
  return rows[0]?.total ?? 0;
};

/** The newest first. */
export const listTrace = async (
  db: Db,
  { sim, page }: PageOfSim,
): Promise<{ data: StatusTrace[]; total: number; nextCursor: string | null }> => {
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, positionSchema);
  const offset = after ? 0 : (page.page_no - 1) * page.page_size;
  const [{ rows }, total] = await Promise.all([
    sql<TraceRow>`
      select id, at, at::text as position, kind, facts, actor, task_id, trace_id ${traced(sim)}
        and ${after ? sql`(at, id) < (${after.a}, ${after.i})` : sql`true`}
      order by at desc, id desc limit ${page.page_size + 1} offset ${offset}`.execute(db),
    countTrace(db, sim),
  ]);
  const shown = rows.slice(0, page.page_size);
  const last = rows.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: shown.map(({ id, at, position: _, ...row }) => ({ id: String(id), at: at.toISOString(), ...row })),
    total,
    nextCursor: last ? encodeCursor({ a: last.position, i: last.id }) : null,
  };
};
