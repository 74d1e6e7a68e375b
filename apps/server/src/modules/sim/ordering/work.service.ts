import type { ErrorCode } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import type { TaskOrder, WaitingItem } from '../../task/index.ts';
import { lockSims } from './selection.views.ts';
import type { OperationRule, SimFacts } from './sim-operation.rules.ts';

/** SIMs per transaction. */
export const simsPerChunk = 1000;

export interface LockedWork {
  /** The SIMs to change, by the position of their item. */
  allowed: Map<number, { sim: SimFacts; input: unknown }>;
  refusals: Map<number, ErrorCode>;
}

/** Locks the SIMs of a chunk and applies the rule again: their state may have changed since they were accepted. */
export const lockWork = async <P, M = never>(
  tx: Sql,
  rule: Pick<OperationRule<P, M>, 'refuse'>,
  work: {
    items: readonly WaitingItem[];
    order: Pick<TaskOrder, 'orgId'>;
    parameters: P;
    more?: (tx: Sql, simIds: readonly number[]) => Promise<ReadonlyMap<number, M>>;
  },
): Promise<LockedWork> => {
  const { items, order, parameters } = work;
  const simIds = items.map(({ ref }) => ref);
  const sims = await lockSims(tx, { orgId: order.orgId, simIds });
  const more = await work.more?.(tx, simIds);
  const allowed: LockedWork['allowed'] = new Map();
  const refusals: LockedWork['refusals'] = new Map();
  for (const { ref: simId, position, input } of items) {
    const sim = sims.get(simId);
    const code = sim ? rule.refuse(sim, { parameters, more: more?.get(simId) }) : 'CB-01-0012';
    if (code) refusals.set(position, code);
    else if (sim) allowed.set(position, { sim, input });
  }
  return { allowed, refusals };
};

/** The actor and the task, as recorded in the SIMs' events. */
export const orderedBy = ({ actor, reference, traceId }: TaskOrder) => ({
  actor,
  taskId: reference,
  traceId,
});
