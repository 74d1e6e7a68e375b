import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { dropPartitionsBefore, ensureDayPartition } from '../../platform/db/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { giveUpExpired, trimNotifications } from './deliveries/deliveries.queries.ts';
import { expiryCutoff } from './deliveries/deliveries.rules.ts';

const trimJob = defineSchedule({
  name: 'notify.trim-deliveries',
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '*/10 * * * *',
});

/** Gives up what could not be delivered in time, and deletes old deliveries. */
export const notifyJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(trimJob, async (_, { signal }) => {
    const now = clock.now();
    await giveUpExpired(pool, expiryCutoff(now));
    const before = new Date(now.getTime() - limits.notifications.days * dayMs);
    for (let last = 1; last > 0 && !signal.aborted; ) last = await trimNotifications(pool, before);
    await ensureDayPartition(pool, 'delivery_exchanges', now);
    await ensureDayPartition(pool, 'delivery_exchanges', new Date(now.getTime() + dayMs));
    await dropPartitionsBefore(pool, 'delivery_exchanges', before);
  }),
];
