import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { amountSchema } from '../price/cost.ts';
import { lifecycleSchema } from '../sim/schemas.ts';
import { textSchema } from '../text.ts';

/** Enumerations of the specification, section 3, "Shared pool". */
export const poolPolicies = ['no limit', 'stop overage SIMs'] as const;
export const poolOptIns = ['automatic', 'manual'] as const;
export const poolActivationRules = ['standard', 'pro-rata'] as const;

/** The eight kinds of the specification, section 3. */
export const poolEventKinds = [
  'pool setup',
  'SIM enrollment',
  'SIM exit',
  'pool limit increase',
  'pool limit decrease',
  'pool overage',
  'overage recovery',
  'new pool launch',
] as const;
export type PoolEventKind = (typeof poolEventKinds)[number];

/** Groups of events, for filters. */
export const poolEventGroups = ['sims', 'limit', 'overage', 'pool'] as const;
export type PoolEventGroup = (typeof poolEventGroups)[number];
export const poolEventsOf: Readonly<Record<PoolEventGroup, readonly PoolEventKind[]>> = {
  sims: ['SIM enrollment', 'SIM exit'],
  limit: ['pool limit increase', 'pool limit decrease'],
  overage: ['pool overage', 'overage recovery'],
  pool: ['pool setup', 'new pool launch'],
};

/** Parts of a pool's limit: contributions of members, and increases and decreases by the operator. */
export const poolTermKinds = ['standard', 'pro-rata', 'increase', 'decrease'] as const;
export type PoolTermKind = (typeof poolTermKinds)[number];

/** Activity of individual members. */
export const poolActivityKinds = ['joined', 'activated', 'left', 'stopped', 'back'] as const;
export type PoolActivityKind = (typeof poolActivityKinds)[number];

/** Reasons why SIMs leave a pool. */
export const poolExitReasons = ['ordered', 'bundle-ended', 'terminated', 'expired', 'transferred'] as const;
export type PoolExitReason = (typeof poolExitReasons)[number];

/** Filter of pools: whether their limit is used up. */
export const poolStates = ['within', 'over'] as const;
export const poolSorts = ['name', 'created_at'] as const;

export const poolNameSchema = textSchema({ max: limits.pools.name });

/** A signed number of bytes: a decrease is negative. */
const signedBytesSchema = z.number().int();
const countSchema = z.number().int().nonnegative();

export const poolNamedSchema = z.object({ id: z.string(), name: z.string() });

/** A pool in lists, with the figures of the current cycle. */
export const poolSchema = poolNamedSchema.extend({
  bundle: z.object({ code: z.string(), name: z.string() }),
  /** Contribution of one member to a whole cycle. */
  base_limit_bytes: bytesSchema,
  sims: countSchema,
  activated_sims: countSchema,
  used_bytes: bytesSchema,
  /** Never below zero, even after decreases. */
  limit_bytes: bytesSchema,
  /** The limit is used up. */
  over: z.boolean(),
  policy: z.enum(poolPolicies),
  opt_in: z.enum(poolOptIns),
  activation_rule: z.enum(poolActivationRules),
  cycle_started_at: instantSchema,
  cycle_ends_at: instantSchema,
});
export type Pool = z.output<typeof poolSchema>;

export const poolDetailSchema = poolSchema.extend({
  created_at: instantSchema,
  /** Members that are stopped now. */
  stopped_sims: countSchema,
  /** Members that used more than their own contribution in this cycle. */
  overage_sims: countSchema,
  joined_in_cycle: countSchema,
  left_in_cycle: countSchema,
  /** Part of the used bytes: usage of SIMs that are no longer members, and therefore not in the list of members. */
  former_members_bytes: bytesSchema,
});
export type PoolDetail = z.output<typeof poolDetailSchema>;

/** Parts of the limit of a cycle. The bytes of all terms add up to the limit, unless the sum is negative. */
export const poolSettingsSchema = z.object({
  pool: poolSchema,
  terms: z.array(
    z.object({
      kind: z.enum(poolTermKinds),
      /** Number of members that contribute in this way; 0 for a change by the operator. */
      sims: countSchema,
      bytes: signedBytesSchema,
      /** For changes: when they were made. */
      at: instantSchema.nullable(),
    }),
  ),
});
export type PoolSettings = z.output<typeof poolSettingsSchema>;

export const poolActivitySchema = z.object({
  at: instantSchema,
  iccid: z.string(),
  device_name: z.string().nullable(),
  kind: z.enum(poolActivityKinds),
  by: z.string().nullable(),
  task: z.string().nullable(),
});
export type PoolActivity = z.output<typeof poolActivitySchema>;

export const poolEventSchema = z.object({
  id: z.string(),
  pool: poolNamedSchema,
  at: instantSchema,
  kind: z.enum(poolEventKinds),
  limit_before_bytes: bytesSchema,
  limit_after_bytes: bytesSchema,
  used_bytes: bytesSchema,
  /** Number of SIMs that it concerns. */
  sims: countSchema,
  /** The person who caused it; null if it resulted from usage or time. */
  by: z.string().nullable(),
  task: z.string().nullable(),
});
export type PoolEvent = z.output<typeof poolEventSchema>;

export const poolEventDetailSchema = poolEventSchema.extend({
  facts: z.object({
    /** For an increase or decrease. */
    bytes: signedBytesSchema.optional(),
    /** For an increase or decrease: whether it also applies to later cycles. */
    every_cycle: z.boolean().optional(),
    reason: z.enum(poolExitReasons).optional(),
    base_limit_bytes: bytesSchema.optional(),
    /** For a launch: the cycle that starts. For a recovery: the cycle that ended. */
    cycle_started_at: instantSchema.optional(),
    cycle_ends_at: instantSchema.optional(),
    /** ICCIDs of the first SIMs that it concerns. */
    iccids: z.array(z.string()).optional(),
  }),
});
export type PoolEventDetail = z.output<typeof poolEventDetailSchema>;

/** Forecast of usage until the end of the cycle, from past days; null until three are over. */
const forecastSchema = z
  .object({
    /** Likely usage of the whole cycle, and its 80 % band. */
    used_bytes: bytesSchema,
    low_bytes: bytesSchema,
    high_bytes: bytesSchema,
    /** Usage per day: the mean of past days. */
    per_day_bytes: bytesSchema,
    /** When the limit is likely to be used up; null if it lasts. `earliest_at` and `latest_at` are the limits of the band. */
    runs_out_at: instantSchema.nullable(),
    earliest_at: instantSchema.nullable(),
    latest_at: instantSchema.nullable(),
  })
  .nullable();

export const poolRealTimeSchema = z.object({
  used_bytes: bytesSchema,
  limit_bytes: bytesSchema,
  left_bytes: bytesSchema,
  over: z.boolean(),
  /** Usage of the current business day. */
  today_bytes: bytesSchema,
  online_sims: countSchema,
  stopped_sims: countSchema,
  /** Number of members that would be stopped if the limit were used up now. */
  would_stop_sims: countSchema,
  /** How far usage can exceed the limit: open sessions × usage between two updates. */
  overshoot_bytes: bytesSchema,
  forecast: forecastSchema,
});
export type PoolRealTime = z.output<typeof poolRealTimeSchema>;

/** Business days of a cycle, from first to last; future days have no usage. */
export const poolLineChartSchema = z.object({
  cycle_started_at: instantSchema,
  cycle_ends_at: instantSchema,
  days: z.array(
    z.object({
      day: dateSchema,
      up_bytes: bytesSchema,
      down_bytes: bytesSchema,
      records: countSchema,
      /** Usage up to the end of the day. */
      used_bytes: bytesSchema,
      /** Limit at the end of the day. */
      limit_bytes: bytesSchema,
      provisional: z.boolean(),
    }),
  ),
});
export type PoolLineChart = z.output<typeof poolLineChartSchema>;

/** The 24 hours of a business day. */
export const poolBarChartSchema = z.object({
  day: dateSchema,
  hours: z.array(
    z.object({
      at: instantSchema,
      up_bytes: bytesSchema,
      down_bytes: bytesSchema,
      records: countSchema,
    }),
  ),
});

/** Filter of members: those that used more than their own contribution, or those stopped because of it. */
export const poolMemberStates = ['above', 'stopped'] as const;
export const poolMemberSorts = ['iccid', 'used_bytes', 'enrolled_at'] as const;

export const poolMemberSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  lifecycle: lifecycleSchema,
  enrolled_at: instantSchema,
  /** Start of its contribution; null before its activation. */
  activated_at: instantSchema.nullable(),
  used_bytes: bytesSchema,
  /** Its own contribution to the cycle. */
  own_bytes: bytesSchema,
  /** Usage beyond its own contribution. */
  above_bytes: bytesSchema,
  stopped: z.boolean(),
  /** Cost of the SIM's own cycle so far, without the cost of the pool; null without a price. */
  cost: amountSchema.nullable(),
});
export type PoolMember = z.output<typeof poolMemberSchema>;

/** Definition of a pool at the command line and in the catalogue file. */
export const poolSpecSchema = z.strictObject({
  organisation: z.string().max(40),
  name: poolNameSchema,
  bundle: z.string().max(40),
  policy: z.enum(poolPolicies),
  opt_in: z.enum(poolOptIns),
  activation_rule: z.enum(poolActivationRules),
});
export type PoolSpec = z.output<typeof poolSpecSchema>;
