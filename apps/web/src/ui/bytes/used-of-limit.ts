import { inUnit, unitOf } from '../../lib/format/index.ts';

/** Below this amount in the limit's unit a number is all zeros: "28.4 MB" says more than "0.03 GB". */
const tellingAmount = 0.1;

/** The unit to show usage in beside its limit: the limit's own, so that both compare at a glance, where that is readable. */
export const unitBesideLimit = (used: number, limit: number) => {
  const unit = unitOf(limit);
  return used === 0 || inUnit(used, unit) >= tellingAmount ? unit : unitOf(used);
};
