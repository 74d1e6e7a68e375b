import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema } from '../identifiers.ts';

/** What a line of a cycle's charges is for. */
export const chargeKinds = [
  'activation',
  'cycle',
  'over-quota',
  'out-of-coverage',
  'pool-cycle',
  'over-pool-limit',
] as const;
export type ChargeKind = (typeof chargeKinds)[number];

/** What a charge is counted in: pieces, started megabytes, or started blocks of the bundle. */
export const chargeUnits = ['each', 'MB', 'block'] as const;

const named = z.object({ code: z.string(), name: z.string() });

/** An amount in the currency's minor units (ISO 4217: cents of EUR, whole JPY, thousandths of KWD). */
export const minorSchema = z.number().int();
/** A price in millionths of the currency. */
const microsSchema = z.number().int();

export const chargeLineSchema = z.object({
  kind: z.enum(chargeKinds),
  /** Of an order; null where it is for usage of a zone, or of a pool. */
  bundle: named.nullable(),
  zone: named.nullable(),
  quantity: z.number().int(),
  unit: z.enum(chargeUnits),
  /** What was used, where usage is charged. */
  bytes: bytesSchema.nullable(),
  price_micros: microsSchema,
  amount_minor: minorSchema,
});
export type ChargeLine = z.output<typeof chargeLineSchema>;

/**
 * How what is charged beyond a shared pool's limit comes about. What its members used out of coverage is charged at the price of its
 * zone: it is used, and not charged a second time as beyond the limit.
 */
export const poolUsageSchema = z.object({
  used_bytes: bytesSchema,
  /** Of it, what zones are charged for. */
  zoned_bytes: bytesSchema,
  limit_bytes: bytesSchema,
  /** What is left beyond the limit. */
  beyond_bytes: bytesSchema,
});
export type PoolUsage = z.output<typeof poolUsageSchema>;

/** What a SIM or a shared pool has cost in its running cycle, as of now: usage that is reported late may still change it. */
export const cycleCostSchema = z.object({
  currency: z.string().length(3),
  /** The sum of the lines, each of them rounded. */
  total_minor: minorSchema,
  tariff: named.extend({ starts_on: dateSchema }),
  cycle: z.object({ started_at: instantSchema, ends_at: instantSchema }),
  lines: z.array(chargeLineSchema),
});
export type CycleCost = z.output<typeof cycleCostSchema>;

export const poolCostSchema = cycleCostSchema.extend({
  /** Null while the pool is within its limit, and where nothing beyond it is charged. */
  over_limit: poolUsageSchema.nullable(),
});
export type PoolCost = z.output<typeof poolCostSchema>;

export const amountSchema = z.object({ currency: z.string().length(3), amount_minor: minorSchema });
export type Amount = z.output<typeof amountSchema>;

/** What an order of a bundle costs: once, and for each cycle that begins. */
export const bundlePriceSchema = z.object({
  currency: z.string().length(3),
  activation_micros: microsSchema,
  cycle_micros: microsSchema,
});
export type BundlePrice = z.output<typeof bundlePriceSchema>;
