import { z } from 'zod';
import { bytesSchema, instantSchema } from '../identifiers.ts';
import { amountSchema } from '../price/cost.ts';
import { simCountsSchema } from '../sim/schemas.ts';

/** A figure with its recent days (oldest first) and the figure it is compared with; null when there is none yet. */
const figure = <V extends z.ZodType>(value: V) =>
  z.object({ value, compared_with: value.nullable(), trend: z.array(z.number()) });

export const cardSchema = z.object({
  total_sims: z.number().int(),
  /** Compared with a week ago. */
  active_sims: figure(z.number().int()),
  /** Calendar month of business days so far, compared with the same day of the last one. */
  usage_bytes: figure(bytesSchema),
  /** Compared with yesterday. */
  overage_sims: figure(z.number().int()),
  /** Ending within 45 days; `within_7_days` is the urgent part. */
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
      /** The same hour of the day before (24h only). */
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
    /** What the running cycle has cost so far; null without a price. */
    cost: amountSchema.nullable(),
  }),
);
export type DashboardRank = z.output<typeof rankSchema>;
export const lifecycleCountSchema = simCountsSchema;
