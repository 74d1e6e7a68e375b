import type { ErrorCode, Language } from '@simcube/contract';
import type { ScheduleRun } from '@simcube/contract/schedule';
import { errorText } from '@simcube/phrases';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { countScheduled, type ScheduledCounts } from '../../sms/index.ts';
import { listProcessing } from '../../task/index.ts';
import { runState } from './schedules.views.ts';

export interface RunRow {
  run_at: Date;
  state: 'started' | 'missed' | 'refused';
  code: ErrorCode | null;
  started_at: Date | null;
  task: string | null;
  quantity: number;
}

/** Runs of a schedule, the latest first. */
export const runList: List<{ scheduleId: number }, object, RunRow, RunRow> = {
  name: 'schedule.runs',
  tables: [
    {
      name: 'runs',
      from: () => sql`schedule_runs as runs`,
      inScope: ({ scope }) => sql`schedule_id = ${scope.scheduleId}`,
    },
  ],
  key: { column: 'run_at', type: 'instant', descending: true },
  order: [],
  filters: {},
  countLimit: 'all',
  select: sql`run_at, state, code, started_at, task, quantity`,
  show: (rows) => rows,
};

/** The rows with the current outcomes of their messages. */
export const showRuns = async (
  from: Sql,
  rows: readonly RunRow[],
  { orgId, language }: { orgId: number; language: Language },
): Promise<ScheduleRun[]> => {
  const tasks = rows.flatMap(({ task }) => task ?? []);
  const [processing, counts] = await Promise.all([
    listProcessing(from, tasks),
    countScheduled(from, { orgId, tasks }),
  ]);
  return rows.map((row) => toRun(row, { processing, outcome: counts.get(row.task ?? ''), language }));
};

const toRun = (
  row: RunRow,
  {
    processing,
    outcome,
    language,
  }: { processing: ReadonlySet<string>; outcome: ScheduledCounts | undefined; language: Language },
): ScheduleRun => {
  const state = runState(row.state, row.task, processing);
  const { messages = 0, delivered = 0, failed = 0, unknown = 0, replies = 0 } = outcome ?? {};
  const open = (outcome?.processing ?? 0) + (outcome?.sent ?? 0);
  const isSettled = state === 'ended' && open === 0;
  return {
    run_at: row.run_at.toISOString(),
    state,
    code: row.code,
    message: row.code && errorText(language, row.code),
    started_at: row.started_at?.toISOString() ?? null,
    settled_at: isSettled ? ((outcome?.settledAt ?? row.started_at)?.toISOString() ?? null) : null,
    task: row.task,
    quantity: row.quantity,
    left_out: state === 'ended' ? row.quantity - messages : 0,
    sent: outcome?.sent ?? 0,
    delivered,
    failed,
    unknown,
    replies,
  };
};

/** The task of the latest run that began. */
export const findLastTask = async (from: Sql, scheduleId: number): Promise<string | undefined> =>
  (
    await from.query<{ task: string }>(
      `select task from schedule_runs where schedule_id = $1 and state = 'started' order by run_at desc limit 1`,
      [scheduleId],
    )
  ).rows[0]?.task;
