import { createHash } from 'node:crypto';
import {
  type WebhookEventType,
  type WebhookFeed,
  type WebhookFeedStart,
  webhookEventSchema,
} from '@simcube/contract/webhook';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';

export interface FeedQuery {
  orgId: number;
  accountId: string;
  types: readonly WebhookEventType[];
  cursor: string | undefined;
  /** Where a reader without a cursor begins: at the oldest stored event, or after the newest. */
  start: WebhookFeedStart;
  limit: number;
  now: Date;
}

/** A reader's position: after the event with this number, which was recorded on this day (UTC). */
interface FeedPosition {
  sequence: number;
  day: string;
}

/** Before all events, whenever they were recorded. */
const beginning: FeedPosition = { sequence: 0, day: '1970-01-02' };

/** Events are recorded in the order of their numbers, but the clocks of two processes may differ by minutes. */
const clockSkewDays = 1;
/** Maximum number of events that one call scans, whatever types it asks for. */
const scanLimit = 5000;

type Row = FeedPosition & { body: string };

const afterCursor = `org_id = $1 and sequence > $2
  and recorded_at >= ($3::date - ${clockSkewDays})::timestamp at time zone 'UTC'`;
const positionColumns = `sequence, to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD') as day`;

/**
 * The organisation's events after the cursor, by the index of their numbers and from the day of the cursor on.
 * It needs a snapshot, because it reads several times.
 * @throws Failure CB-00-0406 for a cursor that does not belong to the organisation, or is ahead of its newest
 * event; CB-08-0035 for one whose next events were deleted
 */
export const listFeed = async (sql: Sql, query: FeedQuery): Promise<WebhookFeed> => {
  const { orgId, accountId, types, limit, cursor, start, now } = query;
  const end = async (): Promise<FeedPosition> => ({
    sequence: await findLastSequence(sql, orgId),
    day: dayOf(now),
  });
  if (cursor === undefined && start === 'now')
    return { events: [], next_cursor: formatCursor(orgId, await end()), has_more: false };
  const from = cursor === undefined ? beginning : parseCursor(orgId, cursor);
  const where = [orgId, from.sequence, from.day] as const;
  const { rows } = await sql.query<Row>({
    name: 'webhook-feed',
    text: `select ${positionColumns}, body from (
             select * from webhook_events where ${afterCursor} order by sequence limit ${scanLimit}) as looked
           where type = any($4::text[]) and (account_id is null or account_id = $5) order by sequence limit $6`,
    values: [...where, types, accountId, limit + 1],
  });
  if (from.day !== beginning.day && rows[0]?.sequence !== from.sequence + 1)
    await requireNextEvent(sql, from, where);
  const shown = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const lastScanned = hasMore ? undefined : await findLastScanned(sql, where);
  return {
    events: shown.map(({ body }) => webhookEventSchema.parse(JSON.parse(body))),
    next_cursor: formatCursor(orgId, (hasMore ? shown.at(-1) : lastScanned) ?? (await end())),
    has_more: hasMore || lastScanned?.count === scanLimit,
  };
};

/** The last scanned event, and how many were scanned. */
const findLastScanned = async (
  sql: Sql,
  values: readonly unknown[],
): Promise<(FeedPosition & { count: number }) | undefined> => {
  const { rows } = await sql.query<FeedPosition & { count: number }>({
    name: 'webhook-feed-end',
    text: `select ${positionColumns}, count(*) over () as count from (
             select sequence, recorded_at from webhook_events where ${afterCursor} order by sequence limit ${scanLimit}) as looked
           order by sequence desc limit 1`,
    values: [...values],
  });
  return rows[0];
};

/**
 * Numbers have no gaps, so events were deleted if the next one is missing. A database restored from an older backup
 * assigns numbers again: after a cursor from a later time, new events would be skipped silently.
 */
const requireNextEvent = async (
  sql: Sql,
  from: FeedPosition,
  values: readonly [orgId: number, ...unknown[]],
): Promise<void> => {
  const last = await findLastSequence(sql, values[0]);
  if (last < from.sequence) fail('CB-00-0406');
  if (last === from.sequence) return;
  const { rows } = await sql.query<{ sequence: number }>({
    name: 'webhook-feed-next',
    text: `select sequence from webhook_events where ${afterCursor} order by sequence limit 1`,
    values: [...values],
  });
  if (rows[0]?.sequence !== from.sequence + 1) fail('CB-08-0035');
};

/** Number of the organisation's newest event, whether it is still stored or not; 0 if there was none. */
const findLastSequence = async (sql: Sql, orgId: number): Promise<number> => {
  const { rows } = await sql.query<{ last: number }>({
    name: 'webhook-feed-last',
    text: 'select last from webhook_sequences where org_id = $1',
    values: [orgId],
  });
  return rows[0]?.last ?? 0;
};

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const formatCursor = (orgId: number, { sequence, day }: FeedPosition): string =>
  Buffer.from(`${sequence}.${day}.${organisationMark(orgId)}`).toString('base64url');

/** Numbers are per organisation: with another organisation's cursor, events would be skipped. */
const organisationMark = (orgId: number): string =>
  createHash('sha256').update(`webhook.feed ${orgId}`).digest('hex').slice(0, 16);

/** Cursors of former versions have no mark. */
const parseCursor = (orgId: number, cursor: string): FeedPosition => {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, sequence, day = '', mark] =
    /^(\d{1,15})\.([12]\d{3}-\d{2}-\d{2})(?:\.([0-9a-f]{16}))?$/.exec(text) ?? [];
  const isDay = new Date(day).toJSON()?.startsWith(day) ?? false;
  const isOwn = mark === undefined || mark === organisationMark(orgId);
  return sequence !== undefined && isDay && isOwn ? { sequence: Number(sequence), day } : fail('CB-00-0406');
};
