import type { Sql } from '../../../platform/db/index.ts';
import { isRunning } from '../targets/waiting.queries.ts';

/** An event to be sent to webhooks. */
export interface OutgoingEvent {
  /** The `webhook-id` of its requests. */
  id: string;
  orgId: number;
  type: string;
  about: { kind: string; id: string } | null;
  /** As sent and signed. */
  body: string;
  to: readonly { targetId: number; url: string; isPaused: boolean }[];
}

/** Queues events for webhooks in the caller's transaction: deliveries begin after its commit, and never without it. */
export const queueEvents = async (tx: Sql, events: readonly OutgoingEvent[], at: Date): Promise<void> => {
  const sent = events.filter(({ to }) => to.length > 0);
  if (sent.length === 0) return;
  await tx.query({
    name: 'notify-queue-events',
    text: `insert into notifications (id, org_id, kind, fields, created_at, body, about_kind, about)
           select e.id, e.org_id, e.kind, '{}', $7::timestamptz, e.body, e.about_kind, e.about
           from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[])
             as e (id, org_id, kind, body, about_kind, about)`,
    values: [
      sent.map(({ id }) => id),
      sent.map(({ orgId }) => orgId),
      sent.map(({ type }) => type),
      sent.map(({ body }) => body),
      sent.map(({ about }) => about?.kind ?? null),
      sent.map(({ about }) => about?.id ?? null),
      at,
    ],
  });
  const deliveries = sent.flatMap(({ id, orgId, to }) => to.map((target) => ({ id, orgId, ...target })));
  await tx.query({
    name: 'notify-queue-deliveries',
    text: `with going as (
             insert into deliveries (notification_id, org_id, target_id, channel, lane, address, language, fault, state,
               due_at, created_at)
             select d.id, d.org_id, d.target_id, 'api', d.target_id, d.url, 'en-US', case when d.paused then 'paused' end,
               case when d.paused then 2 else 0 end, case when d.paused then null else $6::timestamptz end, $6
             from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::bool[])
               as d (id, org_id, target_id, url, paused))
           select pg_notify('deliveries', '')`,
    values: [
      deliveries.map(({ id }) => id),
      deliveries.map(({ orgId }) => orgId),
      deliveries.map(({ targetId }) => targetId),
      deliveries.map(({ url }) => url),
      deliveries.map(({ isPaused }) => isPaused),
      at,
    ],
  });
};

/**
 * Sends deliveries of a target again, under their former ids; waiting ones are attempted immediately.
 * @returns how many; those under way are left out
 */
export const resendDeliveries = async (
  tx: Sql,
  { targetId, ids, at }: { targetId: number; ids: readonly number[]; at: Date },
): Promise<number> => {
  const { rowCount } = await tx.query(
    `update deliveries d set state = 0, due_at = $3, resent_at = $3, attempts_before = d.attempts, fault = null
     where d.id = any($2::bigint[]) and d.target_id = $1 and not (d.state = 0 and ${isRunning})`,
    [targetId, ids, at],
  );
  await tx.query(`select pg_notify('deliveries', '')`);
  return rowCount ?? 0;
};
