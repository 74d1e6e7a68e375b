import type { WebhookLoggedType } from '@simcube/contract/webhook';

/** Phrases for the subject of each type of event. */
export const typeKeys = {
  'sim.lifecycle-changed': 'lifecycle',
  'sim.connection-changed': 'connection',
  'sim.imei-changed': 'imei',
  'sim.usage-threshold': 'usage',
  'sms.mo': 'reply',
  'sms.status': 'message',
  'pool.event': 'pool',
  'autoflow.fired': 'rule',
  'bill.published': 'bill',
  'report.ready': 'report',
  'task.finished': 'task',
  'webhook.test': 'test',
} as const satisfies Record<WebhookLoggedType, string>;

export const loggedTypes = Object.keys(typeKeys) as WebhookLoggedType[];
