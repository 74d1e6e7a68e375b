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
 * A stored rule, a draft, or the draft of a stored rule, which it is compared with: parts that are left out are the rule's, or
 * all SIMs.
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

const firedSchema = z.object({
  firings: countSchema,
  sims: countSchema,
  /**
   * What usage beyond the quota was charged for in the cycles in which the rule would have fired, after it: what stopping data
   * would have avoided. Null for other triggers than data usage in a cycle; nothing in it without a tariff.
   */
  overage: z.array(amountSchema).nullable(),
});
/**
 * When a rule would have fired in the last 30 days (UTC, today last), had it judged all that time, for the SIMs that it is for
 * and the organisation has now. Counts grow while it runs.
 */
export const replaySchema = z.object({
  id: autoflowIdSchema,
  rule_id: autoflowIdSchema.nullable(),
  trigger: triggerKindSchema,
  state: z.enum(replayStates),
  asked_at: instantSchema,
  from: instantSchema,
  to: instantSchema,
  /** SIMs looked at, of how many. */
  progress: z.object({ done: countSchema, sims: countSchema }),
  /** Stored records of those SIMs and days, or events where the trigger is on events. */
  records: countSchema,
  /** Milliseconds that it ran; null while it does not. */
  took_ms: countSchema.nullable(),
  ...firedSchema.shape,
  /** The latest, which can be listed. */
  listed: countSchema,
  /** `former`: of the version that it is compared with. */
  days: z.array(z.object({ day: dateSchema, count: countSchema, former: countSchema.nullable() })),
  /** Null without a former version, and where that one's trigger cannot be replayed. */
  former: firedSchema.extend({ version: z.number().int() }).nullable(),
});
export type Replay = z.output<typeof replaySchema>;

/** The latest first. */
export const replayFiringSchema = z.object({
  iccid: z.string(),
  /** When the record ended that brought usage to the threshold, or when the change happened. */
  at: instantSchema,
  /** What a figure stood at after that record. */
  measured: measuredSchema,
});
export type ReplayFiring = z.output<typeof replayFiringSchema>;
export const replayFiringsQuerySchema = pageSchema;

export const whyQuerySchema = z.strictObject({ iccid: iccidSchema });
/**
 * What has to be so for a rule to fire: it is switched on, within its time and for the SIM; what it compares is known of the
 * SIM (a limit, a cycle, an activation); it was below the threshold when the rule was switched on; it has reached the
 * threshold, or the change has happened since; and the rule has not fired for it before.
 */
export const whyChecks = [
  'enabled',
  'begun',
  'not-ended',
  'in-scope',
  'known',
  'below-before',
  'reached',
  'happened',
  'not-fired',
] as const;
export type WhyCheck = (typeof whyChecks)[number];
/**
 * `fired` in this period or for the last change; `waiting` for the figure or the change alone; `prevented` by something else;
 * `due`: nothing is missing, and it fires when it is judged next.
 */
export const whyVerdicts = ['fired', 'waiting', 'prevented', 'due'] as const;
export type WhyVerdict = (typeof whyVerdicts)[number];

const comparedSchema = z.union([z.string(), z.number()]).nullable();
export const whySchema = z.object({
  rule: z.object({ id: autoflowIdSchema, name: z.string(), version: z.number().int() }),
  trigger: triggerKindSchema,
  iccid: z.string(),
  verdict: z.enum(whyVerdicts),
  comparisons: z.array(
    z.object({
      check: z.enum(whyChecks),
      met: z.boolean(),
      /** Of the SIM or the rule: a figure, tags and types as a list with commas, states, instants. */
      value: comparedSchema,
      /** What it is compared with. */
      wanted: comparedSchema,
      /** As in `measured` of the run history; of a scope `product type`, and nothing of its tags and lists. */
      unit: z.string().nullable(),
      /** When the period began, what was compared was switched on or happened. */
      at: instantSchema.nullable(),
    }),
  ),
  /** Within the run history. */
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
/** Seconds, and bits a second. */
const figureSchema = z.number().nonnegative();
/**
 * How far usage can pass the threshold of a rule on data usage before its actions are done. What a SIM uses is seen when its
 * gateway reports it: up to `interval_s` of use at the fastest rate are past the threshold by then, and what is used while
 * actions are done. Null where nothing was seen to measure it by.
 */
export const overshootSchema = z.object({
  rule_id: autoflowIdSchema,
  threshold: dataThresholdSchema,
  /** SIMs of the rule, and of how many of them, those that use most, the last 7 days were looked at. */
  sims: countSchema,
  measured_sims: countSchema,
  /** Seconds between two reports of a session. */
  interval_s: figureSchema,
  /** From the end of a record until the actions are done, in 99 of 100; of the organisation's other rules where this one never fired. */
  delay_s: figureSchema.nullable(),
  fastest_bps: figureSchema.nullable(),
  typical_bytes: bytesSchema.nullable(),
  worst_bytes: bytesSchema.nullable(),
  /** The most that a firing of the last 30 days stood past the threshold. */
  seen_bytes: bytesSchema.nullable(),
  /** What to set for usage to stay below the threshold at worst; null where no threshold is low enough. */
  safer: dataThresholdSchema.nullable(),
});
export type Overshoot = z.output<typeof overshootSchema>;
