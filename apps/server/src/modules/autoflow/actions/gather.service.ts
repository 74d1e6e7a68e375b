import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { queueOrders } from '../engine/perform-action.job.ts';
import { listGathered } from './gather.queries.ts';

/** Queues the notifications of rules that gather firings, once they have waited long enough. */
export const sendGathered = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): Promise<void> =>
  inTransaction(pool, async (tx) => queueOrders(tx, await listGathered(tx, clock.now())));
