import type { Command } from 'commander';
import type { Db } from '../../platform/db/index.ts';
import { type CdrsContext, cdrCommands } from './usage.cli.ts';
import { usageConsumers } from './usage.consumers.ts';
import { type UsageJobsOptions, usageJobs } from './usage.jobs.ts';
import { createUsageViews } from './usage.views.ts';
import { type VerifyContext, verifyCommands } from './verify/verify.cli.ts';

export { apnOf } from './cdr-file/cdr-line.rules.ts';
export {
  type CdrSource,
  type ImportReport,
  importCdrs,
} from './cdr-file/import.service.ts';
export type { SessionCounts, SessionRecord } from './cdr-file/records.ts';
export {
  addCdrs,
  type CdrRow,
  cdrKey,
  findStoredKeys,
  skippingDuplicates,
} from './cdrs.queries.ts';
export { networkUsage, recordedNetworkUsage } from './cycle-networks.views.ts';
export { turnCyclesOf, turnDueCycles } from './cycle-turns.service.ts';
export { subtractLateUsage } from './handover.queries.ts';
export { recordUsageHandover } from './handover.service.ts';
export {
  addUnwritten,
  clearStaleWrittenMarks,
  clearWrittenMark,
  countUnwritten,
  findNewestImported,
  holdCounting,
  isUnwritten,
  listUnwritten,
  markWritten,
  type NodePart,
  removeUnwritten,
  type StoredUnwritten,
  type Unwritten,
  unwrittenPageSize,
  writtenHistories,
} from './histories/histories.queries.ts';
export { countOnlineHours } from './online-hours.views.ts';
export { retainedSince, retentionMonths } from './retention.ts';
export { fileSource } from './usage.cli.ts';
export {
  hoursPerFact,
  simsPerFact,
  usageRecorded,
  usageReopened,
  usageThresholdCrossed,
  usageWatchReached,
} from './usage.events.ts';
export {
  basicLimit,
  type CycleUsage,
  countVolume,
  cycleOf,
  elapsedSpans,
  findLateUsageCycle,
  runningSince,
  spanOf,
  type UsageOfHour,
  type Volume,
} from './usage.rules.ts';
export type { UsageQuery, UsageViews } from './usage.views.ts';
export {
  type DailyFigures,
  insertPastFigures,
  refreshDailyFigures,
} from './usage-figures.queries.ts';
export { refreshRanks } from './usage-figures.service.ts';
export { reportKey, sessionKeyOf } from './usage-hash.rules.ts';
export { oldestRetainedMonth } from './usage-partitions.queries.ts';
export { createUpcomingPartitions } from './usage-partitions.service.ts';
export { addOrgUsage, addSimUsage } from './usage-rollups.queries.ts';
export { UsageSums } from './usage-sums.ts';
export type { UsageDifference } from './verify/verify.queries.ts';
export { type PooledCycle, type PooledUsage, verifyUsage } from './verify/verify.service.ts';
export { type CycleAt, readCyclesAt } from './watches/cycles-at.views.ts';
export { findSpeed, type UsageSpeed } from './watches/fast-usage.views.ts';
export {
  listFirstUses,
  listPastCycles,
  listPastDays,
  listPastRecords,
  type PastCycle,
  type PastDays,
  type SimSpan,
  sumPastRecords,
} from './watches/past-usage.views.ts';
export {
  findUnused,
  listClosedCounts,
  listUsedSince,
  listWatchedSims,
  lookUpUsage,
  type UsageLookup,
  type UsageLookupResult,
  type WatchedSim,
} from './watches/watched-usage.views.ts';
export {
  changeWatch,
  findWatch,
  listWatches,
  type SimWatch,
  setSimWatches,
  type Watches,
  watchAnyUsage,
  watchesChannel,
} from './watches/watches.queries.ts';

export const usageModule = (options: UsageJobsOptions & { db: Db }) => ({
  jobs: usageJobs(options),
  consumers: usageConsumers(options),
  views: createUsageViews(options),
});

type UsageContext = CdrsContext & VerifyContext;

export const usageCommands = (program: Command, open: () => Promise<UsageContext>): void => {
  cdrCommands(program, open);
  verifyCommands(program, open);
};
