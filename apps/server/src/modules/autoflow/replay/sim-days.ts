import type { Sql } from '../../../platform/db/index.ts';
import type { EachUse } from './day-columns.rules.ts';

/** What SIMs of an organisation used on a day (UTC), or in a part of it. */
export interface SimDay {
  /** When the day begins. */
  at: Date;
  each: EachUse;
}

/**
 * Days of all SIMs of an organisation, the earliest first; parts of one follow one another and add up. They are computed by a
 * module above, which hands this in. Nothing else may be asked of the transaction until the last day has come.
 */
export type ListSimDays = (
  tx: Sql,
  question: { orgId: number; from: Date; to: Date },
) => AsyncIterable<SimDay>;
