import { limits } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';

/** A delivery whose attempt is under way must not be attempted twice concurrently. */
export const isRunning = `exists (select from delivery_attempts a
  where a.delivery_id = d.id and a.number = d.attempts and a.duration_ms is null)`;

/** Makes waiting deliveries of a target due immediately, as many as there is room for. */
export const expediteDeliveries = async (tx: Sql, targetId: number, at: Date): Promise<void> => {
  await tx.query(
    `update deliveries d set due_at = $2
     where d.id in (select w.id from deliveries w where w.lane = $1 and w.state = 0 and w.due_at > $2
         order by w.due_at limit ${limits.webhooks.resend})
       and not ${isRunning}`,
    [targetId, at],
  );
  await tx.query(`select pg_notify('deliveries', '')`);
};
