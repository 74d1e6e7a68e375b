import { allows, type PermissionMap } from '@simcube/contract';
import {
  type WebhookEventType,
  type WebhookLoggedType,
  webhookEvents,
  webhookEventTypes,
  webhookTestType,
} from '@simcube/contract/webhook';

/** Whether an account with these permissions may have a webhook; it receives only events that the account may see. */
export const isDeveloper = (permissions: PermissionMap): boolean =>
  allows(permissions, 'cube-developer-key', 'read');

/** Whether an account with these permissions may receive events of the type. */
export const maySee = (permissions: PermissionMap, type: WebhookEventType): boolean => {
  const { reads } = webhookEvents[type];
  return reads === null || allows(permissions, reads, 'read');
};

export const visibleTypes = (permissions: PermissionMap): WebhookEventType[] =>
  webhookEventTypes.filter((type) => maySee(permissions, type));

/** What an account with these permissions is not sent: everything, tests included, if it is not a developer. */
export const withheldTypes = (permissions: PermissionMap): WebhookLoggedType[] =>
  isDeveloper(permissions)
    ? webhookEventTypes.filter((type) => !maySee(permissions, type))
    : [...webhookEventTypes, webhookTestType];

/** The default types of a new webhook. */
export const defaultEventTypes = (permissions: PermissionMap): WebhookEventType[] =>
  visibleTypes(permissions).filter((type) => webhookEvents[type].isUsual);
