import type { DeliveryFault } from '@simcube/contract/notify';
import type { WebhookAttempt, WebhookDeliveryDetail } from '@simcube/contract/webhook';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { findDelivery, type LogScope } from './log.views.ts';

interface AttemptRow {
  number: number;
  at: Date;
  duration_ms: number | null;
  fault: DeliveryFault | null;
  status: number | null;
  url: string | null;
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_bytes: number | null;
  response_cut: boolean | null;
}

/** Maximum number of attempts shown for one delivery, however often it was sent again. */
const maxAttemptsShown = 200;

interface DeliveryQuery {
  scope: LogScope;
  now: Date;
  id: number;
}

/** One delivery with the request and response of each attempt; undefined when it does not belong to the caller. */
export const readDetail = async (
  db: Db,
  query: DeliveryQuery,
): Promise<WebhookDeliveryDetail | undefined> => {
  const delivery = await findDelivery(db, query);
  if (!delivery) return undefined;
  const { rows: bodies } = await sql<{ body: string }>`
    select body from notifications where id = ${delivery.event_id}`.execute(db);
  // An exchange is written when its attempt has ended.
  const { rows } = await sql<AttemptRow>`
    select a.number, a.at, a.duration_ms, a.fault, a.status, x.url, x.request_headers, x.response_headers,
      x.response_body, x.response_bytes, x.response_cut
    from delivery_attempts a left join delivery_exchanges x on x.delivery_id = a.delivery_id and x.number = a.number
      and x.at >= ${delivery.created_at}::timestamptz
    where a.delivery_id = ${query.id} order by a.number desc limit ${maxAttemptsShown}`.execute(db);
  return {
    ...delivery,
    body: bodies[0]?.body ?? '',
    tries: rows.map((row, index) => toAttempt(row, rows[index + 1])),
  };
};

const toAttempt = (row: AttemptRow, before: AttemptRow | undefined): WebhookAttempt => ({
  number: row.number,
  at: row.at.toISOString(),
  waited_ms: before ? Math.max(0, row.at.getTime() - before.at.getTime() - (before.duration_ms ?? 0)) : null,
  duration_ms: row.duration_ms,
  fault: row.fault,
  status: row.status,
  request: row.url === null ? null : { url: row.url, headers: row.request_headers ?? {} },
  response:
    row.response_headers && row.response_body !== null
      ? {
          headers: row.response_headers,
          body: row.response_body,
          bytes: row.response_bytes ?? 0,
          cut: row.response_cut ?? false,
        }
      : null,
});
