import { eventRecorder } from './events/record.service.ts';
import type { WebhookOptions } from './settings/webhooks.service.ts';
import { webhookJobs } from './webhook.jobs.ts';
import { webhookRoutes } from './webhook.routes.ts';

export { createWebhooks, withholdEvents } from './settings/webhooks.service.ts';

/** The organisation's events for developers: by signed HTTPS requests, with a log, and as a feed. */
export const webhookModule = (options: WebhookOptions) => ({
  routes: webhookRoutes(options),
  jobs: webhookJobs(options),
  consumers: [eventRecorder(options)],
});
