import type { ErrorCode, Language } from '@simcube/contract';
import type { DeliveryFault, NotificationData, NotificationKind } from '@simcube/contract/notify';
import type { ReportKind } from '@simcube/contract/report';
import type { ScheduleState } from '@simcube/contract/schedule';
import type { Sql } from '../../../platform/db/index.ts';
import { insertNotifications, sharedLanes } from './deliveries.queries.ts';
import { type Recipient, recipientsOf } from './recipients.views.ts';

/** The texts of a mail and a short message, by language. */
export type OwnTexts = { [L in Language]?: { subject: string; text: string; sms: string } | undefined };

/** What a rule adds for people; not sent to programs. */
interface FiredTexts {
  /** The compared values in the readers' languages. */
  comparisons?: Record<Language, string>;
  /** The organisation's own texts, if it has some. */
  texts?: OwnTexts;
}

/** Named fields of each kind: the values of its texts and, of kinds that API targets receive, the `data` of requests. */
export interface NotificationFields {
  test: NotificationData<'test'>;
  'target.failing': { target: string; of: 'api' | 'webhook'; address: string; fault: DeliveryFault };
  'target.paused': { target: string; of: 'api' | 'webhook'; address: string; fault: DeliveryFault };
  /** Times are in the schedule's zone. */
  'schedule.ran': {
    id: string;
    schedule: string;
    time: string;
    task: string;
    quantity: number;
    delivered: number;
    failed: number;
    unknown: number;
    left_out: number;
    unpaid: number;
  };
  'sms.received': NotificationData<'sms.received'>;
  /** `state` is the schedule's from then on. */
  'schedule.missed': {
    id: string;
    schedule: string;
    time: string;
    runs: number;
    code: ErrorCode;
    state: ScheduleState;
  };
  'autoflow.fired': NotificationData<'autoflow.fired'> & FiredTexts;
  /** The notification that a rule being edited would send. */
  'autoflow.tried': NotificationData<'autoflow.tried'> & FiredTexts;
  'autoflow.failed': { id: string; rule: string; time: string; sims: number; code: ErrorCode };
  /** All reports of a month that were made together; the month is that of the time zone. */
  'report.ready': { month: string; time_zone: string; kinds: readonly ReportKind[] };
}

export type Notification = {
  [K in NotificationKind]: { orgId: number; kind: K; fields: NotificationFields[K]; at: Date };
}[NotificationKind];

/** Notifications of one kind that differ only in their fields. */
export type Notifications = {
  [K in NotificationKind]: { orgId: number; kind: K; each: readonly NotificationFields[K][]; at: Date };
}[NotificationKind];

/**
 * Notifies every address of the targets in the caller's transaction: deliveries begin after its commit, and
 * never without it. Targets of other organisations are ignored.
 * @returns the notification's id
 */
export const notifyTargets = async (
  tx: Sql,
  { fields, ...notification }: Notification,
  targetIds: readonly number[],
): Promise<string> =>
  (await notifyTargetsOfEach(tx, { ...notification, each: [fields] } as Notifications, targetIds))[0] ?? '';

/**
 * The same for many notifications, with as many statements as for one.
 * @returns their ids, in the order of the fields
 */
export const notifyTargetsOfEach = async (
  tx: Sql,
  notifications: Notifications,
  targetIds: readonly number[],
): Promise<string[]> =>
  insertForRecipients(tx, notifications, await recipientsOf(tx, { orgId: notifications.orgId, targetIds }));

/** The same for recipients that the caller has found. */
export const notifyRecipients = async (
  tx: Sql,
  { fields, ...notification }: Notification,
  recipients: readonly Recipient[],
): Promise<string> =>
  (await insertForRecipients(tx, { ...notification, each: [fields] } as Notifications, recipients))[0] ?? '';

const insertForRecipients = (
  tx: Sql,
  notifications: Notifications,
  recipients: readonly Recipient[],
): Promise<string[]> =>
  insertNotifications(
    tx,
    notifications,
    recipients.map(({ isPaused, ...to }) => ({
      ...to,
      lane: to.channel === 'api' ? (to.targetId ?? 0) : sharedLanes[to.channel],
      fault: isPaused ? 'paused' : null,
    })),
  );
