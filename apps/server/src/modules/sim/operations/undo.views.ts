import { hourMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';

/** The events of what can be undone, and a transfer, which changes a SIM as a whole. */
const undoable = ['lifecycle-changed', 'updated', 'tags-changed'];
/** Each of them changes the same as all others. */
const dataEvents = ['data-off', 'data-slowed', 'data-on'];

/** Larger than the difference between the clocks of processes that record events. */
const skewMs = hourMs;

/**
 * The SIMs that are still as a task left them: no later event changed the same again, or transferred the SIM.
 * Later events are those with a greater number, whatever the clocks say.
 */
export const findUnchanged = async (
  tx: Sql,
  { simIds, reference, acceptedAt }: { simIds: readonly number[]; reference: string; acceptedAt: Date },
): Promise<Set<number>> => {
  const { rows } = await tx.query<{ simId: number }>(
    `select sim_id as "simId" from (
       select own.sim_id, own.kind in ('updated', 'tags-changed') as is_info, not exists (
           select from sim_events later
           where later.sim_id = own.sim_id and later.at >= $3 and later.id > own.id
             and (later.kind = 'transferred' or own.kind = any($5) and later.kind = any($5) or later.kind = any($4)
               and later.facts ?| array(select jsonb_object_keys(own.facts)))) as is_unchanged
       from sim_events own
       where own.sim_id = any($1::bigint[]) and own.at >= $3 and own.task_id = $2 and own.kind = any($4 || $5)) own
     group by sim_id having bool_or(is_unchanged) and bool_and(is_unchanged or is_info)`,
    [simIds, reference, new Date(acceptedAt.getTime() - skewMs), undoable, dataEvents],
  );
  return new Set(rows.map(({ simId }) => simId));
};
