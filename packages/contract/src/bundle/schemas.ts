import { z } from 'zod';
import { bytesSchema } from '../identifiers.ts';
import { textSchema } from '../text.ts';

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

/** ISO 3166-1 alpha-2, each once. */
const coverageCountries = z
  .array(z.string().regex(/^[A-Z]{2}$/))
  .max(250)
  .refine((countries) => new Set(countries).size === countries.length, 'a country is named twice');

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
  /** How long an order runs from its activation; null for no end. */
  duration_days: z.int().min(1).max(3660).nullable().default(null),
  /** Where it is valid; everywhere when empty. */
  coverage_countries: coverageCountries.default([]),
  /** "Billing and threshold": size of the blocks over the quota, each started one priced whole. */
  threshold_bytes: bytesSchema.min(1).nullable().default(null),
  /** "Billing then stop after": so much over the quota data goes off. */
  stop_after_bytes: bytesSchema.min(1).nullable().default(null),
});

export const bundleSpecSchema = bundleFieldsSchema.superRefine((bundle, context) => {
  const need = (path: keyof typeof bundle, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { overage_policy: policy, type } = bundle;
  if (policy === 'billing and threshold' && bundle.threshold_bytes === null) {
    need('threshold_bytes', `"${policy}" needs the size of a block`);
  }
  if (policy === 'billing then stop after' && bundle.stop_after_bytes === null) {
    need('stop_after_bytes', `"${policy}" needs the amount after which it stops`);
  }
  if (type === 'prepaid supplementary' && bundle.quota_bytes === null) {
    need('quota_bytes', 'a supplementary bundle adds a quota');
  }
});
export type BundleSpec = z.output<typeof bundleSpecSchema>;

export const bundleCatalogueSchema = z.array(bundleSpecSchema).max(1000);
