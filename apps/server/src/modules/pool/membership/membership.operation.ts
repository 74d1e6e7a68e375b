import { endpoints } from '@simcube/contract';
import { z } from 'zod';
import { lockAllowedSims, type OperationRule, refuseEnded, simItems } from '../../sim/index.ts';
import { defineOperation, type Operation, type TaskOrder } from '../../task/index.ts';
import { lockPool } from '../pool.queries.ts';
import { enrolSims, exitSims } from './membership.service.ts';
import { type EnrolmentFacts, findEnrolmentFacts } from './membership.views.ts';

/** SIMs in one transaction. */
const chunk = 500;

const membershipParameters = z.object({ pool_id: z.number(), bundle_id: z.number() });
export type MembershipParameters = z.output<typeof membershipParameters>;

export const enrolRule: OperationRule<MembershipParameters, EnrolmentFacts> = {
  type: 'pool-enrol',
  access: endpoints.pool.enrol.access,
  refuse: (sim, { extraFacts: facts }) => {
    const ended = refuseEnded(sim);
    if (ended) return ended;
    if (facts && facts.poolId !== null) return 'CB-03-0003';
    return facts?.hasOrder ? undefined : 'CB-03-0005';
  },
};

export const exitRule: OperationRule<MembershipParameters, EnrolmentFacts> = {
  type: 'pool-exit',
  access: endpoints.pool.exit.access,
  refuse: (_, { parameters, extraFacts: facts }) =>
    facts?.poolId === parameters.pool_id ? undefined : 'CB-03-0006',
};

const poolCauseOf = ({ actor, reference }: TaskOrder) => ({ actor, task: reference });

const membershipOperation = (
  rule: typeof enrolRule,
  apply: (
    tx: Parameters<Operation['apply']>[0],
    work: { poolId: number; simIds: number[]; now: Date; by: ReturnType<typeof poolCauseOf> },
  ) => Promise<void>,
): Operation =>
  defineOperation({
    type: rule.type,
    items: simItems,
    parameters: membershipParameters,
    chunk,
    apply: async (tx, work) => {
      const { parameters, now, order, items } = work;
      const { allowed, refusals } = await lockAllowedSims(tx, rule, {
        ...work,
        extraFacts: findEnrolmentFacts(parameters.bundle_id),
      });
      const pool = await lockPool(tx, parameters.pool_id);
      // The pool was made automatic since this was accepted.
      if (pool?.optIn !== 'manual')
        return new Map(items.map(({ position }) => [position, 'CB-03-0004' as const]));
      const simIds = [...allowed.values()].map(({ sim }) => sim.id);
      await apply(tx, { poolId: pool.id, simIds, now, by: poolCauseOf(order) });
      return refusals;
    },
  });

export const membershipOperations: Operation[] = [
  membershipOperation(enrolRule, (tx, { simIds, now, ...rest }) =>
    enrolSims(tx, { ...rest, now, sims: simIds.map((simId) => ({ simId, enrolledAt: now })) }),
  ),
  membershipOperation(exitRule, (tx, { simIds, now, by }) =>
    exitSims(tx, { simIds, reason: 'ordered', now, by }),
  ),
];
