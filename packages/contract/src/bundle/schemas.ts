import { z } from 'zod';
import { bytesSchema, instantSchema } from '../identifiers.ts';
import { amountSchema, bundlePriceSchema } from '../price/cost.ts';
import { dataStates, simDataSchema } from '../sim/data.ts';
import { searchSchema, textSchema } from '../text.ts';

/** Enumerations of the specification, section 3, "Bundle". */
export const bundleTypes = [
  'test plan',
  'prepaid basic',
  'prepaid supplementary',
  'postpaid flow',
  'postpaid bundle',
  'postpaid shared',
] as const;
export type BundleType = (typeof bundleTypes)[number];

export const serviceStatuses = ['pending', 'in use', 'expired', 'cancelled'] as const;
export type ServiceStatus = (typeof serviceStatuses)[number];

export const overagePolicies = [
  'stop',
  'billing',
  'billing and slow down',
  'billing and threshold',
  'billing then stop after',
] as const;

export const outOfCoveragePolicies = ['billing', 'shut down', 'not applicable'] as const;

export const resetCycles = ['day', '24h day', 'month', 'full month', 'full year'] as const;
export type ResetCycle = (typeof resetCycles)[number];

/** Speeds of "billing and slow down" (specification, section 9). */
export const slowSpeeds = [128, 256] as const;

/** ISO 3166-1 alpha-2 codes, without duplicates. */
export const coverageCountries = z
  .array(z.string().regex(/^[A-Z]{2}$/))
  .max(250)
  .refine((countries) => new Set(countries).size === countries.length, 'contains a country twice');

/** One bundle of a catalogue file (`simcube bundles import`). */
const bundleFieldsSchema = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/),
  name: textSchema({ max: 60 }),
  sku: textSchema({ max: 40 }),
  type: z.enum(bundleTypes),
  /** Null for no limit. */
  quota_bytes: bytesSchema.nullable(),
  overage_policy: z.enum(overagePolicies),
  out_of_coverage_policy: z.enum(outOfCoveragePolicies).default('not applicable'),
  reset_cycle: z.enum(resetCycles),
  slow_kbps: z.literal(slowSpeeds).nullable().default(null),
  /** Duration of an order from its activation; null for no end. */
  duration_days: z.int().min(1).max(3660).nullable().default(null),
  /** Countries in which it is valid; everywhere if empty. */
  coverage_countries: coverageCountries.default([]),
  /** "Billing and threshold": size of the blocks beyond the quota; each started block is charged in full. */
  threshold_bytes: bytesSchema.min(1).nullable().default(null),
  /** "Billing then stop after": usage beyond the quota at which data is stopped. */
  stop_after_bytes: bytesSchema.min(1).nullable().default(null),
  /** Whether administrators of organisations may order it for their SIMs; the operator always may. */
  orderable: z.boolean().default(false),
});

export const bundleSpecSchema = bundleFieldsSchema.superRefine((bundle, context) => {
  const need = (path: keyof typeof bundle, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { overage_policy: policy, type } = bundle;
  if (policy === 'billing and threshold' && bundle.threshold_bytes === null) {
    need('threshold_bytes', `"${policy}" requires the size of a block`);
  }
  if (policy === 'billing then stop after' && bundle.stop_after_bytes === null) {
    need('stop_after_bytes', `"${policy}" requires the amount after which it stops`);
  }
  if (type === 'prepaid supplementary' && bundle.quota_bytes === null) {
    need('quota_bytes', 'a supplementary bundle requires a quota');
  }
});
export type BundleSpec = z.output<typeof bundleSpecSchema>;

export const bundleCatalogueSchema = z.array(bundleSpecSchema).max(1000);

/** A bundle of the catalogue that can be ordered. */
export const offeredBundleSchema = z.object({
  code: z.string(),
  name: z.string(),
  type: z.enum(bundleTypes),
  quota_bytes: bytesSchema.nullable(),
  reset_cycle: z.enum(resetCycles),
  duration_days: z.number().int().nullable(),
});
export type OfferedBundle = z.output<typeof offeredBundleSchema>;

/** When a change of bundle takes effect: at the end of the order in use, or immediately. */
export const bundleChangeTimes = ['at-end', 'now'] as const;
export type BundleChangeTime = (typeof bundleChangeTimes)[number];

const namedBundle = z.object({ code: z.string(), name: z.string() });

/** Orders (one per SIM), counted by the ordered bundle and the current one. */
export const orderLineSchema = z.object({
  bundle: namedBundle,
  /** The bundle in use, or the last one of expired SIMs. */
  current: namedBundle,
  orders: z.number().int(),
  /** Number of orders that start immediately; of the others, a top-up starts on resumption, a plan after the current one. */
  at_once: z.number().int(),
  /** Earliest and latest end of the current orders, which may be in the past; null if none has an end. */
  current_ends_first: instantSchema.nullable(),
  current_ends_last: instantSchema.nullable(),
  /**
   * Price of each order if it started now; null without a price. One that starts later costs what applies then: a plan
   * on the day on which it starts, a top-up in the cycle that it joins.
   */
  price: bundlePriceSchema.nullable(),
});
export type OrderLine = z.output<typeof orderLineSchema>;

/** A bundle that an activation would start, with the number of SIMs and its price, which is null without a tariff. */
export const activationLineSchema = z.object({
  bundle: namedBundle,
  orders: z.number().int(),
  price: bundlePriceSchema.nullable(),
});
export type ActivationLine = z.output<typeof activationLineSchema>;

/** What happens beyond the quota; of the amounts, only those that the policy uses. */
export const overageSchema = z.object({
  policy: z.enum(overagePolicies),
  /** "Billing and slow down": the rate limit in effect. */
  slow_kbps: z.number().int().nullable(),
  /** "Billing and threshold": size of the blocks that are charged. */
  threshold_bytes: bytesSchema.nullable(),
  /** "Billing then stop after": usage beyond the quota at which data is stopped. */
  stop_after_bytes: bytesSchema.nullable(),
});
export type Overage = z.output<typeof overageSchema>;

/** A bundle order, the specification's "service". */
export const serviceSchema = z.object({
  order_id: z.string(),
  iccid: z.string(),
  bundle: z.object({ name: z.string(), code: z.string(), sku: z.string(), type: z.enum(bundleTypes) }),
  status: z.enum(serviceStatuses),
  quota_bytes: bytesSchema.nullable(),
  overage_policy: z.enum(overagePolicies),
  overage: overageSchema,
  out_of_coverage_policy: z.enum(outOfCoveragePolicies),
  reset_cycle: z.enum(resetCycles),
  sales_order_id: z.string().nullable(),
  ordered_at: instantSchema,
  activated_at: instantSchema.nullable(),
  expires_at: instantSchema.nullable(),
  /** The current cycle, for the order in use. */
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

export const overusePolicySchema = z.object({
  /** Null without a bundle. */
  overage: overageSchema.nullable(),
  /** The same, field by field. */
  policy: z.enum(overagePolicies).nullable(),
  slow_kbps: z.number().int().nullable(),
  threshold_bytes: bytesSchema.nullable(),
  over_limit: z.boolean(),
  data: simDataSchema,
  /** `data.state`. */
  data_state: z.enum(dataStates),
});

export const serviceSorts = ['ordered_at', 'activated_at', 'expires_at', 'iccid'] as const;
export const serviceFilterSchema = z.strictObject({
  /** Part of ICCID, device name or sales order. */
  search: searchSchema(60).optional(),
  status: z.array(z.enum(serviceStatuses)).max(serviceStatuses.length).optional(),
  type: z.array(z.enum(bundleTypes)).max(bundleTypes.length).optional(),
  /** Codes or names. */
  bundle: z.array(z.string().max(60)).max(20).optional(),
  ordered_from: instantSchema.optional(),
  ordered_to: instantSchema.optional(),
  expires_from: instantSchema.optional(),
  expires_to: instantSchema.optional(),
});
export type ServiceFilter = z.output<typeof serviceFilterSchema>;

/** One cycle of a SIM, including the current one. */
export const cycleSchema = z.object({
  started_at: instantSchema,
  ends_at: instantSchema,
  used_bytes: bytesSchema,
  limit_bytes: bytesSchema.nullable(),
  current: z.boolean(),
  /** Late records may still arrive. */
  provisional: z.boolean(),
  /**
   * Cost so far; of a past cycle what issued bills charge the organisation for it, or what its usage costs if another
   * organisation pays. Null without a price; for a billed cycle also without the permission to see bills.
   */
  cost: amountSchema.nullable(),
  /** The cost is computed from usage so far: the cycle is running, or no issued bill contains it yet. */
  cost_provisional: z.boolean(),
});
export type Cycle = z.output<typeof cycleSchema>;

export const coverageSchema = z.object({
  /** Empty: everywhere. */
  countries: z.array(z.string().length(2)),
  out_of_coverage_policy: z.enum(outOfCoveragePolicies),
});

export const countryUsageSchema = z.object({
  country: z.string().nullable(),
  bytes: bytesSchema,
  covered: z.boolean(),
});
