import { inUnit, unitOf } from '../../lib/format/index.ts';

/** Below this amount in the limit's unit, mostly zeros would be shown: "28.4 MB" says more than "0.03 GB". */
const readableAmount = 0.1;

/** The unit for usage next to its limit: the limit's own where that is readable, so that the two are easy to compare. */
export const unitNextToLimit = (used: number, limit: number) => {
  const unit = unitOf(limit);
  return used === 0 || inUnit(used, unit) >= readableAmount ? unit : unitOf(used);
};
