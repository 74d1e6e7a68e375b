export { CdrFileRefused } from './cdr-file/columns.ts';
export {
  type CdrSource,
  generatedSource,
  type ImportReport,
  importCdrs,
} from './cdr-file/import.service.ts';
export { type CdrsContext, cdrCommands, fileSource } from './usage.cli.ts';
export { simsPerFact, usageRecorded, usageReopened, usageThresholdCrossed } from './usage.events.ts';
export { refreshDailyFigures, refreshRanks } from './usage.figures.ts';
export { usageJobs } from './usage.jobs.ts';
export { syncNetworks } from './usage.networks.ts';
export { dropOldPartitions, keepPartitions, monthsKept, oldestKept } from './usage.partitions.ts';
export {
  type CycleUsage,
  cycleUsage,
  orgUsage,
  type Statement,
  simUsage,
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
export { hash53, hashNumbers53 } from './usage-hash.rules.ts';
