import { type SqlBool, sql } from 'kysely';
import type { Fragment } from './sim-scope.views.ts';

/** One condition of a list, in columns whose names are those of `sims` or `sim_live` alone. */
export interface Condition {
  holds: Fragment<SqlBool>;
  /** What follows from it and an index knows, where it does not know the condition itself. */
  lookup?: Fragment<SqlBool>;
  /** The columns it reads: a window over the sort order fetches no others. */
  columns: readonly (keyof typeof columns)[];
  /** Whether they are in `sim_live`. */
  live: boolean;
  /** Set when it reads both tables. */
  both?: true;
  /** Set when it is known to hold for a handful of SIMs only. */
  few?: true;
  /** Set when it reads a column that lists are sorted by and is yet no range of it. */
  scattered?: true;
  /** Set when an index lists the SIMs that it holds for one by one, so that counting them can stop early. */
  listed?: true;
}

/** Columns that conditions may read, as fragments, so that no name is ever pasted into a statement. */
export const columns = {
  lifecycle: sql`lifecycle`,
  tags: sql`tags`,
  bundle_id: sql`bundle_id`,
  expires_key: sql`expires_key`,
  search_text: sql`search_text`,
  connection: sql`connection`,
  used_bytes: sql`used_bytes`,
  limit_bytes: sql`limit_bytes`,
  usage_percent: sql`usage_percent`,
  usage_step: sql`usage_step`,
  over_limit: sql`over_limit`,
  msisdn: sql`msisdn`,
  last_imei: sql`last_imei`,
  imei_changed_at: sql`imei_changed_at`,
  filled: sql`filled`,
  device_name: sql`device_name`,
  name_key: sql`name_key`,
  notes: sql`notes`,
  delivery_note_number: sql`delivery_note_number`,
  shipment_on: sql`shipment_on`,
  chip_grade: sql`chip_grade`,
  technology: sql`technology`,
  apn: sql`apn`,
  fixed_ip: sql`fixed_ip`,
  activated_key: sql`activated_key`,
  ip: sql`ip`,
  plmn: sql`plmn`,
  radio: sql`radio`,
  last_session_at: sql`last_session_at`,
} as const;

/** What must hold, with what indexes are to look up: for queries that find all SIMs and walk no order. */
export const lookedUp = (conditions: readonly Condition[]): Fragment<SqlBool>[] =>
  conditions.flatMap(({ holds, lookup }) => (lookup ? [lookup, holds] : [holds]));

/** Whether an index of words or tags is to find the SIMs. */
export const isByWords = ({ columns: read, lookup }: Condition): boolean =>
  lookup !== undefined || read.includes('search_text') || read.includes('tags');
