import type { Trigger } from '@simcube/contract/autoflow';
import type { PastCycle } from '../../usage/index.ts';
import type { ReplayedFiring } from './replay-results.rules.ts';

/** A cycle in which a rule would have fired, and whose usage exceeded its limit. */
export interface OverLimitCycle {
  cycle: PastCycle;
  firing: ReplayedFiring;
}

/** Usage beyond the quota is charged by cycle, so for rules on other periods it can't be said what they avoid. */
export const avoidsOverage = (trigger: Trigger): boolean =>
  trigger.kind === 'data-usage' && trigger.period === 'cycle';

export const isBeyondLimit = ({ used, limit }: PastCycle): boolean => limit !== null && used > limit;
