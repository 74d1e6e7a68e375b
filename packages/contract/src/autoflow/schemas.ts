import { z } from 'zod';
import { dateSchema, iccidSchema, instantSchema } from '../identifiers.ts';
import type { IssueKey } from '../issues.ts';
import { type Language, languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { pageSchema, sortedPageSchema } from '../paging.ts';
import { currencySchema } from '../price/schemas.ts';
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

/** Current condition of a rule: `waiting` until it starts, `ended` after it expired, `failing` if its last run failed. */
export const ruleConditions = ['enabled', 'disabled', 'waiting', 'ended', 'failing'] as const;
export type RuleCondition = (typeof ruleConditions)[number];

export const ruleBodySchema = newDefinitionSchema.safeExtend({
  name: nameSchema,
  enabled: z.boolean().default(true),
});
/**
 * Names the version that was edited: if the rule has changed since, the update is refused so that no change is lost.
 * Enabling and disabling make no version: without `enabled`, the state stays as it is.
 */
export const ruleUpdateBodySchema = newDefinitionSchema.safeExtend({
  name: nameSchema,
  enabled: z.boolean().optional(),
  ruleId: autoflowIdSchema,
  version: versionSchema,
});
export type RuleBody = z.output<typeof ruleBodySchema>;
export type RuleUpdateBody = z.output<typeof ruleUpdateBodySchema>;

/** State of a firing: `waiting` until every action has ended, `failed` if an action could not be carried out. */
export const runStates = ['waiting', 'done', 'failed'] as const;
export type RunState = (typeof runStates)[number];
const runStateSchema = z.enum(runStates);

/** A list of the rule, named after its file; the name is null if the ICCIDs were typed. */
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
  /** Names of the actions' targets, in the order of the actions; null for operations and removed targets. */
  targets: z.array(
    z.object({ name: z.string(), addresses: countSchema, url: z.string().nullable() }).nullable(),
  ),
  scope_list: ruleListSchema.nullable(),
  imei_list: ruleListSchema.nullable(),
  /** SIMs currently in the scope. */
  sims: countSchema,
  /** Since when the rule is active; what happened before it was enabled or changed is ignored. */
  armed_at: instantSchema.nullable(),
  created_at: instantSchema,
  /** Name of the person who created it; null if the account was removed. */
  created_by: z.string().nullable(),
  updated_at: instantSchema,
  /** Firings of the last 30 days, today (UTC) last. */
  fired: z.object({ total: countSchema, days: z.array(z.object({ day: dateSchema, count: countSchema })) }),
  last_run: z
    .object({ at: instantSchema, state: runStateSchema, actions: countSchema, failed: countSchema })
    .nullable(),
});
export type AutoflowRule = z.output<typeof ruleSchema>;

/** With the ICCIDs of a typed list, so that they can be edited. */
export const ruleDetailSchema = ruleSchema.extend({ iccids: z.array(z.string()).nullable() });
export type AutoflowRuleDetail = z.output<typeof ruleDetailSchema>;

const ruleFilter = {
  search: searchSchema(autoflow.search).optional(),
  trigger: triggerKindSchema.optional(),
  scope: z.enum(scopeKinds).optional(),
};
/** `fired` sorts by the number of firings in the last 30 days. */
export const ruleListQuerySchema = sortedPageSchema(['name', 'created_at', 'fired']).extend({
  ...ruleFilter,
  condition: z.enum(ruleConditions).optional(),
});
/** The filter of the list without the condition: rules are counted by condition. */
export const ruleSummaryQuerySchema = z.strictObject(ruleFilter);

/** Counts of the rules that match the filter. */
export const ruleSummarySchema = z.object({
  rules: countSchema,
  enabled: countSchema,
  disabled: countSchema,
  failing: countSchema,
  /** In the last 30 days. */
  firings: countSchema,
  actions: countSchema,
  failed: countSchema,
});
export type RuleSummary = z.output<typeof ruleSummarySchema>;

/** Units of the numbers in conditions. */
export const triggerUnits = [
  'octets',
  'KB',
  'MB',
  'GB',
  '%',
  'SMS',
  'days',
  'hours',
  'sessions',
  /** Minor units of the currency that the rule names. */
  'minor',
  /** Of the usual usage. */
  'multiple',
] as const;
const unitSchema = z.enum(triggerUnits);
export type TriggerUnit = z.output<typeof unitSchema>;

/** A trigger as forms need it: its number in the open API, the bounds of its condition, and the fields of its notifications. */
export const triggerOfferSchema = z.object({
  kind: triggerKindSchema,
  number: z.number().int(),
  name: z.string(),
  periods: z.array(z.string()),
  /** Minimum and maximum of the condition's number, by unit; empty if the condition has no number. */
  bounds: z.array(z.object({ unit: unitSchema, min: z.number(), max: z.number() })),
  actions: z.array(z.enum(ruleActionKinds)),
  fields: z.array(z.string()),
});
export type TriggerOffer = z.output<typeof triggerOfferSchema>;

/** Errors in the first invalid rows, by row number in the file (the header is row 1), or in the typed text. */
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
/** `upload_id` is null if any row is invalid: a rule accepts only files without errors. */
export const ruleFileSchema = scopeValidationSchema.extend({
  upload_id: z.string().nullable(),
  digest: z.string(),
  rows: countSchema,
});
export type RuleFileValidation = z.output<typeof ruleFileSchema>;
export const ruleFileKinds = ['sims', 'imeis'] as const;
export type RuleFileKind = (typeof ruleFileKinds)[number];

/** Values that were compared when a rule fired, in the unit of the trigger. */
export const measuredSchema = z.object({
  value: z.union([z.string(), z.number()]).nullable(),
  threshold: z.union([z.string(), z.number()]).nullable(),
  /** `octets`, `SMS`, `hours`, `sessions`, or the code of a currency, for its minor units; null if no number was compared. */
  unit: unitSchema.extract(['octets', 'SMS', 'hours', 'sessions']).or(currencySchema).nullable(),
  /** Start of the period that the value covers. */
  since: instantSchema.nullable(),
});
export type Measured = z.output<typeof measuredSchema>;

/** `failed` if the delivery to one of the addresses was given up. */
const runDeliveries = ['waiting', 'delivered', 'failed'] as const;

export const ruleRunSchema = z.object({
  id: z.string(),
  rule: z.object({ id: z.string(), name: z.string(), version: z.number().int() }),
  trigger: triggerKindSchema,
  iccid: z.string(),
  /** When the cause happened, and when the rule fired. */
  happened_at: instantSchema,
  at: instantSchema,
  measured: measuredSchema,
  /** Rules whose operations caused the firing, first one first. */
  chain: z.array(z.object({ id: z.string(), name: z.string() })),
  state: runStateSchema,
  actions: z.array(
    z.object({
      kind: z.enum(ruleActionKinds),
      state: runStateSchema,
      /** Error code if the action failed. */
      code: z.string().nullable(),
      message: z.string().nullable(),
      at: instantSchema.nullable(),
      /** Reference of its task, or the id of its notification. */
      task: z.string().nullable(),
      notification_id: z.string().nullable(),
      /** State of its notification; null for actions that are not notifications. */
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

export const ruleSimSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  lifecycle: lifecycleSchema,
  /** IMEIs allowed for the SIM, if the rule has a list of IMEIs. */
  imeis: z.array(z.string()).nullable(),
  /** Within the period of the run history. */
  last_fired_at: instantSchema.nullable(),
});
export type RuleSim = z.output<typeof ruleSimSchema>;
export const ruleSimsQuerySchema = pageSchema.extend({ search: searchSchema(autoflow.search).optional() });

/** Fields that a template may contain, such as `{{iccid}}`. */
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
  /** Text of SMS notifications. */
  sms: textSchema({ max: limits.sms.content }).refine(namesFields, unknownTemplateField),
});
export type TemplateText = z.output<typeof templateTextSchema>;
/** Readers whose language has no text receive the text of the first language that has one. */
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
  /** Number of rules that use it. */
  rules: countSchema,
  updated_at: instantSchema,
});
export type AutoflowTemplate = z.output<typeof templateSchema>;

export const autoflowCountrySchema = z.object({ code: z.string().length(2), name: z.string() });
