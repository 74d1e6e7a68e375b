import type { ErrorCode } from '@simcube/contract';
import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { lockAdmin } from '../../org/index.ts';
import { defineOperation, type Operation, type Refusals, type WaitingItem } from '../../task/index.ts';
import { recordSimEvents, simEvent } from '../events/sim-events.queries.ts';
import { simItems } from '../ordering/sim-items.ts';
import { transferRule } from '../ordering/sim-operation.rules.ts';
import { eventCauseOf, lockAllowedSims, simsPerChunk } from '../ordering/work.service.ts';
import { simTransferred, splitIntoFacts } from '../sim.events.ts';
import { type LastSeen, lockLive, lockTarget, moveSims } from './transfer.queries.ts';

/**
 * Called by a transfer, in its transaction and after the SIMs themselves: each higher module moves what belongs
 * to the SIMs, and separates what stays with the former organisation.
 */
export type OnTransfer = (
  tx: Sql,
  moved: { simIds: readonly number[]; orgId: number; at: Date },
) => Promise<void>;

const transferParametersSchema = z.object({
  fromCode: z.string(),
  targetId: z.number(),
  targetCode: z.string(),
  /** Whether the person who ordered it must still be an admin of the target; absent from tasks of earlier versions. */
  requiresAdmin: z.boolean().optional(),
});
export type TransferParameters = z.output<typeof transferParametersSchema>;

/** Which SIMs use a shared pool, as higher modules know; by id. */
export type FindPoolSims = (tx: Sql, simIds: readonly number[]) => Promise<ReadonlyMap<number, boolean>>;

/** What the new organisation last saw of the SIMs, as higher modules know. */
export type FindLastSeen = (
  tx: Sql,
  of: { simIds: readonly number[]; orgId: number },
) => Promise<readonly LastSeen[]>;

export interface TransferOperationOptions {
  /** Handlers that move what belongs to SIMs when these change their organisation. */
  onTransfer: readonly OnTransfer[];
  findPoolSims: FindPoolSims;
  findLastSeen: FindLastSeen;
}

const refuseAll = (items: readonly WaitingItem[], code: ErrorCode): Refusals =>
  new Map(items.map(({ position }) => [position, code]));

export const transferOperation = ({
  onTransfer,
  findPoolSims,
  findLastSeen,
}: TransferOperationOptions): Operation =>
  defineOperation({
    type: transferRule.type,
    items: simItems,
    parameters: transferParametersSchema,
    chunk: simsPerChunk,
    apply: async (tx, work) => {
      const { order, now, items, parameters } = work;
      // The target may have been deleted since the order: every SIM stays, with that reason.
      if (!(await lockTarget(tx, parameters.targetId))) return refuseAll(items, 'CB-07-0029');
      const account = { orgId: parameters.targetId, userId: order.userId };
      if (parameters.requiresAdmin && !(await lockAdmin(tx, account))) return refuseAll(items, 'CB-01-0018');
      const { allowed, refusals } = await lockAllowedSims(tx, transferRule, {
        ...work,
        extraFacts: findPoolSims,
      });
      const sims = [...allowed.values()].map(({ sim }) => ({ simId: sim.id, iccid: sim.iccid }));
      const simIds = sims.map(({ simId }) => simId);
      await lockLive(tx, simIds);
      const from = { id: order.orgId, code: parameters.fromCode };
      const to = { id: parameters.targetId, code: parameters.targetCode };
      const lastSeen = await findLastSeen(tx, { simIds, orgId: to.id });
      await moveSims(tx, { simIds, from: from.id, to: to.id, at: now }, lastSeen);
      const event = { at: now, ...simEvent('transferred', { from: from.code, to: to.code }) };
      const events = simIds.flatMap((simId) => [from, to].map(({ id }) => ({ simId, orgId: id, ...event })));
      await recordSimEvents(tx, events, eventCauseOf(order));
      for (const move of onTransfer) await move(tx, { simIds, orgId: to.id, at: now });
      const facts = splitIntoFacts(sims).flatMap((batch) =>
        (
          [
            { side: 'from', orgId: from.id },
            { side: 'to', orgId: to.id },
          ] as const
        ).map(({ side, orgId }) => ({
          orgId,
          payload: {
            sims: batch,
            side,
            from: from.code,
            to: to.code,
            actor: order.actor,
            at: now.toISOString(),
          },
        })),
      );
      await emitMany(tx, simTransferred, facts);
      return refusals;
    },
  });
