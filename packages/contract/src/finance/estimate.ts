import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { minorSchema } from '../price/cost.ts';
import { billGroups, billLineKinds, billMonthSchema, named } from './schemas.ts';

/** What is charged so far, and what it is likely to be at the end of the month: low ≤ expected ≤ high, so far ≤ expected. */
const expectationShape = {
  so_far_minor: minorSchema,
  low_minor: minorSchema,
  expected_minor: minorSchema,
  high_minor: minorSchema,
};

export const estimatePartSchema = z.object({
  group: z.enum(billGroups),
  kind: z.enum(billLineKinds),
  /** Of usage that is charged by zone. */
  zone: named.nullable(),
  ...expectationShape,
});
export type EstimatePart = z.output<typeof estimatePartSchema>;

const estimateCurrencySchema = z.object({
  currency: z.string().length(3),
  /** The sums of the parts. */
  ...expectationShape,
  parts: z.array(estimatePartSchema),
});
export type EstimateCurrency = z.output<typeof estimateCurrencySchema>;

/** What the bills of the running month are likely to come to, before tax. */
export const estimateSchema = z.object({
  month: billMonthSchema,
  computed_at: instantSchema,
  /** Whole business days whose usage the range is taken from; fewer than three say little, and the range is wide. */
  usage_days: z.number().int(),
  /** Cycles that no tariff is there for: they are not in it. */
  unpriced_cycles: z.number().int(),
  currencies: z.array(estimateCurrencySchema),
});
export type Estimate = z.output<typeof estimateSchema>;

export const shownEstimateSchema = z.object({
  /** The organisation is billed itself: others are sections of the bills of one above. */
  billed: z.boolean(),
  /** Null until it is first computed. */
  estimate: estimateSchema.nullable(),
});
export type ShownEstimate = z.output<typeof shownEstimateSchema>;
