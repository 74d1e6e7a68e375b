import { endpoints, limits } from '@simcube/contract';
import type { SimRefusal } from '@simcube/contract/sim';
import { type OperationRule, refuseEnded } from '../../sim/index.ts';

/** What this module knows about a SIM to be activated. */
export interface ActivationFacts {
  /** The pending basic bundle that would start. */
  pendingPlan: { code: string; name: string } | null;
  /** Whether it is pending in another activation. */
  isActivating: boolean;
}

const technologyRefusals = new Map<string, SimRefusal>([
  ['OTA', 'CB-01-0006'],
  ['OTA BIP', 'CB-01-0006'],
  ['multi IMSI', 'CB-01-0008'],
]);

/**
 * Only pre-activated SIMs with a pending bundle, not OTA or multi-IMSI, up to 1,000 in one order
 * (specification, sections 4, 5, 8).
 */
export const activateRule: OperationRule<unknown, ActivationFacts> = {
  type: 'sim-activate',
  access: endpoints.bundle.activate.access,
  maxSims: limits.activation,
  refuse: (sim, { extraFacts }) => {
    const ended = refuseEnded(sim);
    if (ended) return ended;
    if (sim.lifecycle !== 'pre-activated') return 'CB-01-0003';
    if (extraFacts?.isActivating) return 'CB-01-0004';
    const refusal = technologyRefusals.get(sim.technology ?? '');
    if (refusal) return refusal;
    return extraFacts?.pendingPlan ? undefined : 'CB-01-0007';
  },
};

/** Bundles that would start, the most frequent first. */
export const plansToStart = (
  allowed: readonly { extraFacts: ActivationFacts | undefined }[],
): { bundle: { code: string; name: string }; orders: number }[] => {
  const plans = new Map<string, { bundle: { code: string; name: string }; orders: number }>();
  for (const { extraFacts } of allowed) {
    if (!extraFacts?.pendingPlan) continue;
    const { code, name } = extraFacts.pendingPlan;
    const plan = plans.get(code) ?? { bundle: { code, name }, orders: 0 };
    plans.set(code, { ...plan, orders: plan.orders + 1 });
  }
  return [...plans.values()].toSorted((a, b) => b.orders - a.orders);
};
