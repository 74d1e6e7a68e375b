import type { WebhookEventType, webhookTestType } from './events.ts';

/** What each event is about, in the OpenAPI document and in docs/webhooks.md. */
export const webhookSummaries: Record<WebhookEventType | typeof webhookTestType, string> = {
  'sim.lifecycle-changed': 'the lifecycle of a SIM changed',
  'sim.connection-changed': 'the connection of a SIM changed to online, connected, offline or unknown',
  'sim.imei-changed': 'a SIM is in another device',
  'sim.usage-threshold': 'usage of a SIM in its cycle reached a threshold that affects it, such as its limit',
  'sms.mo': 'a SIM sent a message',
  'sms.status': 'a message to a SIM was sent, delivered or failed, or its outcome is unknown',
  'pool.event': 'an event of a shared pool',
  'autoflow.fired': 'a rule fired for a SIM',
  'bill.published': 'a bill, or a new version of one, was published',
  'report.ready': 'the reports of a month are ready',
  'task.finished': 'a task of the account ended',
  'webhook.test': 'somebody tests the webhook',
};
