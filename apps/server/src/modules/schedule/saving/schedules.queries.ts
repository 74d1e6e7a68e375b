import type { ScheduleWhen } from '@simcube/contract/schedule';
import type { Sql } from '../../../platform/db/index.ts';

/** A schedule whose row is locked. */
export interface LockedSchedule {
  id: number;
  org_id: number;
  version: number;
  name: string;
  content: string;
  timing: ScheduleWhen;
  time_zone: string;
  group_id: number | null;
  only_failures: boolean;
  enabled: boolean;
  next_run_at: Date | null;
  owner_id: string | null;
  /** The owner's name. */
  owner: string | null;
}

export const lockedColumns = `id, org_id, version, name, content, timing, time_zone, group_id, only_failures, enabled, next_run_at,
  owner_id, (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = schedules.owner_id) as owner`;

export const lockSchedule = async (
  tx: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<LockedSchedule | undefined> =>
  (
    await tx.query<LockedSchedule>(
      `select ${lockedColumns} from schedules where id = $1 and org_id = $2 for update`,
      [id, orgId],
    )
  ).rows[0];

export const countSchedules = async (tx: Sql, orgId: number): Promise<number> =>
  (
    await tx.query<{ count: number }>('select count(*)::int as count from schedules where org_id = $1', [
      orgId,
    ])
  ).rows[0]?.count ?? 0;

export interface StoredSchedule {
  name: string;
  content: string;
  when: ScheduleWhen;
  timeZone: string;
  groupId: number | null;
  onlyFailures: boolean;
  enabled: boolean;
  nextRunAt: Date | null;
  ownerId: string;
  at: Date;
}

const valuesOf = (schedule: StoredSchedule): unknown[] => [
  schedule.name,
  schedule.content,
  JSON.stringify(schedule.when),
  schedule.timeZone,
  schedule.groupId,
  schedule.onlyFailures,
  schedule.enabled,
  schedule.nextRunAt,
  schedule.ownerId,
  schedule.at,
];

export const insertSchedule = async (tx: Sql, orgId: number, schedule: StoredSchedule): Promise<number> => {
  const { rows } = await tx.query<{ id: number }>(
    `insert into schedules (org_id, name, content, timing, time_zone, group_id, only_failures, enabled, next_run_at,
       owner_id, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id`,
    [orgId, ...valuesOf(schedule)],
  );
  if (!rows[0]) throw new Error('The schedule was not stored');
  return rows[0].id;
};

export const updateSchedule = async (tx: Sql, id: number, schedule: StoredSchedule): Promise<void> => {
  await tx.query(
    `update schedules set name = $2, content = $3, timing = $4, time_zone = $5, group_id = $6, only_failures = $7,
       enabled = $8, next_run_at = $9, owner_id = $10, updated_at = $11, version = version + 1 where id = $1`,
    [id, ...valuesOf(schedule)],
  );
};

/** Without an owner, the previous one is kept. */
export const switchSchedule = async (
  tx: Sql,
  id: number,
  {
    enabled,
    nextRunAt,
    ownerId,
    at,
  }: { enabled: boolean; nextRunAt: Date | null; ownerId?: string; at: Date },
): Promise<void> => {
  await tx.query(
    `update schedules set enabled = $2, next_run_at = $3, owner_id = coalesce($4, owner_id), updated_at = $5
     where id = $1`,
    [id, enabled, nextRunAt, ownerId ?? null, at],
  );
};

export const deleteSchedule = async (tx: Sql, id: number): Promise<void> => {
  await tx.query('delete from schedules where id = $1', [id]);
};

export interface ScheduledSim {
  id: number;
  iccid: string;
}

/** Replaces the SIMs of a schedule. SIMs that remain keep their rows, by which a run in progress refers to them. */
export const replaceSims = async (
  tx: Sql,
  scheduleId: number,
  sims: readonly ScheduledSim[],
): Promise<{ added: number; removed: number }> => {
  const simIds = sims.map(({ id }) => id);
  const removed = await tx.query(
    'delete from schedule_sims where schedule_id = $1 and sim_id <> all($2::bigint[])',
    [scheduleId, simIds],
  );
  const added = await tx.query(
    `insert into schedule_sims (schedule_id, sim_id, iccid)
     select $1, v.sim_id, v.iccid from unnest($2::bigint[], $3::text[]) with ordinality as v (sim_id, iccid, place)
     order by v.place on conflict (schedule_id, sim_id) do nothing`,
    [scheduleId, simIds, sims.map(({ iccid }) => iccid)],
  );
  return { added: added.rowCount ?? 0, removed: removed.rowCount ?? 0 };
};
