import type { ErrorCode } from '@simcube/contract';
import { z } from 'zod';
import type { Sql } from '../../../platform/db/index.ts';
import type { TaskOrder, WaitingItem } from '../../task/index.ts';
import { findInLaterCycle } from './later-cycles.views.ts';
import { lockSims } from './selection.views.ts';
import type { OperationRule, SimFacts } from './sim-operation.rules.ts';

/** SIMs per transaction. */
export const simsPerChunk = 1000;

/** Parameter of operations whose effect ends with a SIM's cycle, or that end its order. */
export const cycleParameter = {
  /** They are meant for the cycle that ran at this instant, and refused in a later one. Omitted: for any cycle. */
  cycle_at: z.coerce.date().optional(),
};

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
    now: Date;
    /** The `cycle_at` of its parameters. */
    cycleAt?: Date | undefined;
    extraFacts?: (tx: Sql, simIds: readonly number[]) => Promise<ReadonlyMap<number, M>>;
  },
): Promise<AllowedSims> => {
  const { items, order, parameters, cycleAt, now } = work;
  const simIds = items.map(({ ref }) => ref);
  const sims = await lockSims(tx, { orgId: order.orgId, simIds });
  const extraFacts = await work.extraFacts?.(tx, simIds);
  const late = cycleAt ? await findInLaterCycle(tx, { simIds, cycleAt, now }) : new Set<number>();
  const allowed: AllowedSims['allowed'] = new Map();
  const refusals: AllowedSims['refusals'] = new Map();
  for (const { ref: simId, position, input } of items) {
    const sim = sims.get(simId);
    const code = sim ? rule.refuse(sim, { parameters, extraFacts: extraFacts?.get(simId) }) : 'CB-01-0012';
    if (code) refusals.set(position, code);
    else if (late.has(simId)) refusals.set(position, 'CB-05-0019');
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
