import { type SqlBool, sql } from 'kysely';
import type { Fragment } from '../../../platform/lists/index.ts';

/** What is asked of the messages that a search finds in one way. */
export interface AskedMessages {
  orgId: number;
  /** Further conditions on messages. */
  within: readonly Fragment<SqlBool>[];
  /** Messages are counted so far. */
  most: number;
  /** So many are on the page, with those that it skips. */
  rows: number;
  /** The page has those from before this instant, and of it. */
  before: string | undefined;
}

export interface FoundMessages {
  /** More than `most`, when there are more. */
  total: number;
  /** There may be more, though no more were counted. */
  isAtLeast?: boolean;
  /** Instants that have all messages of the page; undefined when it takes longer to find them than to walk there. */
  times: readonly Date[] | undefined;
}

/** Of a query `page` with messages from before the instant: theirs, and the instant itself. */
export const instants = (before: string | undefined): Fragment => {
  const itself = before === undefined ? sql`` : sql`union select ${before}::timestamptz`;
  return sql`array(select distinct at from page ${itself})`;
};
