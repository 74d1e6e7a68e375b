import { limits } from '@simcube/contract';
import type {
  Schedule,
  ScheduleMode,
  ScheduleRunState,
  ScheduleState,
  ScheduleWhen,
} from '@simcube/contract/schedule';
import { type SqlBool, sql } from 'kysely';
import type { Db, Sql } from '../../../platform/db/index.ts';
import type { Fragment, List } from '../../../platform/lists/index.ts';
import { measureText } from '../../sms/index.ts';
import { listProcessing } from '../../task/index.ts';

export interface ScheduleRow {
  id: number;
  version: number;
  name: string;
  content: string;
  timing: ScheduleWhen;
  time_zone: string;
  sims: number;
  group_id: number | null;
  group_name: string | null;
  group_addresses: number | null;
  only_failures: boolean;
  enabled: boolean;
  next_run_at: Date | null;
  created_at: Date;
  updated_at: Date;
  owner: string | null;
  last_run_at: Date | null;
  last_state: 'started' | 'missed' | 'refused' | null;
  /** Tasks of the runs that are not settled. */
  open_tasks: string[];
  last_task: string | null;
}

const stateConditions: Record<ScheduleState, Fragment<SqlBool>> = {
  enabled: sql<SqlBool>`next_run_at is not null`,
  disabled: sql<SqlBool>`not enabled`,
  ended: sql<SqlBool>`(enabled and next_run_at is null)`,
};

export interface ScheduleFilter {
  id?: number | undefined;
  search?: string | undefined;
  state?: ScheduleState | undefined;
  mode?: ScheduleMode | undefined;
}

/** Schedules of an organisation, the newest first. */
export const scheduleList: List<{ orgId: number }, ScheduleFilter, ScheduleRow, ScheduleRow> = {
  name: 'schedule.schedules',
  tables: [
    { name: 'schedules', from: () => sql`schedules`, inScope: ({ scope }) => sql`org_id = ${scope.orgId}` },
  ],
  key: { column: 'id', type: 'integer', descending: true },
  order: [],
  filters: {
    id: (id) => sql`id = ${id}`,
    search: (part) => sql`strpos(folded(name || E'\\n' || content), folded(${part})) > 0`,
    state: (state) => stateConditions[state],
    mode: (mode) => sql`timing ->> 'mode' = ${mode}`,
  },
  countLimit: 'all',
  select: sql`id, version, name, content, timing, time_zone, group_id, only_failures, enabled, next_run_at, created_at, updated_at,
    (select count(*)::int from schedule_sims r where r.schedule_id = schedules.id) as sims,
    (select t.name from notification_targets t where t.id = group_id) as group_name,
    (select cardinality(t.addresses) from notification_targets t where t.id = group_id) as group_addresses,
    (select u.first_name || ' ' || u.last_name from users u where u.id = owner_id) as owner,
    (select r.run_at from schedule_runs r where r.schedule_id = schedules.id order by r.run_at desc limit 1)
      as last_run_at,
    (select r.state from schedule_runs r where r.schedule_id = schedules.id order by r.run_at desc limit 1)
      as last_state,
    (select r.task from schedule_runs r where r.schedule_id = schedules.id order by r.run_at desc limit 1)
      as last_task,
    array(select r.task from schedule_runs r where r.schedule_id = schedules.id and r.state = 'started'
      and r.settled_at is null) as open_tasks`,
  show: (rows) => rows,
};

/** The rows as people see them. */
export const showSchedules = async (
  from: Sql,
  rows: readonly ScheduleRow[],
  now: Date,
): Promise<Schedule[]> => {
  const tasks = rows.flatMap(({ open_tasks }) => open_tasks);
  const processing = await listProcessing(from, tasks);
  return rows.map((row) => toSchedule(row, { processing, now }));
};

const toSchedule = (
  row: ScheduleRow,
  { processing, now }: { processing: ReadonlySet<string>; now: Date },
): Schedule => {
  const isDue = row.next_run_at !== null && row.next_run_at <= now;
  return {
    id: String(row.id),
    version: row.version,
    name: row.name,
    content: row.content,
    ...measureText(row.content),
    when: row.timing,
    time_zone: row.time_zone,
    sims: row.sims,
    group:
      row.group_id === null
        ? null
        : { id: String(row.group_id), name: row.group_name ?? '', addresses: row.group_addresses ?? 0 },
    only_failures: row.only_failures,
    state: row.enabled ? (row.next_run_at ? 'enabled' : 'ended') : 'disabled',
    in_progress: isDue || row.open_tasks.some((task) => processing.has(task)),
    next_run_at: row.next_run_at?.toISOString() ?? null,
    last_run_at: row.last_run_at?.toISOString() ?? null,
    last_run_state: row.last_state && runState(row.last_state, row.last_task, processing),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    owner: row.owner,
  };
};

/** A run is running as long as its task is, and ended afterwards. */
export const runState = (
  stored: 'started' | 'missed' | 'refused',
  task: string | null,
  processing: ReadonlySet<string>,
): ScheduleRunState => {
  if (stored !== 'started') return stored;
  return task !== null && processing.has(task) ? 'running' : 'ended';
};

export interface EnabledSchedule {
  id: number;
  content: string;
  timing: ScheduleWhen;
  time_zone: string;
  sims: number;
}

/** What an organisation has enabled, except for one schedule. */
export const listOtherEnabled = async (
  db: Db,
  { orgId, exceptId }: { orgId: number; exceptId: number | null },
): Promise<EnabledSchedule[]> => {
  const { rows } = await sql<EnabledSchedule>`
    select id, content, timing, time_zone,
      (select count(*)::int from schedule_sims r where r.schedule_id = s.id) as sims
    from schedules s where org_id = ${orgId} and next_run_at is not null and id is distinct from ${exceptId}
    limit ${limits.schedules.perOrganisation}`.execute(db);
  return rows;
};

export const isOwnSchedule = async (
  db: Db,
  { orgId, id }: { orgId: number; id: number },
): Promise<boolean> => {
  const { rows } = await sql`select from schedules where id = ${id} and org_id = ${orgId}`.execute(db);
  return rows.length > 0;
};

/**
 * The schedules that notify a group and may still run or have a run to report, by name. Does not use `exists`, because
 * the planner would read all runs for it.
 */
export const listSchedulesWithTarget = async (
  from: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<string[]> => {
  const { rows } = await from.query<{ name: string }>(
    `select name from schedules s where group_id = $2 and org_id = $1
       and (next_run_at is not null or not enabled or coalesce((
         select true from schedule_runs r
         where r.schedule_id = s.id and r.state = 'started' and r.settled_at is null limit 1), false))
     order by lower(name)`,
    [orgId, id],
  );
  return rows.map(({ name }) => name);
};
