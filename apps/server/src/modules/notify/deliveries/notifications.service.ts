import type { DeliveryFault, NotificationKind } from '@simcube/contract/notify';
import type { Sql } from '../../../platform/db/index.ts';
import { insertNotification, sharedLanes } from './deliveries.queries.ts';
import { type Recipient, recipientsOf } from './recipients.views.ts';

/** Named fields of each kind: the values of its texts, and the `data` of requests. */
export interface NotificationFields {
  test: { target: string };
  'target.failing': { target: string; address: string; fault: DeliveryFault };
  'target.paused': { target: string; address: string; fault: DeliveryFault };
}

export type Notification = {
  [K in NotificationKind]: { orgId: number; kind: K; fields: NotificationFields[K]; at: Date };
}[NotificationKind];

/**
 * Tells every address of the targets, in the caller's transaction: deliveries begin after its commit, and never without
 * it. Targets that the organisation does not have are passed over.
 * @returns the notification's id
 */
export const notifyTargets = async (
  tx: Sql,
  notification: Notification,
  targetIds: readonly number[],
): Promise<string> =>
  notifyRecipients(tx, notification, await recipientsOf(tx, { orgId: notification.orgId, targetIds }));

/** The same for recipients that were found otherwise. */
export const notifyRecipients = (
  tx: Sql,
  notification: Notification,
  recipients: readonly Recipient[],
): Promise<string> =>
  insertNotification(
    tx,
    notification,
    recipients.map(({ isPaused, ...to }) => ({
      ...to,
      lane: to.channel === 'api' ? (to.targetId ?? 0) : sharedLanes[to.channel],
      fault: isPaused ? 'paused' : null,
    })),
  );
