import type { ErrorCode } from '@simcube/contract';
import type { ScheduleState } from '@simcube/contract/schedule';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { Failure } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { notifyRecipients, notifyTargets, ownersOf } from '../../notify/index.ts';
import { requirePermission } from '../../org/index.ts';
import { findService } from '../../sms/index.ts';
import { type ItemWork, startWork } from '../../task/index.ts';
import { type LockedSchedule, switchSchedule } from '../saving/schedules.queries.ts';
import { scheduleRule } from '../saving/schedules.service.ts';
import { dueRuns } from '../timing/runs.rules.ts';
import { wallClock } from '../timing/zone.rules.ts';
import { recipients } from './recipients.ts';
import { listRecipients, type Recipient } from './recipients.views.ts';
import { hasRun, insertRun, insertSkippedRuns, listDue, lockDue, planNextRun } from './runs.queries.ts';

export interface RunningOptions {
  pool: pg.Pool;
  clock: Clock;
}

const batchSize = 100;

/**
 * Begins the runs that are due. A run (its row, its task, the next time) is written in one transaction, and a
 * time has only one row: if a process is killed, the run has either begun or is still due, and two concurrent
 * processes begin it once.
 */
export const beginDueRuns = async (
  options: RunningOptions,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> => {
  const attempted = new Set<number>();
  for (let more = true; more && !signal.aborted; ) {
    const due = await listDue(options.pool, { now: options.clock.now(), limit: batchSize + attempted.size });
    const remaining = due.filter((id) => !attempted.has(id));
    more = remaining.length > 0;
    for (const id of remaining) {
      if (signal.aborted) return;
      // Another process may be working on it, so it is not tried again in this round in any case.
      attempted.add(id);
      try {
        await beginRun(options, id);
      } catch (error) {
        log.error({ err: error, scheduleId: id }, 'a run of a schedule could not begin');
      }
    }
  }
};

const beginRun = ({ pool, clock }: RunningOptions, id: number): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const now = clock.now();
    const schedule = await lockDue(tx, { id, now });
    if (!schedule) return;
    const timing = { when: schedule.timing, timeZone: schedule.time_zone };
    const { missed, run, next } = dueRuns(timing, { due: schedule.next_run_at, now });
    const sims = await listRecipients(tx, id);
    const runFields = { scheduleId: id, orgId: schedule.org_id, quantity: sims.length };
    await planNextRun(tx, { id, nextRunAt: next });
    const code = await refusalOf(tx, schedule);
    const begins = run !== null && !(await hasRun(tx, { scheduleId: id, runAt: run }));
    const isDisabled = begins && code === ownerGone;
    const hasNext = next !== null || (begins && !code);
    const skipped = {
      state: isDisabled ? 'disabled' : hasNext ? 'enabled' : 'ended',
      mayOwnerSend: code !== ownerGone,
      at: now,
    } as const;
    if (missed.length > 0) {
      const missing = { runsAt: missed, code: 'CB-04-0011' } as const;
      const recorded = await insertSkippedRuns(tx, { ...runFields, ...missing, state: 'missed' });
      if (recorded > 0) await notifySkippedRuns(tx, schedule, { ...skipped, ...missing });
    }
    if (!run || !begins) return;
    if (!code) {
      const { reference_id: task } = await startWork(tx, taskOfRun(schedule, { sims, at: now }));
      await insertRun(tx, { ...runFields, runAt: run, startedAt: now, task });
      return;
    }
    await insertSkippedRuns(tx, { ...runFields, runsAt: [run], state: 'refused', code });
    await notifySkippedRuns(tx, schedule, { ...skipped, runsAt: [run], code });
    if (isDisabled) await disable(tx, schedule, now);
  });

/** The person on whose behalf a schedule runs may no longer send. */
const ownerGone = 'CB-04-0012';

/** Why nothing can be sent for it now. */
const refusalOf = async (tx: Sql, schedule: LockedSchedule): Promise<ErrorCode | undefined> => {
  const { org_id: orgId, owner_id: ownerId } = schedule;
  if (ownerId === null) return ownerGone;
  try {
    await requirePermission(tx, { orgId, userId: ownerId, ...scheduleRule.access });
  } catch (error) {
    if (error instanceof Failure) return ownerGone;
    throw error;
  }
  return (await findService(tx, orgId)).canSend ? undefined : 'CB-04-0001';
};

/** The task of a run. */
export const taskOfRun = (
  schedule: LockedSchedule,
  { sims, at }: { sims: readonly Recipient[]; at: Date },
): ItemWork => ({
  orgId: schedule.org_id,
  userId: schedule.owner_id ?? '',
  actor: schedulerActor(schedule.name),
  type: scheduleRule.type,
  remark: schedule.name,
  parameters: { content: schedule.content },
  at,
  kind: recipients,
  items: sims.map(({ id, iccid }) => ({ ref: id, label: iccid })),
  access: scheduleRule.access,
});

/** The scheduler as the actor, named after what it does. */
const schedulerActor = (name: string): Actor => ({
  kind: 'system',
  id: null,
  name,
  address: null,
  traceId: null,
  action: undefined,
});

interface SkippedRuns {
  runsAt: readonly Date[];
  code: ErrorCode;
  /** The schedule's state from now on. */
  state: ScheduleState;
  mayOwnerSend: boolean;
  at: Date;
}

/**
 * Reports that something did not run: to the address group, or else to the person responsible; if that person may no
 * longer send, to those who can do something about it.
 */
const notifySkippedRuns = async (
  tx: Sql,
  schedule: LockedSchedule,
  { runsAt, code, state, mayOwnerSend, at }: SkippedRuns,
): Promise<void> => {
  const { id, org_id: orgId, name, group_id: groupId } = schedule;
  const ownerId = mayOwnerSend ? schedule.owner_id : null;
  const [first = at] = runsAt;
  const time = `${wallClock(schedule.time_zone)(first).replace('T', ' ')} (${schedule.time_zone})`;
  const fields = { id: String(id), schedule: name, time, runs: runsAt.length, code, state };
  const notification = { orgId, kind: 'schedule.missed', fields, at } as const;
  if (groupId === null) await notifyRecipients(tx, notification, await ownersOf(tx, { orgId, ownerId }));
  else await notifyTargets(tx, notification, [groupId]);
};

const disable = async (tx: Sql, { id, org_id: orgId, name }: LockedSchedule, at: Date): Promise<void> => {
  await switchSchedule(tx, id, { enabled: false, nextRunAt: null, at });
  await recordAudit(tx, {
    orgId,
    actor: schedulerActor('SimCube'),
    action: 'schedule.switched',
    at,
    subject: { kind: 'schedule', id: String(id), name },
    before: { enabled: true },
    after: { enabled: false },
  });
};
