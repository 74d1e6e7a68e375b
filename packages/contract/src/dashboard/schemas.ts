import { z } from 'zod';
import { bytesSchema, instantSchema } from '../identifiers.ts';
import { amountSchema } from '../price/cost.ts';
import { simCountsSchema } from '../sim/schemas.ts';

/** A figure with its recent days (oldest first) and the value it is compared with, which is null if there is none yet. */
const figure = <V extends z.ZodType>(value: V) =>
  z.object({ value, compared_with: value.nullable(), trend: z.array(z.number()) });

export const cardSchema = z.object({
  total_sims: z.number().int(),
  /** Compared with a week ago. */
  active_sims: figure(z.number().int()),
  /** Calendar month of business days so far, compared with the previous month up to the same day. */
  usage_bytes: figure(bytesSchema),
  /** Compared with yesterday. */
  overage_sims: figure(z.number().int()),
  /** SIMs that expire within 45 days, and the urgent ones among them (`within_7_days`). */
  expiring_sims: figure(z.number().int()).extend({ within_7_days: z.number().int() }),
  cycle: z.object({ started_at: instantSchema, ends_at: instantSchema }),
});
export type DashboardCard = z.output<typeof cardSchema>;

export const statisticsRanges = ['24h', 'week', '6months'] as const;

export const statisticsSchema = z.object({
  range: z.enum(statisticsRanges),
  points: z.array(
    z.object({
      /** Start of the hour or day (instant), or the month (`YYYY-MM`), by business days. */
      at: z.string(),
      bytes: bytesSchema,
      /** The same hour of the previous day (24h only); null before the organisation existed. */
      previous_bytes: bytesSchema.nullable(),
    }),
  ),
  provisional_from: instantSchema,
});
export type DashboardStatistics = z.output<typeof statisticsSchema>;

export const rankSchema = z.array(
  z.object({
    iccid: z.string(),
    device_name: z.string().nullable(),
    usage_bytes: bytesSchema,
    limit_bytes: bytesSchema.nullable(),
    /** Cost of the current cycle so far; null without a price. */
    cost: amountSchema.nullable(),
  }),
);
export type DashboardRank = z.output<typeof rankSchema>;
export const lifecycleCountSchema = simCountsSchema;
