import { z } from 'zod';
import { auditEntrySchema } from '../audit/schemas.ts';
import { dateSchema, iccidSchema, instantSchema } from '../identifiers.ts';
import type { IssueKey } from '../issues.ts';
import { type Language, languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { pageSchema, sortedPageSchema } from '../paging.ts';
import { lifecycleSchema } from '../sim/schemas.ts';
import { linesSchema, searchSchema, textSchema } from '../text.ts';
import { editedVersion, versionSchema } from '../versions.ts';
import {
  autoflowIdSchema,
  newDefinitionSchema,
  newScopeSchema,
  ruleActionKinds,
  ruleDefinitionSchema,
  scopeKinds,
  triggerKindSchema,
} from './rule.ts';

const { autoflow } = limits;
const countSchema = z.number().int().nonnegative();
export const nameSchema = textSchema({ max: autoflow.name });

/** "Enabled or disabled" (specification, section 4). */
export const ruleStates = ['enabled', 'disabled'] as const;
export type RuleState = (typeof ruleStates)[number];

/** What a rule is doing now: `waiting` until it begins, `ended` since it expired, `failing` while its last run failed. */
export const ruleConditions = ['enabled', 'disabled', 'waiting', 'ended', 'failing'] as const;
export type RuleCondition = (typeof ruleConditions)[number];

export const ruleBodySchema = newDefinitionSchema.safeExtend({
  name: nameSchema,
  enabled: z.boolean().default(true),
});
/** The version that was edited: what changed since is refused rather than lost. */
export const ruleUpdateBodySchema = ruleBodySchema.safeExtend({
  ruleId: autoflowIdSchema,
  version: versionSchema,
});
export type RuleBody = z.output<typeof ruleBodySchema>;

/** What became of a firing: `waiting` until each action ended, `failed` when one could not be done. */
export const runStates = ['waiting', 'done', 'failed'] as const;
export type RunState = (typeof runStates)[number];
const runStateSchema = z.enum(runStates);

/** A list of the rule: its name is that of the file, null where ICCIDs were typed. */
const ruleListSchema = z.object({
  name: z.string().nullable(),
  rows: countSchema,
  digest: z.string().nullable(),
});

export const ruleSchema = z.object({
  id: autoflowIdSchema,
  name: z.string(),
  version: z.number().int(),
  enabled: z.boolean(),
  condition: z.enum(ruleConditions),
  ...ruleDefinitionSchema.shape,
  /** Of the targets that actions name, in their order; null for an operation, and for a target that is gone. */
  targets: z.array(
    z.object({ name: z.string(), addresses: countSchema, url: z.string().nullable() }).nullable(),
  ),
  scope_list: ruleListSchema.nullable(),
  imei_list: ruleListSchema.nullable(),
  /** SIMs of the scope now. */
  sims: countSchema,
  /** Since when it judges: what happened before it was switched on or changed is not its concern. */
  armed_at: instantSchema.nullable(),
  created_at: instantSchema,
  /** Whose name stands at it; null when the account is gone. */
  created_by: z.string().nullable(),
  updated_at: instantSchema,
  /** Of the last 30 days, today (UTC) last. */
  fired: z.object({ total: countSchema, days: z.array(z.object({ day: dateSchema, count: countSchema })) }),
  last_run: z
    .object({ at: instantSchema, state: runStateSchema, actions: countSchema, failed: countSchema })
    .nullable(),
});
export type AutoflowRule = z.output<typeof ruleSchema>;

/** ICCIDs of a list that was typed, so that it can be edited. */
export const ruleDetailSchema = ruleSchema.extend({ iccids: z.array(z.string()).nullable() });
export type AutoflowRuleDetail = z.output<typeof ruleDetailSchema>;

const ruleFilter = {
  search: searchSchema(autoflow.search).optional(),
  trigger: triggerKindSchema.optional(),
  scope: z.enum(scopeKinds).optional(),
};
/** `fired`: by the firings of the last 30 days. */
export const ruleListQuerySchema = sortedPageSchema(['name', 'created_at', 'fired']).extend({
  ...ruleFilter,
  condition: z.enum(ruleConditions).optional(),
});
/** The filter of the list but for the condition, by which the rules are counted. */
export const ruleSummaryQuerySchema = z.strictObject(ruleFilter);

/** Counts follow the filter; `made` of `maximum` rules does not. */
export const ruleSummarySchema = z.object({
  rules: countSchema,
  enabled: countSchema,
  disabled: countSchema,
  failing: countSchema,
  /** Of the last 30 days. */
  firings: countSchema,
  actions: countSchema,
  failed: countSchema,
});
export type RuleSummary = z.output<typeof ruleSummarySchema>;

/** What a trigger offers a form: its number in the open API, the bounds of its condition, and the fields of its notifications. */
export const triggerOfferSchema = z.object({
  kind: triggerKindSchema,
  number: z.number().int(),
  name: z.string(),
  periods: z.array(z.string()),
  /** Least and most of the figure that its condition holds, by unit; none where it holds no figure. */
  bounds: z.array(z.object({ unit: z.string(), min: z.number(), max: z.number() })),
  actions: z.array(z.enum(ruleActionKinds)),
  fields: z.array(z.string()),
});
export type TriggerOffer = z.output<typeof triggerOfferSchema>;

/** What is wrong with the first rows, by their number in the file (the heading is row 1), or in what was typed. */
const faultSchema = z.object({
  row: z.number().int(),
  column: z.string(),
  value: z.string(),
  code: z.string(),
  message: z.string(),
});
export const scopeBodySchema = z.strictObject({ scope: newScopeSchema });
export const scopeValidationSchema = z.object({
  sims: countSchema,
  errors: z.array(faultSchema),
  wrong_rows: countSchema,
});
export type ScopeValidation = z.output<typeof scopeValidationSchema>;
/** `upload_id` is null while a row is wrong: a rule takes whole files alone. */
export const ruleFileSchema = scopeValidationSchema.extend({
  upload_id: z.string().nullable(),
  digest: z.string(),
  rows: countSchema,
});
export type RuleFileValidation = z.output<typeof ruleFileSchema>;
export const ruleFileKinds = ['sims', 'imeis'] as const;
export type RuleFileKind = (typeof ruleFileKinds)[number];

/** What was compared when a rule fired. Figures stand in the trigger's own unit. */
export const measuredSchema = z.object({
  value: z.union([z.string(), z.number()]).nullable(),
  threshold: z.union([z.string(), z.number()]).nullable(),
  /** octets, SMS, minor units of a currency, hours; null where no figure was compared. */
  unit: z.string().nullable(),
  /** When the period of a figure began. */
  since: instantSchema.nullable(),
});
export type Measured = z.output<typeof measuredSchema>;

/** `failed` where one of its addresses was given up. */
const runDeliveries = ['waiting', 'delivered', 'failed'] as const;

export const ruleRunSchema = z.object({
  id: z.string(),
  rule: z.object({ id: z.string(), name: z.string(), version: z.number().int() }),
  trigger: triggerKindSchema,
  iccid: z.string(),
  /** When what it fired on happened, and when it fired. */
  happened_at: instantSchema,
  at: instantSchema,
  measured: measuredSchema,
  /** Rules whose operations led to it, the first one first. */
  chain: z.array(z.object({ id: z.string(), name: z.string() })),
  state: runStateSchema,
  actions: z.array(
    z.object({
      kind: z.enum(ruleActionKinds),
      state: runStateSchema,
      /** Why it failed. */
      code: z.string().nullable(),
      message: z.string().nullable(),
      at: instantSchema.nullable(),
      /** Reference of its task, or id of its notification. */
      task: z.string().nullable(),
      notification_id: z.string().nullable(),
      /** What became of its notification so far; null of an action that is none. */
      delivery: z.enum(runDeliveries).nullable(),
    }),
  ),
});
export type RuleRun = z.output<typeof ruleRunSchema>;
export const ruleRunsQuerySchema = pageSchema.extend({
  iccid: iccidSchema.optional(),
  state: runStateSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
});
export const allRunsQuerySchema = ruleRunsQuerySchema.extend({ ruleId: autoflowIdSchema.optional() });

/** Its entries of the audit trail, without addresses and hashes. */
export const ruleChangeSchema = auditEntrySchema.pick({
  number: true,
  at: true,
  action: true,
  actor: true,
  before: true,
  after: true,
});
export type RuleChange = z.output<typeof ruleChangeSchema>;

export const ruleSimSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  lifecycle: lifecycleSchema,
  /** IMEIs allowed in it, of a rule with a list of them. */
  imeis: z.array(z.string()).nullable(),
  /** Within the run history. */
  last_fired_at: instantSchema.nullable(),
});
export type RuleSim = z.output<typeof ruleSimSchema>;
export const ruleSimsQuerySchema = pageSchema.extend({ search: searchSchema(autoflow.search).optional() });

/** Fields that a template may name, as `{{iccid}}`. */
export const templateFields = [
  'rule',
  'event',
  'iccid',
  'device_name',
  'imsi',
  'msisdn',
  'imei',
  'lifecycle',
  'tags',
  'organisation',
  'time',
  'value',
  'threshold',
  'sims',
] as const;
export type TemplateField = (typeof templateFields)[number];
const unknownTemplateField: IssueKey = 'templateField';
const namesFields = (text: string): boolean =>
  !/\{\{|\}\}/.test(text.replaceAll(/\{\{(\w{1,20})\}\}/g, (whole, name) => (isField(name) ? '' : whole)));
const isField = (name: string): name is TemplateField => templateFields.some((field) => field === name);

export const templateTextSchema = z.strictObject({
  subject: textSchema({ max: autoflow.subject }).refine(namesFields, unknownTemplateField),
  text: linesSchema({ max: autoflow.text }).refine(namesFields, unknownTemplateField),
  /** To phones. */
  sms: textSchema({ max: limits.sms.content }).refine(namesFields, unknownTemplateField),
});
export type TemplateText = z.output<typeof templateTextSchema>;
/** Readers of a language that has no text get that of the first that has one. */
export const textsSchema = z
  .strictObject(
    Object.fromEntries(languages.map((language) => [language, templateTextSchema.optional()])) as Record<
      Language,
      z.ZodOptional<typeof templateTextSchema>
    >,
  )
  .refine((texts) => Object.keys(texts).length > 0, 'required' satisfies IssueKey);
export const templateBodySchema = z.strictObject({ name: nameSchema, texts: textsSchema });
export const templateUpdateBodySchema = templateBodySchema.extend({
  templateId: autoflowIdSchema,
  ...editedVersion,
});
export const templateSchema = z.object({
  id: z.string(),
  version: versionSchema,
  name: z.string(),
  texts: textsSchema,
  /** Rules that use it. */
  rules: countSchema,
  updated_at: instantSchema,
});
export type AutoflowTemplate = z.output<typeof templateSchema>;

export const autoflowCountrySchema = z.object({ code: z.string().length(2), name: z.string() });
