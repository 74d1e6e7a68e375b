export { simsPerFact, usageRecorded, usageReopened, usageThresholdCrossed } from './usage.events.ts';
export { dropOldPartitions, keepPartitions, monthsKept, oldestKept } from './usage.partitions.ts';
export {
  addCycleUsage,
  addOrgUsage,
  addSimUsage,
  type CycleUsage,
  type UsageOfHour,
} from './usage.rollups.ts';
export {
  countVolume,
  cycleOf,
  dataState,
  judgeUsage,
  type OveragePolicy,
  type Volume,
} from './usage.rules.ts';
export { createUsageViews, type UsageQuestion, type UsageViews } from './usage.views.ts';
