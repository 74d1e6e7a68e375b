import type { Sql } from '../../../platform/db/index.ts';

/** The events of what can be undone, and a transfer, which changes a SIM as a whole. */
const undoable = ['lifecycle-changed', 'updated', 'tags-changed'];

/** Larger than the difference between the clocks of processes that record events. */
const skewMs = 3_600_000;

/**
 * The SIMs that are still as a task left them: no later event changed the same again, or transferred the SIM.
 * Later events are those with a greater number, whatever the clocks say.
 */
export const findUnchanged = async (
  tx: Sql,
  { simIds, reference, acceptedAt }: { simIds: readonly number[]; reference: string; acceptedAt: Date },
): Promise<Set<number>> => {
  const { rows } = await tx.query<{ simId: number }>(
    `select own.sim_id as "simId" from sim_events own
     where own.sim_id = any($1::bigint[]) and own.at >= $3 and own.task_id = $2 and own.kind = any($4)
       and not exists (
         select from sim_events later
         where later.sim_id = own.sim_id and later.at >= $3 and later.id > own.id
           and (later.kind = 'transferred' or later.kind = any($4)
             and later.facts ?| array(select jsonb_object_keys(own.facts))))`,
    [simIds, reference, new Date(acceptedAt.getTime() - skewMs), undoable],
  );
  return new Set(rows.map(({ simId }) => simId));
};
