import { z } from 'zod';
import {
  bundleTypes,
  outOfCoveragePolicies,
  overagePolicies,
  resetCycles,
  serviceStatuses,
} from '../bundle/schemas.ts';
import { bytesSchema, instantSchema } from '../identifiers.ts';
import { searchSchema } from '../text.ts';
import { networkSchema, simBasicSchema, simConnectionSchema, simFilterSchema } from './schemas.ts';

/** A bundle order, the specification's "service". */
export const serviceSchema = z.object({
  order_id: z.string(),
  iccid: z.string(),
  bundle: z.object({ name: z.string(), code: z.string(), sku: z.string(), type: z.enum(bundleTypes) }),
  status: z.enum(serviceStatuses),
  quota_bytes: bytesSchema.nullable(),
  overage_policy: z.enum(overagePolicies),
  out_of_coverage_policy: z.enum(outOfCoveragePolicies),
  reset_cycle: z.enum(resetCycles),
  sales_order_id: z.string().nullable(),
  ordered_at: instantSchema,
  activated_at: instantSchema.nullable(),
  expires_at: instantSchema.nullable(),
  /** Of the cycle that runs, for the order in use. */
  cycle: z
    .object({
      started_at: instantSchema,
      ends_at: instantSchema,
      used_bytes: bytesSchema,
      limit_bytes: bytesSchema.nullable(),
    })
    .nullable(),
});
export type Service = z.output<typeof serviceSchema>;

/** Everything about one SIM in one answer. */
export const simDetailsSchema = z.object({
  basic: simBasicSchema,
  connection: simConnectionSchema,
  services: z.array(serviceSchema),
  location: z
    .object({ latitude: z.number(), longitude: z.number(), cell: z.string(), at: instantSchema })
    .nullable(),
});

export const overusePolicySchema = z.object({
  policy: z.enum(overagePolicies).nullable(),
  slow_kbps: z.number().int().nullable(),
  threshold_bytes: bytesSchema.nullable(),
  over_limit: z.boolean(),
  data_state: z.enum(['open', 'slowed', 'stopped']),
});

export const serviceSorts = ['ordered_at', 'activated_at', 'expires_at', 'iccid'] as const;
export const serviceFilterSchema = z.strictObject({
  /** Part of ICCID, device name or sales order. */
  search: searchSchema(60).optional(),
  status: z.array(z.enum(serviceStatuses)).max(serviceStatuses.length).optional(),
  type: z.array(z.enum(bundleTypes)).max(bundleTypes.length).optional(),
  bundle: z.array(z.string().max(40)).max(20).optional(),
  ordered_from: instantSchema.optional(),
  ordered_to: instantSchema.optional(),
  expires_from: instantSchema.optional(),
  expires_to: instantSchema.optional(),
});
export type ServiceFilter = z.output<typeof serviceFilterSchema>;

/** One cycle of a SIM, the running one included. */
export const cycleSchema = z.object({
  started_at: instantSchema,
  ends_at: instantSchema,
  used_bytes: bytesSchema,
  limit_bytes: bytesSchema.nullable(),
  current: z.boolean(),
  /** Late records may still come. */
  provisional: z.boolean(),
});
export type Cycle = z.output<typeof cycleSchema>;

export const coverageSchema = z.object({
  /** Empty: everywhere. */
  countries: z.array(z.string().length(2)),
  out_of_coverage_policy: z.enum(outOfCoveragePolicies),
});

export const statusTraceSchema = z.object({
  id: z.string(),
  at: instantSchema,
  kind: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  actor: z.string().nullable(),
  task_id: z.string().nullable(),
  trace_id: z.string().nullable(),
});
export type StatusTrace = z.output<typeof statusTraceSchema>;

export const simSessionSchema = z.object({
  id: z.string(),
  started_at: instantSchema,
  updated_at: instantSchema,
  stopped_at: instantSchema.nullable(),
  terminate_cause: z.string().nullable(),
  up_bytes: bytesSchema,
  down_bytes: bytesSchema,
  ip: z.string().nullable(),
  apn: z.string().nullable(),
  imei: z.string().nullable(),
  network: networkSchema.nullable(),
  cell: z.string().nullable(),
});

export type SimSession = z.output<typeof simSessionSchema>;

export const countryUsageSchema = z.object({
  country: z.string().nullable(),
  bytes: bytesSchema,
  covered: z.boolean(),
});

/** Lights of a diagnose report: good, attention, fault, unknown. */
export const lights = ['good', 'warning', 'bad', 'unknown'] as const;
export type Light = (typeof lights)[number];
export const diagnoseChecks = [
  'card',
  'lifecycle',
  'order',
  'quota',
  'authorisation',
  'registration',
  'session',
  'apn',
  'ip',
  'imei',
  'coverage',
  'rejects',
] as const;
export type DiagnoseCheck = (typeof diagnoseChecks)[number];

export const diagnoseSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  organisation: z.string(),
  made_at: instantSchema,
  overall: z.enum(lights),
  checks: z.array(
    z.object({
      check: z.enum(diagnoseChecks),
      light: z.enum(lights),
      /** Phrase `diagnose.findings.<finding>` says what is so, `diagnose.advice.<finding>` what to do. */
      finding: z.string(),
      facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      /** The same in the caller's language. */
      sentence: z.string(),
      advice: z.string().nullable(),
    }),
  ),
});
export type Diagnose = z.output<typeof diagnoseSchema>;

export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  filter: simFilterSchema,
  /** Some of it is no longer known: what remains finds more SIMs than were meant. */
  outdated: z.boolean(),
  created_at: instantSchema,
});
export type SavedView = z.output<typeof savedViewSchema>;
