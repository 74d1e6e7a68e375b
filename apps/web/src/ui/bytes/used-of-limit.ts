import { inUnit, unitOf } from '../../lib/format/index.ts';

/** Below this amount in the limit's unit, mostly zeros would be shown: "28.4 MB" says more than "0.03 GB". */
const tellingAmount = 0.1;

/** The unit for usage next to its limit: the limit's own where that is readable, so that the two are easy to compare. */
export const unitBesideLimit = (used: number, limit: number) => {
  const unit = unitOf(limit);
  return used === 0 || inUnit(used, unit) >= tellingAmount ? unit : unitOf(used);
};
