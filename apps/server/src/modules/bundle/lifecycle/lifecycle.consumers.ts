import type { Clock } from '../../../platform/clock/index.ts';
import { type Consumer, defineConsumer } from '../../../platform/outbox/index.ts';
import { simLifecycleChanged } from '../../sim/index.ts';
import { endSupplementary, startSupplementary } from '../orders/supplementary.service.ts';
import { endTerminated } from './lifecycle.service.ts';

/**
 * Supplementary orders run only on an active SIM: they end when it is suspended, and pending ones start when it
 * is active again. This follows each fact, not the SIM's current state: a SIM that was suspended and resumed
 * has lost them. A termination ends all orders.
 */
export const lifecycleConsumers = ({ clock }: { clock: Clock }): Consumer[] => [
  defineConsumer({
    name: 'bundle.follow-lifecycle',
    from: 'beginning',
    events: [simLifecycleChanged],
    handle: async (tx, { payload: { sims, to, actor } }) => {
      const instants = new Map(sims.map(({ simId, at }) => [simId, new Date(at)]));
      if (to === 'terminated') {
        await endTerminated(tx, { at: instants, now: clock.now(), cause: { reason: to, actor } });
        return;
      }
      const change = { simIds: [...instants.keys()], now: clock.now(), cause: { reason: to } };
      if (to === 'active') {
        await startSupplementary(tx, change);
        return;
      }
      await endSupplementary(tx, {
        ...change,
        endOf: ({ simId, activatedAt }) => {
          const changedAt = instants.get(simId);
          return changedAt && activatedAt && activatedAt <= changedAt ? changedAt : null;
        },
      });
    },
  }),
];
