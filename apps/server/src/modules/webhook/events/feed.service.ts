import type { WebhookFeed } from '@simcube/contract/webhook';
import type pg from 'pg';
import { inSnapshot } from '../../../platform/db/index.ts';
import { type FeedQuery, listFeed } from './feed.views.ts';

/**
 * The organisation's events after a cursor, read in one snapshot: an event recorded between two statements
 * could be before the next cursor and in no response.
 * @throws Failure CB-00-0406, CB-08-0035
 */
export const readFeed = (pool: pg.Pool, query: FeedQuery): Promise<WebhookFeed> =>
  inSnapshot(pool, (sql) => listFeed(sql, query));
