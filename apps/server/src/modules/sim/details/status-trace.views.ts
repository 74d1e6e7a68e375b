import { type StatusTrace, tracedSimEvents } from '@simcube/contract/sim';
import { sql } from 'kysely';
import type { List } from '../../../platform/lists/index.ts';
import type { OwnSim } from '../sim-scope.views.ts';

interface TraceRow {
  id: number;
  at: Date;
  kind: string;
  facts: StatusTrace['facts'];
  actor: string | null;
  task_id: string | null;
  trace_id: string | null;
}

/** The newest first. */
export const traceList: List<OwnSim, object, TraceRow, StatusTrace> = {
  name: 'sim.status-trace',
  tables: [
    {
      name: 'events',
      from: () => sql`sim_events`,
      inScope: ({ scope: { id, orgId } }) =>
        sql`sim_id = ${id} and org_id = ${orgId} and kind = any(${tracedSimEvents}::text[])`,
    },
  ],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'at', type: 'instant', descending: true }],
  filters: {},
  countLimit: 'all',
  select: sql`id, at, kind, facts, actor, task_id, trace_id`,
  show: (rows) =>
    rows.map(({ id, at, kind, facts, actor, task_id, trace_id }) => ({
      id: String(id),
      at: at.toISOString(),
      kind,
      facts,
      actor,
      task_id,
      trace_id,
    })),
};
