import type { Sql } from '../../../platform/db/index.ts';
import { type PastMessage, storePastMessages } from '../../sms/index.ts';
import { recordWork } from '../../task/index.ts';
import { settleRun } from '../reporting/open-runs.queries.ts';
import { taskOfRun } from '../running/begin.service.ts';
import { listRecipients } from '../running/recipients.views.ts';
import { insertRun, planNextRun } from '../running/runs.queries.ts';
import { lockSchedule } from '../saving/schedules.queries.ts';
import { nextRun } from '../timing/runs.rules.ts';

/** The outcome of a run's message to a SIM, and the SIM's reply. */
export interface PastSending {
  sent: Omit<NonNullable<PastMessage['sent']>, 'by' | 'task'>;
  reply: { at: Date; content: string } | undefined;
}

interface PastRuns {
  orgId: number;
  id: number;
  /** The next run is the first one after this. */
  until: Date;
  /** The address from which messages were sent, and to which replies were. */
  sender: string;
  sendingOf: (iccid: string, at: Date) => PastSending;
}

/** Time from the start of a run until all its messages are accepted. */
const acceptingMs = 2000;

/**
 * Stores the runs of an enabled schedule that are due by then as if they had been on time, in the caller's
 * transaction, each with its task and messages. Nothing is sent or reported.
 */
export const storePastRuns = async (
  tx: Sql,
  { orgId, id, until, sender, sendingOf }: PastRuns,
): Promise<void> => {
  const schedule = await lockSchedule(tx, { orgId, id });
  if (!schedule) throw new Error(`There is no schedule ${id}`);
  const timing = { when: schedule.timing, timeZone: schedule.time_zone };
  const sims = await listRecipients(tx, id);
  const messages: PastMessage[] = [];
  let next: Date | null = schedule.next_run_at;
  for (; next && next <= until; next = nextRun(timing, next)) {
    const at = next;
    const task = await recordWork(
      tx,
      taskOfRun(schedule, { sims, at }),
      new Date(at.getTime() + acceptingMs),
    );
    await insertRun(tx, { scheduleId: id, orgId, runAt: at, quantity: sims.length, startedAt: at, task });
    let settledAt = at;
    for (const { iccid } of sims) {
      const { sent, reply } = sendingOf(iccid, at);
      messages.push({ iccid, at, content: schedule.content, sent: { ...sent, by: schedule.name, task } });
      if (reply) messages.push({ iccid, ...reply, sent: null });
      if (sent.settledAt > settledAt) settledAt = sent.settledAt;
    }
    await settleRun(tx, { schedule_id: id, run_at: at }, settledAt);
  }
  await storePastMessages(tx, messages, sender);
  await planNextRun(tx, { id, nextRunAt: next });
};
