import { z } from 'zod';
import {
  bytesSchema,
  dateSchema,
  iccidSchema,
  imeiSchema,
  imsiSchema,
  instantSchema,
  msisdnSchema,
} from '../identifiers.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { checkOrder } from '../order.ts';
import { sortedPageSchema } from '../paging.ts';
import { amountSchema } from '../price/cost.ts';
import { taskReferenceSchema } from '../task/schemas.ts';
import { linesSchema, searchSchema, textSchema } from '../text.ts';
import { dataStates, restrictedDataStates, simDataSchema } from './data.ts';

/** Lifecycle (specification, section 4) with the platform family's external numbers, which the open API keeps. */
export const lifecycleNumbers = {
  'pre-activated': 10,
  active: 23,
  paused: 30,
  expired: 40,
  terminated: 50,
} as const;
export const lifecycles = ['pre-activated', 'active', 'paused', 'expired', 'terminated'] as const;
export type Lifecycle = (typeof lifecycles)[number];
/** Those in which a SIM may use data: in the others it is neither open nor restricted. */
export const lifecyclesWithData: readonly Lifecycle[] = ['pre-activated', 'active'];
export const lifecycleSchema = z.enum(lifecycles);

export const connections = ['online', 'connected', 'offline', 'unknown'] as const;
export type Connection = (typeof connections)[number];
export const connectionSchema = z.enum(connections);

/**
 * Requests about a SIM's open session that the network has not carried out. `disconnect`: the SIM is still connected but must
 * not be; `rate`: its rate limit has not been applied or not been removed.
 */
export const networkOverdueSchema = z.enum(['disconnect', 'rate']);
export type NetworkOverdue = z.output<typeof networkOverdueSchema>;

export const chipGrades = ['consumer', 'industrial', 'automotive'] as const;
export const technologies = ['OTA', 'OTA BIP', 'one IMSI', 'multi IMSI'] as const;

export const tagSchema = textSchema({ max: limits.tags.length });
const tagSeparator: IssueKey = 'tagSeparator';
/** A tag that is added: files separate tags by these characters, and remove all of them by a single hyphen. */
export const newTagSchema = tagSchema.regex(/^(?!-$)[^;|；]*$/, tagSeparator);
/** An empty text clears it, like null. */
export const deviceNameSchema = textSchema({ min: 0, ...limits.deviceName });
export const notesSchema = linesSchema({ min: 0, ...limits.notes });

/**
 * An APN that a SIM may use: labels of letters, digits and hyphens (3GPP TS 23.003, 9.1), and underscores, which networks use.
 * Anything else, such as a space added by a spreadsheet, would never equal an APN reported by the network.
 */
const apnSchema = z
  .string()
  .max(100)
  .regex(/^[\w-]+(\.[\w-]+)*$/);

/** A list of ICCIDs without duplicates; the issue is reported at the second of two equal ones. */
export const iccidsSchema = (max: number) => z.array(iccidSchema).min(1).max(max);

/** Names of radio types as shown (3GPP TS 29.061, 16.4.7.2, 3GPP-RAT-Type). */
export const radioTypes = ['2G', '3G', '4G', '5G', 'NB-IoT', 'LTE-M', 'WLAN', 'other'] as const;
export const radioTypeSchema = z.enum(radioTypes);

/** The visited network of a session. */
export const networkSchema = z.object({
  /** ISO 3166-1 alpha-2; null when the PLMN is not known. */
  country: z.string().length(2).nullable(),
  mcc: z.string(),
  mnc: z.string(),
  operator: z.string().nullable(),
  radio: radioTypeSchema.nullable(),
});

export const bundleInUseSchema = z.object({
  name: z.string(),
  code: z.string(),
  type: z.string(),
  overage_policy: z.string(),
  expires_at: instantSchema.nullable(),
  pending_orders: z.number().int(),
});

/** Fields that the search covers. */
export const simSearchFields = [
  'iccid',
  'imsi',
  'msisdn',
  'last_imei',
  'device_name',
  'tags',
  'notes',
] as const;
export type SimSearchField = (typeof simSearchFields)[number];

/** A match of the search. */
export const simMatchSchema = z.object({
  field: z.enum(simSearchFields),
  /** The field's value; for tags, the matching tag; for notes, the text around the match in one line. */
  text: z.string(),
  /** Start (inclusive) and end (exclusive) of the match in `text`, in UTF-16 code units. */
  from: z.number().int().min(0),
  to: z.number().int().min(0),
});
export type SimMatch = z.output<typeof simMatchSchema>;

/** One row of the SIM list. */
export const simRowSchema = z.object({
  iccid: z.string(),
  imsi: z.string(),
  msisdn: z.string().nullable(),
  last_imei: z.string().nullable(),
  device_name: z.string().nullable(),
  lifecycle: lifecycleSchema,
  status: z.number().int(),
  connection: connectionSchema,
  network_overdue: networkOverdueSchema.nullable(),
  data: simDataSchema,
  network: networkSchema.nullable(),
  apn: z.string().nullable(),
  ip: z.string().nullable(),
  last_session_at: instantSchema.nullable(),
  cycle_usage_bytes: bytesSchema,
  limit_bytes: bytesSchema.nullable(),
  /** An active member of a shared pool: its limit is its contribution, which it may exceed. */
  uses_pool_limit: z.boolean(),
  /** Bytes of the last seven UTC days, oldest first; today is the last. */
  week_bytes: z.array(bytesSchema).length(7),
  bundle_name: z.string().nullable(),
  /** Cost of the current cycle so far; null without a price. */
  cost: amountSchema.nullable(),
  activated_at: instantSchema.nullable(),
  expires_at: instantSchema.nullable(),
  tags: z.array(z.string()),
  notes: z.string().nullable(),
  delivery_note_number: z.string().nullable(),
  shipment_on: dateSchema.nullable(),
  chip_grade: z.enum(chipGrades).nullable(),
  technology: z.enum(technologies).nullable(),
  /** A2P MT SMS is suspended: nothing is sent to the SIM. */
  sms_suspended: z.boolean(),
  /** All matches of the search; omitted without a search. */
  matched: z.array(simMatchSchema).optional(),
});
export type SimRow = z.output<typeof simRowSchema>;

export const simSorts = [
  'iccid',
  'device_name',
  'lifecycle',
  'activated_at',
  'expires_at',
  'last_session_at',
  'cycle_usage_bytes',
  'cost',
] as const;

/** Fields that can be filtered as "empty" or "not empty". */
export const emptiableFields = [
  'msisdn',
  'last_imei',
  'device_name',
  'notes',
  'tags',
  'delivery_note_number',
  'shipment_on',
  'bundle',
  'apn',
  'ip',
  'last_session_at',
  'expires_at',
] as const;
const emptiableFieldsSchema = z.array(z.enum(emptiableFields)).max(emptiableFields.length);
/** An amount in a currency's main unit, to a millionth. */
export const costSchema = z.number().min(0).max(1_000_000_000);
/** Matches any part of the field; in names and notes, one or two ASCII letters match only at the beginning. */
const textPart = textSchema({ max: 60 });

/** Filters of the SIM list; every given one must hold. */
export const simFilterSchema = z.strictObject({
  /** Any part of ICCID, IMSI, MSISDN, IMEI, device name, notes or a tag; one or two ASCII letters match only at the beginning. */
  search: searchSchema(60).optional(),
  lifecycle: z.array(lifecycleSchema).max(5).optional(),
  connection: z.array(connectionSchema).max(4).optional(),
  tags: z.array(tagSchema).max(limits.tags.perSim).optional(),
  /** Codes or names of bundles in use. */
  bundle: z.array(z.string().max(60)).max(20).optional(),
  /** Usage in percent of the limit, in the current cycle. */
  usage_percent_min: z.number().min(0).max(10_000).optional(),
  usage_percent_max: z.number().min(0).max(10_000).optional(),
  usage_bytes_min: bytesSchema.optional(),
  usage_bytes_max: bytesSchema.optional(),
  /** Cost of the current cycle so far, in the currency of its price; SIMs without a price have no cost. */
  cost_min: costSchema.optional(),
  cost_max: costSchema.optional(),
  /** Only SIMs whose last bundle ends within this many days. */
  expires_within_days: z.number().int().min(0).max(365).optional(),
  over_limit: z.boolean().optional(),
  /** Only SIMs that may use data and whose data is restricted, as `data.state` shows. */
  data_state: z.array(z.enum(restrictedDataStates)).max(restrictedDataStates.length).optional(),
  /** Whether A2P MT SMS is suspended. */
  sms_suspended: z.boolean().optional(),
  device_name: textPart.optional(),
  notes: textPart.optional(),
  delivery_note_number: textPart.optional(),
  chip_grade: z.array(z.enum(chipGrades)).max(chipGrades.length).optional(),
  technology: z.array(z.enum(technologies)).max(technologies.length).optional(),
  apn: textPart.optional(),
  ip: z.union([z.ipv4(), z.ipv6()]).optional(),
  /** ISO 3166-1 alpha-2 of the visited network. */
  country: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .max(50)
    .optional(),
  /** MCC and MNC of the visited network, such as `262-01`. */
  operator: z
    .array(z.string().regex(/^\d{3}-\d{2,3}$/))
    .max(50)
    .optional(),
  radio: z.array(radioTypeSchema).max(radioTypes.length).optional(),
  shipment_from: dateSchema.optional(),
  shipment_to: dateSchema.optional(),
  activated_from: instantSchema.optional(),
  activated_to: instantSchema.optional(),
  expires_from: instantSchema.optional(),
  expires_to: instantSchema.optional(),
  last_session_from: instantSchema.optional(),
  last_session_to: instantSchema.optional(),
  /** The IMEI changed within this many days. */
  imei_changed_within_days: z.number().int().min(1).max(90).optional(),
  empty: emptiableFieldsSchema.optional(),
  not_empty: emptiableFieldsSchema.optional(),
  /** Reference of a task: its SIMs, except those transferred since. */
  task: taskReferenceSchema.optional(),
  /** Pasted or uploaded ICCIDs, IMSIs or MSISDNs, mixed. */
  identifiers: z.array(z.string().trim().min(5).max(22)).max(limits.bulkSearch).optional(),
});
export type SimFilter = z.output<typeof simFilterSchema>;

export const simListBodySchema = sortedPageSchema(simSorts)
  .extend(simFilterSchema.shape)
  .superRefine(checkOrder);

export const simCountsSchema = z.object({
  total: z.number().int(),
  lifecycle: z.record(lifecycleSchema, z.number().int()),
});

export type SimCounts = z.output<typeof simCountsSchema>;

/** With `gte`, each number is a lower bound. */
export const simListCountsSchema = simCountsSchema.extend({ relation: z.enum(['eq', 'gte']) });
export type SimListCounts = z.output<typeof simListCountsSchema>;

export const simBasicSchema = z.object({
  iccid: z.string(),
  imsi: z.string(),
  msisdn: z.string().nullable(),
  last_imei: z.string().nullable(),
  device_name: z.string().nullable(),
  notes: z.string().nullable(),
  tags: z.array(z.string()),
  delivery_note_number: z.string().nullable(),
  shipment_on: dateSchema.nullable(),
  chip_grade: z.enum(chipGrades).nullable(),
  technology: z.enum(technologies).nullable(),
  lifecycle: lifecycleSchema,
  status: z.number().int(),
  lifecycle_changed_at: instantSchema,
  activated_at: instantSchema.nullable(),
  pre_activation_ends_at: instantSchema.nullable(),
  expires_at: instantSchema.nullable(),
  apn: z.string().nullable(),
  /** Address of the most recently reported session, otherwise the static one, as in the list. */
  ip: z.string().nullable(),
  organisation: z.object({ code: z.string(), name: z.string() }),
  bundle: bundleInUseSchema.nullable(),
  cycle: z.object({
    started_at: instantSchema.nullable(),
    ends_at: instantSchema.nullable(),
    usage_bytes: bytesSchema,
    limit_bytes: bytesSchema.nullable(),
    uses_pool_limit: z.boolean(),
    /** Usage at the end of the cycle if it continues at the current rate; null while there is no rate yet. */
    projected_bytes: bytesSchema.nullable(),
  }),
  data: simDataSchema,
  /** `data.state`. */
  data_state: z.enum(dataStates),
  /** A2P MT SMS is suspended: nothing is sent to the SIM. */
  sms_suspended: z.boolean(),
});
export type SimBasic = z.output<typeof simBasicSchema>;

export const simConnectionSchema = z.object({
  iccid: z.string(),
  connection: connectionSchema,
  network_overdue: networkOverdueSchema.nullable(),
  since: instantSchema.nullable(),
  last_seen_at: instantSchema.nullable(),
  session: z
    .object({
      id: z.string(),
      started_at: instantSchema,
      updated_at: instantSchema,
      stopped_at: instantSchema.nullable(),
      terminate_cause: z.string().nullable(),
      up_bytes: bytesSchema,
      down_bytes: bytesSchema,
      apn: z.string().nullable(),
      ip: z.string().nullable(),
      imei: z.string().nullable(),
      network: networkSchema.nullable(),
      cell: z.string().nullable(),
      gateway: z.string().nullable(),
    })
    .nullable(),
});
export type SimConnection = z.output<typeof simConnectionSchema>;

export const simConnectionStatusSchema = simConnectionSchema.pick({
  iccid: true,
  connection: true,
  network_overdue: true,
  since: true,
  last_seen_at: true,
});

export const simUsageQuerySchema = z.strictObject({
  iccid: iccidSchema,
  granularity: z.enum(['hour', 'day', 'month']).default('day'),
  /** First and last day, inclusive, UTC+0 (the cut-off of SIM usage: 23:59 UTC+0). */
  from: dateSchema,
  to: dateSchema,
});

export const simUsageSchema = z.object({
  points: z.array(
    z.object({
      /** Start of the hour, the day (`YYYY-MM-DD`) or the month (`YYYY-MM`). */
      at: z.string(),
      up_bytes: bytesSchema,
      down_bytes: bytesSchema,
    }),
  ),
  /** The parts add up to the total; usage of unknown networks has no codes. */
  by_network: z.array(
    networkSchema.extend({ mcc: z.string().nullable(), mnc: z.string().nullable(), bytes: bytesSchema }),
  ),
  total_bytes: bytesSchema,
  /** From this time, late records may still arrive. */
  provisional_from: instantSchema,
});

export type SimUsage = z.output<typeof simUsageSchema>;

/** One row of an import file (`simcube sims import`) with all SIM fields of the specification. */
export const simImportRowSchema = z.strictObject({
  iccid: iccidSchema,
  imsi: imsiSchema,
  msisdn: msisdnSchema.nullish(),
  imei: imeiSchema.nullish(),
  organisation_code: z.string().min(1).max(40),
  device_name: deviceNameSchema.nullish(),
  notes: notesSchema.nullish(),
  tags: z.array(newTagSchema).max(limits.tags.perSim).default([]),
  delivery_note_number: textSchema({ min: 0, max: 40 }).nullish(),
  shipment_on: dateSchema.nullish(),
  chip_grade: z.enum(chipGrades).nullish(),
  technology: z.enum(technologies).nullish(),
  lifecycle: lifecycleSchema.default('pre-activated'),
  apn: apnSchema.nullish(),
  ip: z.union([z.ipv4(), z.ipv6()]).nullish(),
  pre_activation_ends_at: instantSchema.nullish(),
});
export type SimImportRow = z.output<typeof simImportRowSchema>;
