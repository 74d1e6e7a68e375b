import { limits } from '@simcube/contract';
import type { WebhookDelivery, WebhookLogFilter } from '@simcube/contract/webhook';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Db, inTransaction, type Sql, typedWithin } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { countRows, readAll } from '../../../platform/lists/index.ts';
import { resendDeliveries } from '../../notify/index.ts';
import { lockOwnWebhook, recordChange, type WebhookCaller } from '../settings/webhooks.service.ts';
import { findWebhook } from '../settings/webhooks.views.ts';
import { withheldTypes } from '../webhook.rules.ts';
import { findDelivery, type LogScope, logList } from './log.views.ts';

interface LogQuery {
  scope: LogScope;
  now: Date;
}

/** Sends deliveries again, under the same event ids. */
export const createResender = ({ pool, db, clock }: { pool: pg.Pool; db: Db; clock: Clock }) => {
  /**
   * @returns also the query without the types that the account may no longer see: its permissions are locked only now
   * @throws Failure CB-08-0030 before a URL was set, CB-08-0031 while it is off, CB-08-0032 while it is paused
   */
  const requireSendable = async (
    tx: Sql,
    caller: WebhookCaller,
    query: LogQuery,
  ): Promise<{ targetId: number; visible: LogQuery }> => {
    const { id: targetId, pausedFor, permissions } = await lockOwnWebhook(tx, caller);
    const webhook = await findWebhook(tx, caller, clock.now());
    if (!webhook?.enabled_at) fail('CB-08-0031');
    if (pausedFor !== null) fail('CB-08-0032');
    const withheld = new Set(withheldTypes(permissions));
    const types = query.scope.types.filter((type) => !withheld.has(type));
    return { targetId, visible: { ...query, scope: { ...query.scope, types } } };
  };

  return {
    /**
     * A waiting delivery is attempted immediately; one under way is left alone.
     * @throws Failure CB-09-0030
     */
    resendOne: async (caller: WebhookCaller, query: LogQuery, id: number): Promise<WebhookDelivery> => {
      const visible = await inTransaction(pool, async (tx) => {
        const sendable = await requireSendable(tx, caller, query);
        const own = typedWithin(tx);
        const found = (await findDelivery(own, { ...sendable.visible, id })) ?? fail('CB-09-0030');
        await resendDeliveries(tx, { targetId: sendable.targetId, ids: [id], at: query.now });
        await recordChange(tx, caller, { at: query.now, before: null, after: { event: found.event_id } });
        return sendable.visible;
      });
      return (await findDelivery(db, { ...visible, id })) ?? fail('CB-09-0030');
    },

    /**
     * Deliveries without further attempts.
     * @throws Failure CB-08-0033 for more than may be sent again in one call
     */
    resendMatching: (
      caller: WebhookCaller,
      query: LogQuery,
      { state = ['delivered', 'failed'], ...filter }: WebhookLogFilter,
    ): Promise<{ count: number }> =>
      inTransaction(pool, async (tx) => {
        const { targetId, visible } = await requireSendable(tx, caller, query);
        const ended = state.filter((one) => one !== 'waiting');
        if (ended.length === 0) return { count: 0 };
        const matchQuery = { ...visible, filter: { ...filter, state: ended } };
        const max = limits.webhooks.resend;
        // On the connection that has the lock: others may have all the rest, waiting for it.
        const own = typedWithin(tx);
        const matching = await countRows(own, logList, { ...matchQuery, most: max + 1 });
        if (matching > max) fail('CB-08-0033', { values: { count: matching, max } });
        const ids: number[] = [];
        for await (const batch of readAll(own, logList, { ...matchQuery, atOnce: 1000 }))
          ids.push(...batch.map(({ id }) => Number(id)));
        const count = await resendDeliveries(tx, { targetId, ids, at: query.now });
        await recordChange(tx, caller, {
          at: query.now,
          before: null,
          after: { ...matchQuery.filter, count },
        });
        return { count };
      }),
  };
};
