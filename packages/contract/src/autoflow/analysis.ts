import { z } from 'zod';
import { bytesSchema, dateSchema, iccidSchema, instantSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { pageSchema } from '../paging.ts';
import { amountSchema } from '../price/cost.ts';
import {
  autoflowIdSchema,
  dataThresholdSchema,
  newScopeSchema,
  newTriggerSchema,
  triggerKindSchema,
} from './rule.ts';
import { measuredSchema } from './schemas.ts';

const countSchema = z.number().int().nonnegative();

/**
 * A stored rule, a draft, or a draft of a stored rule, which it is compared with. Omitted parts are taken from the stored
 * rule; without one, the scope is all SIMs.
 */
export const replayBodySchema = z.strictObject({
  ruleId: autoflowIdSchema.optional(),
  trigger: newTriggerSchema.optional(),
  scope: newScopeSchema.optional(),
});
export type ReplayBody = z.output<typeof replayBodySchema>;

/** `waiting` while another replay of the organisation runs. */
export const replayStates = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const;
export type ReplayState = (typeof replayStates)[number];

const firingTotalsSchema = z.object({
  firings: countSchema,
  sims: countSchema,
  /**
   * Overage that stopping data would have avoided: the charges for usage beyond the quota after the firing, in the cycles in
   * which the rule would have fired. Null unless the trigger is data usage in a cycle; empty without a tariff.
   */
  overage: z.array(amountSchema).nullable(),
});
/**
 * When a rule would have fired in the last 30 days (UTC, today last), had it been active all that time, for the SIMs that are
 * in its scope and in the organisation now. Counts grow while the replay runs.
 */
export const replaySchema = z.object({
  id: autoflowIdSchema,
  rule_id: autoflowIdSchema.nullable(),
  trigger: triggerKindSchema,
  state: z.enum(replayStates),
  asked_at: instantSchema,
  from: instantSchema,
  to: instantSchema,
  /** SIMs processed, and the total. */
  progress: z.object({ done: countSchema, sims: countSchema }),
  /** Number of stored records of those SIMs and days; for triggers on events, of stored events. */
  records: countSchema,
  /** Milliseconds that it has run; null while it does not run. */
  took_ms: countSchema.nullable(),
  ...firingTotalsSchema.shape,
  /** Number of firings that can be listed: the latest ones. */
  listed: countSchema,
  /** `former`: firings of the version that it is compared with. */
  days: z.array(z.object({ day: dateSchema, count: countSchema, former: countSchema.nullable() })),
  /** Null without a former version, or if the trigger of that version cannot be replayed. */
  former: firingTotalsSchema.extend({ version: z.number().int() }).nullable(),
});
export type Replay = z.output<typeof replaySchema>;

/** A list of these is sorted latest first. */
export const replayFiringSchema = z.object({
  iccid: z.string(),
  /** End of the record with which usage reached the threshold, or the time of the change. */
  at: instantSchema,
  /** The value after that record. */
  measured: measuredSchema,
});
export type ReplayFiring = z.output<typeof replayFiringSchema>;
export const replayFiringsQuerySchema = pageSchema;

export const whyQuerySchema = z.strictObject({ iccid: iccidSchema });
/**
 * Conditions for a rule to fire: the rule is enabled, within its active time, and the SIM is in its scope; the value that it
 * compares is known for the SIM (a limit, a cycle, an activation); the value was below the threshold when the rule was
 * enabled, or when the SIM came to the organisation after that; it has reached the threshold, or the change has happened since; and the rule has not fired for it before.
 */
export const whyChecks = [
  'enabled',
  'begun',
  'not-ended',
  'in-scope',
  'known',
  'below-before',
  'below-at-arrival',
  'reached',
  'happened',
  'not-fired',
] as const;
export type WhyCheck = (typeof whyChecks)[number];
/**
 * `fired`: in this period or for the last change; `waiting`: only the value or the change is missing; `prevented`: another
 * condition is not met; `due`: all conditions are met, and the rule fires at its next check.
 */
export const whyVerdicts = ['fired', 'waiting', 'prevented', 'due'] as const;
export type WhyVerdict = (typeof whyVerdicts)[number];

const comparedValueSchema = z.union([z.string(), z.number()]).nullable();
export const whySchema = z.object({
  rule: z.object({ id: autoflowIdSchema, name: z.string(), version: z.number().int() }),
  trigger: triggerKindSchema,
  iccid: z.string(),
  verdict: z.enum(whyVerdicts),
  comparisons: z.array(
    z.object({
      check: z.enum(whyChecks),
      met: z.boolean(),
      /** Value of the SIM or the rule: a number, tags and types as a comma-separated list, a state, an instant. */
      value: comparedValueSchema,
      /** Value that it is compared with. */
      wanted: comparedValueSchema,
      /** As in `measured` of the run history; for a scope, `product type`, or null for tags and lists. */
      unit: z.string().nullable(),
      /** When the period began, or when the compared thing was enabled or happened. */
      at: instantSchema.nullable(),
    }),
  ),
  /** Within the period of the run history. */
  last_fired: z
    .object({ at: instantSchema, happened_at: instantSchema, measured: measuredSchema })
    .nullable(),
});
export type Why = z.output<typeof whySchema>;

export const overshootBodySchema = z.strictObject({
  ruleIds: z
    .array(autoflowIdSchema)
    .min(1)
    .max(limits.page.sizes.at(-1) ?? 100),
});
/** Seconds, or bits per second. */
const figureSchema = z.number().nonnegative();
/**
 * How far usage can exceed the threshold of a rule on data usage before its actions are done. Usage is known only when the
 * gateway reports it: by then, up to `interval_s` of usage at the fastest rate can be beyond the threshold, plus the usage
 * until the actions are done. Null where there is no data to measure it by.
 */
export const overshootSchema = z.object({
  rule_id: autoflowIdSchema,
  threshold: dataThresholdSchema,
  /** Number of SIMs of the rule, and of those (the ones with the most usage) whose last 7 days were measured. */
  sims: countSchema,
  measured_sims: countSchema,
  /** Seconds between two reports of a session. */
  interval_s: figureSchema,
  /** 99th percentile from the end of a record until the actions are done; of the organisation's other rules if this one never fired. */
  delay_s: figureSchema.nullable(),
  fastest_bps: figureSchema.nullable(),
  typical_bytes: bytesSchema.nullable(),
  worst_bytes: bytesSchema.nullable(),
  /** Largest overshoot of a firing in the last 30 days. */
  seen_bytes: bytesSchema.nullable(),
  /** Threshold to set so that usage stays below the current one in the worst case; null if none is low enough. */
  safer: dataThresholdSchema.nullable(),
});
export type Overshoot = z.output<typeof overshootSchema>;
