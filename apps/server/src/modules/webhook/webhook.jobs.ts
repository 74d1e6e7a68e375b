import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { dropPartitionsBefore, ensureDayPartition } from '../../platform/db/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import type { WebhookOptions } from './settings/webhooks.service.ts';

const maintainEventsJob = defineSchedule({
  name: 'webhook.keep-events',
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '20 * * * *',
});

/** Events are retained as long as their deliveries. */
export const webhookJobs = ({ pool, clock }: WebhookOptions): JobHandler[] => [
  handlerOf(maintainEventsJob, async () => {
    const now = clock.now().getTime();
    for (const ahead of [0, 1])
      await ensureDayPartition(pool, 'webhook_events', new Date(now + ahead * dayMs));
    await dropPartitionsBefore(pool, 'webhook_events', new Date(now - limits.notifications.days * dayMs));
  }),
];
