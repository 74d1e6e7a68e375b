import { endpoints, limits } from '@simcube/contract';
import type { scheduleBodySchema, scheduleUpdateBodySchema } from '@simcube/contract/schedule';
import type { SimSelection } from '@simcube/contract/sim';
import type pg from 'pg';
import type { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail, requireVersion } from '../../../platform/http/index.ts';
import { type AuditChange, changedFields, recordAudit } from '../../audit/index.ts';
import { lockTarget } from '../../notify/index.ts';
import { lockOrganisation, requirePermission } from '../../org/index.ts';
import { type OperationRule, type Orderer, type Ordering, refuseEnded } from '../../sim/index.ts';
import { findService } from '../../sms/index.ts';
import { reportUnsettledRuns } from '../reporting/report.service.ts';
import { nextRun } from '../timing/runs.rules.ts';
import { countSims, listInProgress } from './progress.views.ts';
import {
  countSchedules,
  deleteSchedule,
  insertSchedule,
  type LockedSchedule,
  lockSchedule,
  replaceSims,
  type ScheduledSim,
  type StoredSchedule,
  switchSchedule,
  updateSchedule,
} from './schedules.queries.ts';

export interface SavingOptions {
  pool: pg.Pool;
  clock: Clock;
  ordering: Ordering;
}

type Body = z.output<typeof scheduleBodySchema>;
type UpdateBody = z.output<typeof scheduleUpdateBodySchema>;
type ScheduleInput = Omit<Body, 'selection' | 'enabled'>;

const { access } = endpoints.schedule.create;

/**
 * Which SIMs a schedule may have; conditions that may change before a run, such as a suspension, are checked by
 * the run. Lists may name at most `limits.sms.iccids`.
 */
export const scheduleRule: OperationRule = {
  type: 'sms-schedule',
  access,
  refuse: refuseEnded,
};

/** @throws Failure CB-01-0002 */
export const requireWithinLimit = (selection: SimSelection): void => {
  if ('iccids' in selection && selection.iccids.length > limits.sms.iccids)
    fail('CB-01-0002', { values: { max: limits.sms.iccids } });
};

/**
 * Changes that lock address groups lock the organisation first, as changes of the groups do, so that they can't
 * deadlock.
 */
export const createSchedules = ({ pool, clock, ordering }: SavingOptions) => {
  /** The SIMs that a selection finds now; refused ones are left out, unless all are refused. */
  const selectSims = async (orderer: Orderer, selection: SimSelection): Promise<ScheduledSim[]> => {
    requireWithinLimit(selection);
    const order = { rule: scheduleRule, parameters: {}, remark: null, selected: selection, runsLater: true };
    const { preview, allowed } = await ordering.inspect(orderer, order);
    const [reason] = preview.refused;
    if (preview.changing === 0 && reason) fail(reason.code as 'CB-01-0012');
    return allowed.map(({ sim: { id, iccid } }) => ({ id, iccid }));
  };

  const requireWriteAccess = (tx: Sql, { org, userId }: Orderer) =>
    requirePermission(tx, { orgId: org.id, userId, ...access });

  const lockOwnSchedule = async (tx: Sql, { org }: Orderer, id: number): Promise<LockedSchedule> =>
    (await lockSchedule(tx, { orgId: org.id, id })) ?? fail('CB-04-0006');

  /**
   * The change of the owner, if any, to be recorded with a change of a schedule: it now runs on behalf of the
   * person who saved it.
   */
  const ownerChange = async (
    tx: Sql,
    orderer: Orderer,
    { id, owner_id: previous, owner }: LockedSchedule,
  ) => {
    const now = await lockOwnSchedule(tx, orderer, id);
    return now.owner_id === previous ? {} : { before: { owner }, after: { owner: now.owner } };
  };

  const isInProgress = async (tx: Sql, { id, next_run_at: due }: LockedSchedule, now: Date) =>
    (due !== null && due <= now) || (await listInProgress(tx, [id])).has(id);

  const groupName = async (tx: Sql, orgId: number, id: number | null): Promise<string | null> => {
    if (id === null) return null;
    return ((await lockTarget(tx, { orgId, id, kind: 'email' })) ?? fail('CB-09-0017')).name;
  };

  /**
   * The next run of an enabled schedule.
   * @throws Failure CB-04-0001, CB-04-0010
   */
  const requireNextRun = async (
    tx: Sql,
    { org }: Orderer,
    { when, time_zone: timeZone }: Pick<ScheduleInput, 'when' | 'time_zone'>,
    now: Date,
  ): Promise<Date> => {
    if (!(await findService(tx, org.id)).canSend) fail('CB-04-0001');
    return nextRun({ when, timeZone }, now) ?? fail('CB-04-0010');
  };

  const record = (
    tx: Sql,
    { org, actor }: Orderer,
    { id, name, before, after, at }: { id: number; name: string; at: Date } & AuditChange,
  ) =>
    recordAudit(tx, {
      orgId: org.id,
      actor,
      at,
      subject: { kind: 'schedule', id: String(id), name },
      before,
      after,
    });

  return {
    /**
     * @returns the id of the schedule
     * @throws Failure CB-04-0009 when the maximum number exists
     */
    create: async (orderer: Orderer, { selection, enabled, ...input }: Body): Promise<number> => {
      const sims = await selectSims(orderer, selection);
      return inTransaction(pool, async (tx) => {
        await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, orderer.org.id);
        const max = limits.schedules.perOrganisation;
        if ((await countSchedules(tx, orderer.org.id)) >= max) fail('CB-04-0009', { values: { max } });
        const at = clock.now();
        const group = await groupName(tx, orderer.org.id, groupIdOf(input));
        const nextRunAt = enabled ? await requireNextRun(tx, orderer, input, at) : null;
        const schedule = toStoredSchedule(input, { enabled, nextRunAt, ownerId: orderer.userId, at });
        const id = await insertSchedule(tx, orderer.org.id, schedule);
        await replaceSims(tx, id, sims);
        const after = { ...auditedFields(schedule, group), sims: sims.length, enabled };
        await record(tx, orderer, { id, name: input.name, before: null, after, at });
        return id;
      });
    },

    /**
     * A due run that has not begun uses what is saved here.
     * @throws Failure CB-00-0409 when the version has changed, CB-04-0008 for a one-time schedule that is
     * running
     */
    update: async (
      orderer: Orderer,
      { scheduleId, version, selection, ...input }: UpdateBody,
    ): Promise<number> => {
      const id = Number(scheduleId);
      const sims = selection && (await selectSims(orderer, selection));
      return inTransaction(pool, async (tx) => {
        await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, orderer.org.id);
        const previous = await lockOwnSchedule(tx, orderer, id);
        requireVersion(previous, version);
        const at = clock.now();
        if (previous.timing.mode === 'once' && (await isInProgress(tx, previous, at))) fail('CB-04-0008');
        const group = await groupName(tx, orderer.org.id, groupIdOf(input));
        const formerGroup = await groupName(tx, orderer.org.id, previous.group_id);
        const { enabled, next_run_at: due } = previous;
        const planned = enabled ? await requireNextRun(tx, orderer, input, at) : null;
        const nextRunAt = planned && due && due <= at ? due : planned;
        const schedule = toStoredSchedule(input, { enabled, nextRunAt, ownerId: orderer.userId, at });
        await updateSchedule(tx, id, schedule);
        const changed = changedFields(
          auditedFields(toRecordable(previous), formerGroup),
          auditedFields(schedule, group),
        );
        const changedSims = sims && (await replaceSims(tx, id, sims));
        const owners = await ownerChange(tx, orderer, previous);
        const before = { ...changed?.before, ...owners.before };
        const after = {
          ...changed?.after,
          ...(changedSims &&
            changedSims.added + changedSims.removed > 0 && {
              sims_added: changedSims.added,
              sims_removed: changedSims.removed,
            }),
          ...owners.after,
        };
        if (Object.keys(after).length > 0)
          await record(tx, orderer, { id, name: input.name, before, after, at });
        return id;
      });
    },

    /**
     * Runs that were due while it was disabled are not made up for.
     * @throws Failure CB-04-0010, CB-04-0013 when it is to be disabled and has ended
     */
    setStatus: (orderer: Orderer, { id, enabled }: { id: number; enabled: boolean }): Promise<void> =>
      inTransaction(pool, async (tx) => {
        await requireWriteAccess(tx, orderer);
        const previous = await lockOwnSchedule(tx, orderer, id);
        const hasEnded = previous.enabled && previous.next_run_at === null;
        if (previous.enabled === enabled && !hasEnded) return;
        if (hasEnded && !enabled) fail('CB-04-0013');
        const at = clock.now();
        const timing = { when: previous.timing, time_zone: previous.time_zone };
        const nextRunAt = enabled ? await requireNextRun(tx, orderer, timing, at) : null;
        await switchSchedule(tx, id, { enabled, nextRunAt, at, ...(enabled && { ownerId: orderer.userId }) });
        const owners = await ownerChange(tx, orderer, previous);
        const before = { enabled: previous.enabled, ...owners.before };
        await record(tx, orderer, {
          id,
          name: previous.name,
          before,
          after: { enabled, ...owners.after },
          at,
        });
      }),

    /** Reports runs that have not been reported. @throws Failure CB-04-0007 while a run is in progress */
    remove: (orderer: Orderer, id: number): Promise<null> =>
      inTransaction(pool, async (tx) => {
        await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, orderer.org.id);
        const previous = await lockOwnSchedule(tx, orderer, id);
        const at = clock.now();
        if (await isInProgress(tx, previous, at)) fail('CB-04-0007');
        const group = await groupName(tx, orderer.org.id, previous.group_id);
        const before = { ...auditedFields(toRecordable(previous), group), sims: await countSims(tx, id) };
        await reportUnsettledRuns(tx, { orgId: orderer.org.id, scheduleId: id, now: at });
        await deleteSchedule(tx, id);
        await record(tx, orderer, { id, name: previous.name, before, after: null, at });
        return null;
      }),
  };
};

const groupIdOf = ({ groupId }: Pick<ScheduleInput, 'groupId'>): number | null =>
  groupId === null ? null : Number(groupId);

const toStoredSchedule = (
  input: ScheduleInput,
  more: Pick<StoredSchedule, 'enabled' | 'nextRunAt' | 'ownerId' | 'at'>,
): StoredSchedule => ({
  name: input.name,
  content: input.content,
  when: input.when,
  timeZone: input.time_zone,
  groupId: groupIdOf(input),
  onlyFailures: input.only_failures,
  ...more,
});

type Recordable = Pick<StoredSchedule, 'name' | 'content' | 'when' | 'timeZone' | 'onlyFailures'>;

const toRecordable = (previous: LockedSchedule): Recordable => ({
  name: previous.name,
  content: previous.content,
  when: previous.timing,
  timeZone: previous.time_zone,
  onlyFailures: previous.only_failures,
});

/** A schedule as the audit trail records it. */
const auditedFields = (
  { name, content, when, timeZone, onlyFailures }: Recordable,
  group: string | null,
): Record<string, unknown> => ({
  name,
  content,
  ...(when.mode === 'once'
    ? { mode: when.mode, run_at: when.at, times: null, first_day: null, last_day: null }
    : {
        mode: when.mode,
        run_at: null,
        times: when.times.map(({ day, time }) => `${day} ${time}`),
        first_day: when.from,
        last_day: when.until,
      }),
  time_zone: timeZone,
  group,
  only_failures: onlyFailures,
});
