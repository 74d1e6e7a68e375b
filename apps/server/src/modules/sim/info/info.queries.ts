import type { Sql } from '../../../platform/db/index.ts';
import { arrayText, countTagChanges } from '../tags/tags.queries.ts';

/** What is to be set of a SIM; what is undefined stays as it is, null clears. */
export interface InfoChange {
  simId: number;
  deviceName?: string | null | undefined;
  notes?: string | null | undefined;
  tags?: readonly string[] | undefined;
}

export interface UpdatedSim {
  simId: number;
  iccid: string;
  /** Of the SIM's event. */
  kind: string;
}

/**
 * Sets names, notes and tags of SIMs that the caller has locked, with the events that tell it and the counts of tags.
 * @returns those that are not as they were
 */
export const updateInfo = async (
  tx: Sql,
  orgId: number,
  order: {
    changes: readonly InfoChange[];
    at: Date;
    actor: string | null;
    taskId: string | null;
    traceId: string | null;
  },
): Promise<UpdatedSim[]> => {
  const { changes, at, actor, taskId, traceId } = order;
  const { rows } = await tx.query<UpdatedSim & { before: string[]; after: string[] }>(
    `with given as (
       select * from unnest($1::bigint[], $2::boolean[], $3::text[], $4::boolean[], $5::text[], $6::text[])
         as g (sim_id, sets_name, name, sets_notes, notes, tags)),
     wanted as (
       select s.id, s.iccid, s.device_name, s.notes, s.tags,
         case when g.sets_name then g.name else s.device_name end as new_name,
         case when g.sets_notes then g.notes else s.notes end as new_notes,
         coalesce(g.tags::text[], s.tags) as new_tags
       from given g join sims s on s.id = g.sim_id where s.org_id = $7),
     changed as (
       select *, (device_name, notes) is not distinct from (new_name, new_notes) as tags_alone from wanted
       where (device_name, notes, tags) is distinct from (new_name, new_notes, new_tags)),
     moved as (
       update sims s set device_name = c.new_name, notes = c.new_notes, tags = c.new_tags
       from changed c where s.id = c.id),
     recorded as (
       insert into sim_events (sim_id, at, org_id, kind, facts, actor, task_id, trace_id)
       select id, $8, $7, case when tags_alone then 'tags-changed' else 'updated' end,
         case when device_name is distinct from new_name
           then jsonb_build_object('device_name_before', device_name, 'device_name', new_name) else '{}' end
         || case when notes is distinct from new_notes then jsonb_build_object('notes', true) else '{}' end
         || case when tags is distinct from new_tags
           then jsonb_build_object('tags_before', array_to_string(tags, ', '), 'tags', array_to_string(new_tags, ', '))
           else '{}' end,
         $9, $10, $11 from changed)
     select id as "simId", iccid, case when tags_alone then 'tags-changed' else 'updated' end as kind,
       tags as before, new_tags as after
     from changed`,
    [
      changes.map(({ simId }) => simId),
      changes.map(({ deviceName }) => deviceName !== undefined),
      changes.map(({ deviceName }) => deviceName ?? null),
      changes.map(({ notes }) => notes !== undefined),
      changes.map(({ notes }) => notes ?? null),
      changes.map(({ tags }) => (tags ? arrayText(tags) : null)),
      orgId,
      at,
      actor,
      taskId,
      traceId,
    ],
  );
  await countTagChanges(tx, orgId, rows);
  return rows.map(({ simId, iccid, kind }) => ({ simId, iccid, kind }));
};
