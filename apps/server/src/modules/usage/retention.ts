import { limits } from '@simcube/contract';
import type { PartitionedTable } from '../../platform/db/index.ts';

/** Months for which records are retained, by table. Sessions are retained as long as CDRs, because they know what was counted. */
export const retentionMonths: Record<PartitionedTable, number> = {
  cdrs: 13,
  usage_hourly: limits.hourlyUsageMonths,
  usage_daily: 37,
  sim_events: 25,
  sms_messages: 13,
  sms_contents: 13,
};

/** Start of the oldest month that a table retains. */
export const retainedSince = (table: PartitionedTable, now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retentionMonths[table], 1));
