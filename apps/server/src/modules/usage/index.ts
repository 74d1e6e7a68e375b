export {
  type CdrSource,
  type ImportReport,
  importCdrs,
} from './cdr-file/import.service.ts';
export { type CellsContext, cellCommands } from './cells/cells.cli.ts';
export { importCells } from './cells/cells.service.ts';
export { cycleUsage, findClosedCycles } from './cycles.queries.ts';
export { noteHandover } from './handover.queries.ts';
export { syncNetworks } from './networks.queries.ts';
export { type CdrsContext, cdrCommands, fileSource } from './usage.cli.ts';
export { usageConsumers } from './usage.consumers.ts';
export { simsPerFact, usageRecorded, usageReopened, usageThresholdCrossed } from './usage.events.ts';
export { usageJobs } from './usage.jobs.ts';
export {
  basicLimit,
  type CycleSpan,
  type CycleUsage,
  countVolume,
  cycleOf,
  cycleOfLate,
  type UsageOfHour,
  type Volume,
} from './usage.rules.ts';
export { createUsageViews, type UsageQuestion, type UsageViews } from './usage.views.ts';
export { refreshDailyFigures, refreshRanks } from './usage-figures.queries.ts';
export { hash53, hashNumbers53 } from './usage-hash.rules.ts';
export { keepPartitions, monthsKept, oldestKept } from './usage-partitions.queries.ts';
export {
  orgUsage,
  type Statement,
  simUsage,
} from './usage-rollups.queries.ts';
export { UsageSums } from './usage-sums.ts';
export { usageCommands, type VerifyContext } from './verify/verify.cli.ts';
export { verifyUsage } from './verify/verify.service.ts';
