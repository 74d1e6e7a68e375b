import { createHash } from 'node:crypto';
import { type WebhookEventType, type WebhookFeed, webhookEventSchema } from '@simcube/contract/webhook';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';

export interface FeedQuestion {
  orgId: number;
  accountId: string;
  types: readonly WebhookEventType[];
  cursor: string | undefined;
  limit: number;
}

/** A reader's position: after the event with this number, which was recorded on this day (UTC). */
interface Place {
  sequence: number;
  day: string;
}

const start: Place = { sequence: 0, day: '1970-01-02' };

/** Events are recorded in the order of their numbers, but the clocks of two processes may differ by minutes. */
const daysBack = 1;
/** Maximum number of events that one call scans, whatever types it asks for. */
const lookedAt = 5000;

type Row = Place & { body: string };

const behind = `org_id = $1 and sequence > $2
  and recorded_at >= ($3::date - ${daysBack})::timestamp at time zone 'UTC'`;
const place = `sequence, to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD') as day`;

/**
 * The organisation's events after the cursor, by the index of their numbers and from the day of the cursor on.
 * It needs a snapshot, because it reads twice.
 * @throws Failure CB-00-0406 for a cursor that does not belong to the organisation, or is ahead of its newest
 * event
 */
export const listFeed = async (sql: Sql, question: FeedQuestion): Promise<WebhookFeed> => {
  const { orgId, accountId, types, limit, cursor } = question;
  const from = cursor === undefined ? start : placeOf(orgId, cursor);
  const where = [orgId, from.sequence, from.day];
  const { rows } = await sql.query<Row>({
    name: 'webhook-feed',
    text: `select ${place}, body from (
             select * from webhook_events where ${behind} order by sequence limit ${lookedAt}) as looked
           where type = any($4::text[]) and (account_id is null or account_id = $5) limit $6`,
    values: [...where, types, accountId, limit + 1],
  });
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const looked = hasMore ? undefined : await lastLookedAt(sql, where);
  if (!hasMore && !looked) await requireReached(sql, orgId, from);
  return {
    events: shown.map(({ body }) => webhookEventSchema.parse(JSON.parse(body))),
    next_cursor: cursorOf(orgId, (hasMore ? shown.at(-1) : looked) ?? from),
    has_more: hasMore || looked?.count === lookedAt,
  };
};

/** The last scanned event, and how many were scanned. */
const lastLookedAt = async (
  sql: Sql,
  values: readonly unknown[],
): Promise<(Place & { count: number }) | undefined> => {
  const { rows } = await sql.query<Place & { count: number }>({
    name: 'webhook-feed-end',
    text: `select ${place}, count(*) over () as count from (
             select sequence, recorded_at from webhook_events where ${behind} order by sequence limit ${lookedAt}) as looked
           order by sequence desc limit 1`,
    values: [...values],
  });
  return rows[0];
};

/**
 * A database restored from an older backup assigns numbers again: after a cursor from a later time, new events
 * would be skipped silently.
 */
const requireReached = async (sql: Sql, orgId: number, { sequence }: Place): Promise<void> => {
  if (sequence === 0) return;
  const { rows } = await sql.query<{ last: number }>('select last from webhook_sequences where org_id = $1', [
    orgId,
  ]);
  if ((rows[0]?.last ?? 0) < sequence) fail('CB-00-0406');
};

const cursorOf = (orgId: number, { sequence, day }: Place): string =>
  Buffer.from(`${sequence}.${day}.${markOf(orgId)}`).toString('base64url');

/** Numbers are per organisation: with another organisation's cursor, events would be skipped. */
const markOf = (orgId: number): string =>
  createHash('sha256').update(`webhook.feed ${orgId}`).digest('hex').slice(0, 16);

/** Cursors of former versions have no mark. */
const placeOf = (orgId: number, cursor: string): Place => {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, sequence, day = '', mark] =
    /^(\d{1,15})\.([12]\d{3}-\d{2}-\d{2})(?:\.([0-9a-f]{16}))?$/.exec(text) ?? [];
  const isDay = new Date(day).toJSON()?.startsWith(day) ?? false;
  const isOwn = mark === undefined || mark === markOf(orgId);
  return sequence !== undefined && isDay && isOwn ? { sequence: Number(sequence), day } : fail('CB-00-0406');
};
