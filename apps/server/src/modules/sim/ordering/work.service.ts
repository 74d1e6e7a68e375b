import type { ErrorCode } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import type { TaskOrder, WaitingItem } from '../../task/index.ts';
import { lockSims } from './selection.views.ts';
import type { OperationRule, SimFacts } from './sim-operation.rules.ts';

/** SIMs per transaction. */
export const simsPerChunk = 1000;

export interface AllowedSims {
  /** The SIMs to change, by the position of their item. */
  allowed: Map<number, { sim: SimFacts; input: unknown }>;
  refusals: Map<number, ErrorCode>;
}

/** Locks the SIMs of a chunk and applies the rule again: their state may have changed since they were accepted. */
export const lockAllowedSims = async <P, M = never>(
  tx: Sql,
  rule: Pick<OperationRule<P, M>, 'refuse'>,
  work: {
    items: readonly WaitingItem[];
    order: Pick<TaskOrder, 'orgId'>;
    parameters: P;
    extraFacts?: (tx: Sql, simIds: readonly number[]) => Promise<ReadonlyMap<number, M>>;
  },
): Promise<AllowedSims> => {
  const { items, order, parameters } = work;
  const simIds = items.map(({ ref }) => ref);
  const sims = await lockSims(tx, { orgId: order.orgId, simIds });
  const extraFacts = await work.extraFacts?.(tx, simIds);
  const allowed: AllowedSims['allowed'] = new Map();
  const refusals: AllowedSims['refusals'] = new Map();
  for (const { ref: simId, position, input } of items) {
    const sim = sims.get(simId);
    const code = sim ? rule.refuse(sim, { parameters, extraFacts: extraFacts?.get(simId) }) : 'CB-01-0012';
    if (code) refusals.set(position, code);
    else if (sim) allowed.set(position, { sim, input });
  }
  return { allowed, refusals };
};

/** The actor and the task, as recorded in the SIMs' events. */
export const eventCauseOf = ({ actor, reference, traceId }: TaskOrder) => ({
  actor,
  taskId: reference,
  traceId,
});
