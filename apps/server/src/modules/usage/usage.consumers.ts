import type { Clock } from '../../platform/clock/index.ts';
import { type Consumer, defineConsumer } from '../../platform/outbox/index.ts';
import { endTestQuotas, endUsedUp } from '../bundle/index.ts';
import { usageThresholdCrossed } from './usage.events.ts';

/** Applies a used-up quota to orders: a test plan's makes the SIM active, a supplementary order's ends that order. */
export const usageConsumers = ({ clock }: { clock: Clock }): Consumer[] => [
  defineConsumer({
    name: 'usage.end-quotas',
    from: 'beginning',
    events: [usageThresholdCrossed],
    handle: async (tx, { payload: { simId, overLimit } }) => {
      if (!overLimit) return;
      const change = { simIds: [simId], now: clock.now() };
      await endTestQuotas(tx, change);
      await endUsedUp(tx, change);
    },
  }),
];
