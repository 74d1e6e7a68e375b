import { z } from 'zod';
import { instantSchema } from '../identifiers.ts';
import { minorSchema } from '../price/cost.ts';
import { billGroups, billLineKinds, billMonthSchema, namedSchema } from './schemas.ts';

/** Amount charged so far and likely amount at the end of the month: low ≤ expected ≤ high, so far ≤ expected. */
const expectationShape = {
  so_far_minor: minorSchema,
  low_minor: minorSchema,
  expected_minor: minorSchema,
  high_minor: minorSchema,
};

export const estimatePartSchema = z.object({
  group: z.enum(billGroups),
  kind: z.enum(billLineKinds),
  /** The zone, for usage that is charged by zone. */
  zone: namedSchema.nullable(),
  ...expectationShape,
});
export type EstimatePart = z.output<typeof estimatePartSchema>;

const estimateCurrencySchema = z.object({
  currency: z.string().length(3),
  /** Totals of the parts. */
  ...expectationShape,
  parts: z.array(estimatePartSchema),
});
export type EstimateCurrency = z.output<typeof estimateCurrencySchema>;

/** Likely total of the bills of the current month, before tax. */
export const estimateSchema = z.object({
  month: billMonthSchema,
  computed_at: instantSchema,
  /** Number of complete business days on which the range is based; with fewer than three the range is wide. */
  usage_days: z.number().int(),
  /** Cycles without a tariff, which are not included. */
  unpriced_cycles: z.number().int(),
  currencies: z.array(estimateCurrencySchema),
});
export type Estimate = z.output<typeof estimateSchema>;

export const estimateResponseSchema = z.object({
  /** Whether the organisation is billed itself; others are sections of the bills of an organisation above. */
  billed: z.boolean(),
  /** Null until first computed. */
  estimate: estimateSchema.nullable(),
});
export type EstimateResponse = z.output<typeof estimateResponseSchema>;
