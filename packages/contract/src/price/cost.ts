import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema } from '../identifiers.ts';

/** Kinds of charges of a cycle. */
export const chargeKinds = [
  'activation',
  'cycle',
  'over-quota',
  'out-of-coverage',
  'pool-cycle',
  'over-pool-limit',
] as const;
export type ChargeKind = (typeof chargeKinds)[number];

/** Units of charges: pieces, started megabytes, or started blocks of the bundle's size. */
export const chargeUnits = ['each', 'MB', 'block'] as const;

const namedSchema = z.object({ code: z.string(), name: z.string() });

/** An amount in the currency's minor units (ISO 4217: cents of EUR, whole JPY, thousandths of KWD). */
export const minorSchema = z.number().int();
/** A price in millionths of the currency. */
const microsSchema = z.number().int();

export const chargeLineSchema = z.object({
  kind: z.enum(chargeKinds),
  /** The bundle of the order; null if the charge is for usage in a zone, or for a pool. */
  bundle: namedSchema.nullable(),
  zone: namedSchema.nullable(),
  quantity: z.number().int(),
  unit: z.enum(chargeUnits),
  /** The usage, for charges of usage. */
  bytes: bytesSchema.nullable(),
  price_micros: microsSchema,
  amount_minor: minorSchema,
});
export type ChargeLine = z.output<typeof chargeLineSchema>;

/**
 * Calculation of the usage that is charged as beyond a shared pool's limit. Usage of members out of coverage is charged at the
 * price of its zone: it counts as used, but is not charged again as beyond the limit.
 */
export const poolUsageSchema = z.object({
  used_bytes: bytesSchema,
  /** Part of it that is charged by zone. */
  zoned_bytes: bytesSchema,
  limit_bytes: bytesSchema,
  /** The rest that exceeds the limit. */
  beyond_bytes: bytesSchema,
});
export type PoolUsage = z.output<typeof poolUsageSchema>;

/** Cost of the current cycle of a SIM or a shared pool so far: usage that is reported late may still change it. */
export const cycleCostSchema = z.object({
  currency: z.string().length(3),
  /** Sum of the rounded lines. */
  total_minor: minorSchema,
  tariff: namedSchema.extend({ starts_on: dateSchema }),
  cycle: z.object({ started_at: instantSchema, ends_at: instantSchema }),
  lines: z.array(chargeLineSchema),
});
export type CycleCost = z.output<typeof cycleCostSchema>;

export const poolCostSchema = cycleCostSchema.extend({
  /** Null while the pool is within its limit, and if usage beyond it is not charged. */
  over_limit: poolUsageSchema.nullable(),
});
export type PoolCost = z.output<typeof poolCostSchema>;

export const amountSchema = z.object({ currency: z.string().length(3), amount_minor: minorSchema });
export type Amount = z.output<typeof amountSchema>;

/** Price of a bundle order: once, and for each cycle that starts. */
export const bundlePriceSchema = z.object({
  currency: z.string().length(3),
  activation_micros: microsSchema,
  cycle_micros: microsSchema,
});
export type BundlePrice = z.output<typeof bundlePriceSchema>;
