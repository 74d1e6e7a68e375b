import type { WebhookFeed } from '@simcube/contract/webhook';
import type pg from 'pg';
import { inSnapshot } from '../../../platform/db/index.ts';
import { type FeedQuestion, listFeed } from './feed.views.ts';

/**
 * The organisation's events behind a cursor, of one snapshot: one that was recorded between two looks would stand before the next
 * cursor, and be in no answer. @throws Failure CB-00-0406
 */
export const readFeed = (pool: pg.Pool, question: FeedQuestion): Promise<WebhookFeed> =>
  inSnapshot(pool, (sql) => listFeed(sql, question));
