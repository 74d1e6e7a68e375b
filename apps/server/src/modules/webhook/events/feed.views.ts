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

/** Where a reader is: behind the event of this number, which was recorded on this day (UTC). */
interface Place {
  sequence: number;
  day: string;
}

const start: Place = { sequence: 0, day: '1970-01-02' };

/** Events are recorded in the order of their numbers, but clocks of two processes may differ by minutes. */
const daysBack = 1;
/** Events that one question looks at, whatever types it asks for. */
const lookedAt = 5000;

type Row = Place & { body: string };

const behind = `org_id = $1 and sequence > $2
  and recorded_at >= ($3::date - ${daysBack})::timestamp at time zone 'UTC'`;
const place = `sequence, to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD') as day`;

/**
 * The organisation's events behind the cursor, by the index of their numbers and from the day of the cursor on.
 * @throws Failure CB-00-0406 for a cursor that is none
 */
export const readFeed = async (sql: Sql, question: FeedQuestion): Promise<WebhookFeed> => {
  const { orgId, accountId, types, limit, cursor } = question;
  const from = cursor === undefined ? start : placeOf(cursor);
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
  return {
    events: shown.map(({ body }) => webhookEventSchema.parse(JSON.parse(body))),
    next_cursor: cursorOf((hasMore ? shown.at(-1) : looked) ?? from),
    has_more: hasMore || looked?.count === lookedAt,
  };
};

/** The end of what was looked at, and how many events that were. */
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

const cursorOf = ({ sequence, day }: Place): string =>
  Buffer.from(`${sequence}.${day}`).toString('base64url');

const placeOf = (cursor: string): Place => {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, sequence, day = ''] = /^(\d{1,15})\.([12]\d{3}-\d{2}-\d{2})$/.exec(text) ?? [];
  const isDay = new Date(day).toJSON()?.startsWith(day) ?? false;
  return sequence !== undefined && isDay ? { sequence: Number(sequence), day } : fail('CB-00-0406');
};
