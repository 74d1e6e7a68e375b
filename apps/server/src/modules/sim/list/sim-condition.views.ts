import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Condition } from '../../../platform/lists/index.ts';

/** A condition on SIMs, in columns whose names occur only in `sims`, `sim_live` or `keys`. */
export type SimCondition = Condition<keyof typeof columns>;

/** The tables of a condition that reads the live state. */
export const live = ['live'] as const;
export const simsAndLive = ['sims', 'live'] as const;

/** What lists find SIMs by, from `sim_live_keys`, under the alias `k`, with names that no other table of the list has. */
export const keys = sql`(select sim_id as key_sim_id, org_id as key_org_id, cost_micros as cost, stopped_until, slowed_until
  from sim_live_keys) as k`;

/** Columns that conditions may read, as fragments, so that no name is written into a statement as text. */
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
  cost: sql`cost`,
  stopped_until: sql`stopped_until`,
  slowed_until: sql`slowed_until`,
  over_limit: sql`over_limit`,
  msisdn: sql`msisdn`,
  last_imei: sql`last_imei`,
  imei_changed_at: sql`imei_changed_at`,
  filled: sql`filled`,
  sms_suspended: sql`sms_suspended`,
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
  owned_since: sql`owned_since`,
  ip: sql`ip`,
  plmn: sql`plmn`,
  radio: sql`radio`,
  last_session_key: sql`last_session_key`,
} as const;

/** Whether the bundle of a row of `bundles` is one of those that people name by code or name. */
export const isBundleNamed = (codesOrNames: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(code = any(${codesOrNames}::text[]) or lower(name) in (select lower(one) from unnest(${codesOrNames}::text[]) as one))`;

/** Whether the SIMs are to be found by an index of words or tags. */
export const usesTextIndex = ({ columns: read, lookup }: Condition): boolean =>
  lookup !== undefined || read.includes('search_text') || read.includes('tags');
