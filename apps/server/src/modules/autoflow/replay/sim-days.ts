import type { Sql } from '../../../platform/db/index.ts';
import type { ForEachSimUsage } from './day-columns.rules.ts';

/** Usage of an organisation's SIMs on a day (UTC), or in a part of it. */
export interface SimDay {
  /** Start of the day. */
  at: Date;
  each: ForEachSimUsage;
}

/**
 * Days of all SIMs of an organisation, earliest first; consecutive parts of a day add up. A module above computes
 * them and passes this in. Nothing else may use the transaction until the last day has been read.
 */
export type ListSimDays = (tx: Sql, query: { orgId: number; from: Date; to: Date }) => AsyncIterable<SimDay>;
