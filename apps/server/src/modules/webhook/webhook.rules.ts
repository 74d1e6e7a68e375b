import { allows, type PermissionMap } from '@simcube/contract';
import { type WebhookEventType, webhookEvents, webhookEventTypes } from '@simcube/contract/webhook';

/** Whether an account with these rights has a webhook, of which it is sent what it may see. */
export const isDeveloper = (permissions: PermissionMap): boolean =>
  allows(permissions, 'cube-developer-key', 'read');

/** Whether an account with these rights may be sent events of the type. */
export const maySee = (permissions: PermissionMap, type: WebhookEventType): boolean => {
  const { reads } = webhookEvents[type];
  return reads === null || allows(permissions, reads, 'read');
};

export const visibleTypes = (permissions: PermissionMap): WebhookEventType[] =>
  webhookEventTypes.filter((type) => maySee(permissions, type));

/** What a new webhook is sent. */
export const usualTypes = (permissions: PermissionMap): WebhookEventType[] =>
  visibleTypes(permissions).filter((type) => webhookEvents[type].isUsual);
