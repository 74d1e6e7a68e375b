import type { Sql } from '../../../platform/db/index.ts';

export interface NewSimEvents {
  simIds: readonly number[];
  orgId: number;
  kind: string;
  facts: Record<string, string | number | boolean | null>;
  actor: string | null;
  at: Date;
  taskId: string | null;
  traceId: string | null;
}

/** The same event for each of the SIMs. */
export const recordEvents = async (tx: Sql, event: NewSimEvents): Promise<void> => {
  await tx.query(
    `insert into sim_events (sim_id, at, org_id, kind, facts, actor, task_id, trace_id)
     select sim_id, $2, $3, $4, $5, $6, $7, $8 from unnest($1::bigint[]) as sim_id`,
    [
      event.simIds,
      event.at,
      event.orgId,
      event.kind,
      JSON.stringify(event.facts),
      event.actor,
      event.taskId,
      event.traceId,
    ],
  );
};
