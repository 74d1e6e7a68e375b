import type { Sql } from '../../../platform/db/index.ts';
import { arrayText, countTagChanges } from '../tags/tags.queries.ts';

/** New values of a SIM; undefined fields stay unchanged, null clears. */
export interface InfoChange {
  simId: number;
  deviceName?: string | null | undefined;
  notes?: string | null | undefined;
  tags?: readonly string[] | undefined;
}

export interface ChangedInfo {
  simId: number;
  iccid: string;
  nameBefore: string | null;
  name: string | null;
  notesBefore: string | null;
  notesChanged: boolean;
  /** Tags. */
  before: string[];
  after: string[];
}

/**
 * Sets names, notes and tags of SIMs that the caller has locked, and the counts of tags.
 * @returns the SIMs that changed
 */
export const updateInfo = async (
  tx: Sql,
  orgId: number,
  changes: readonly InfoChange[],
): Promise<ChangedInfo[]> => {
  const { rows } = await tx.query<ChangedInfo>(
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
       select * from wanted where (device_name, notes, tags) is distinct from (new_name, new_notes, new_tags)),
     moved as (
       update sims s set device_name = c.new_name, notes = c.new_notes, tags = c.new_tags
       from changed c where s.id = c.id)
     select id as "simId", iccid, device_name as "nameBefore", new_name as name,
       notes as "notesBefore", notes is distinct from new_notes as "notesChanged", tags as before, new_tags as after
     from changed`,
    [
      changes.map(({ simId }) => simId),
      changes.map(({ deviceName }) => deviceName !== undefined),
      changes.map(({ deviceName }) => deviceName ?? null),
      changes.map(({ notes }) => notes !== undefined),
      changes.map(({ notes }) => notes ?? null),
      changes.map(({ tags }) => (tags ? arrayText(tags) : null)),
      orgId,
    ],
  );
  await countTagChanges(tx, orgId, rows);
  return rows;
};
