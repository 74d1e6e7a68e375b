import { z } from 'zod';
import { bundleTypes } from '../bundle/schemas.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { countrySchema } from '../org/schemas.ts';
import { isCurrency } from '../price/minor-digits.ts';
import { lifecycleSchema, newTagSchema, tagSchema } from '../sim/schemas.ts';
import { folded, textSchema } from '../text.ts';

const { autoflow } = limits;
const notAllowed: IssueKey = 'notAllowed';
const positiveInteger = (max: number) => z.number().int().min(1).max(max);
/** Id of a database row without leading zeros: stored definitions compare ids as text. */
export const autoflowIdSchema = z
  .string()
  .regex(/^\d{1,18}$/)
  .overwrite((id) => id.replace(/^0+(?=\d)/, ''));

/** A list without duplicates, compared regardless of case and width; the issue is reported at the second of two equal items. */
const uniqueList = <S extends z.ZodType<string>>(item: S, max: number) =>
  z
    .array(item)
    .min(1)
    .max(max)
    .superRefine((items, context) => {
      const names = items.map(folded);
      for (const [index, name] of names.entries()) {
        if (names.indexOf(name) < index)
          context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      }
    });

/** The specification's seven event triggers (section 3) and additional ones, with their numbers in the open API. */
export const triggerNumbers = {
  'status-change': 10,
  'data-usage': 11,
  'sms-mt': 12,
  'sms-mo': 13,
  'imei-change': 14,
  'first-use': 15,
  'lifecycle-expiry': 16,
  silent: 20,
  country: 21,
  sessions: 22,
  cost: 23,
  'unusual-usage': 24,
} as const;
export type TriggerKind = keyof typeof triggerNumbers;
export const triggerKinds = Object.keys(triggerNumbers) as [TriggerKind, ...TriggerKind[]];
export const triggerKindSchema = z.enum(triggerKinds);

/** For these triggers only the current state is stored, so they cannot be replayed. */
const notReplayable: ReadonlySet<TriggerKind> = new Set(['lifecycle-expiry', 'silent', 'cost']);

/** Whether the data of a trigger is stored for the whole period of a replay. */
export const isReplayable = (trigger: { kind: TriggerKind; unused_days?: number | null }): boolean =>
  !notReplayable.has(trigger.kind) && !trigger.unused_days;

/** `cycle` is the SIM's reset cycle; `day` and `month` are calendar days and months (UTC). */
export const rulePeriods = ['cycle', 'day', 'month'] as const;
export type RulePeriod = (typeof rulePeriods)[number];
const period = z.enum(rulePeriods);

/** Octets of the units of a data threshold. */
export const dataUnits = { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 } as const;
export type DataUnit = keyof typeof dataUnits;

/** Section 5: KB 1 to 1,073,741,824; MB 1 to 1,048,576; GB 1 to 1,024. */
export const dataThresholdSchema = z.discriminatedUnion('unit', [
  z.strictObject({ unit: z.literal('KB'), amount: positiveInteger(autoflow.data.KB) }),
  z.strictObject({ unit: z.literal('MB'), amount: positiveInteger(autoflow.data.MB) }),
  z.strictObject({ unit: z.literal('GB'), amount: positiveInteger(autoflow.data.GB) }),
  /** Percent of the SIM's limit in its cycle. */
  z.strictObject({ unit: z.literal('%'), amount: positiveInteger(autoflow.percent) }),
]);
export type DataThreshold = z.output<typeof dataThresholdSchema>;

const kind = <const K extends TriggerKind>(name: K) => z.literal(name);

/** All triggers except IMEI changes, whose list differs between input and output. */
const commonTriggers = [
  z
    .strictObject({
      kind: kind('status-change'),
      from: z.union([z.literal('any'), lifecycleSchema]),
      to: uniqueList(lifecycleSchema, 5),
    })
    .refine(({ from, to }) => from === 'any' || !to.includes(from), { error: notAllowed, path: ['to'] }),
  z.strictObject({ kind: kind('data-usage'), period, threshold: dataThresholdSchema }),
  z.strictObject({ kind: kind('sms-mt'), period, count: positiveInteger(autoflow.smsMt) }),
  z.strictObject({ kind: kind('sms-mo'), period, count: positiveInteger(autoflow.smsMo) }),
  /** The first session after activation, or no session this many days before the end of the pre-activation period. */
  z.strictObject({ kind: kind('first-use'), unused_days: positiveInteger(autoflow.days).nullable() }),
  z.strictObject({ kind: kind('lifecycle-expiry'), days: positiveInteger(autoflow.days) }),
  z.strictObject({ kind: kind('silent'), hours: positiveInteger(autoflow.silentHours) }),
  z.strictObject({
    kind: kind('country'),
    change: z.enum(['entered', 'left']),
    countries: uniqueList(countrySchema, autoflow.countries),
  }),
  z.strictObject({ kind: kind('sessions'), per_hour: positiveInteger(autoflow.sessions) }),
  /** Cost in the cycle, in the currency's minor units. */
  z.strictObject({
    kind: kind('cost'),
    currency: z.string().regex(/^[A-Z]{3}$/),
    amount_minor: positiveInteger(autoflow.costMinor),
  }),
  /** Usage of a day as a multiple of the SIM's median over the previous 14 days. */
  z.strictObject({ kind: kind('unusual-usage'), multiple: z.number().int().min(2).max(autoflow.multiple) }),
] as const;

/** `any`: another IMEI; `model`: another type allocation code (the first 8 digits); `unlisted`: an IMEI not in the rule's list. */
const imeiChange = z.strictObject({ kind: kind('imei-change'), to: z.enum(['any', 'model']) });
const imeiUnlisted = { kind: kind('imei-change'), to: z.literal('unlisted') };

const commonScopes = [
  z.strictObject({ kind: z.literal('all') }),
  /** SIMs with at least one of the tags. */
  z.strictObject({ kind: z.literal('tags'), tags: uniqueList(tagSchema, autoflow.scopeTags) }),
  /** SIMs whose basic bundle in use is of one of the types. */
  z.strictObject({
    kind: z.literal('product-type'),
    types: uniqueList(z.enum(bundleTypes), bundleTypes.length),
  }),
] as const;
export const scopeKinds = ['all', 'tags', 'product-type', 'uploaded', 'manual'] as const;
export type ScopeKind = (typeof scopeKinds)[number];

/** A list of SIMs, or of SIMs and the IMEIs allowed in each, that belongs to a rule. */
const storedList = { list_id: autoflowIdSchema };
/** The list in input: a validated upload with the digest of the file that the person has now, or the existing list unchanged. */
const uploadedList = z.strictObject({
  upload_id: z.uuid(),
  /** SHA-256 of the file, hexadecimal; refused if it differs from the validated file. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});
const fileSchema = z.union([uploadedList, z.strictObject(storedList)]);
export type RuleFile = z.output<typeof fileSchema>;

const target = { group_id: autoflowIdSchema, template_id: autoflowIdSchema.nullable().default(null) };
export const rateLimits = [128, 256] as const;

/** Notifications are sent to a target of `notify`; operations are applied to the SIM by a task and the network. */
export const ruleActionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('mail'), ...target }),
  z.strictObject({ kind: z.literal('api'), group_id: autoflowIdSchema }),
  z.strictObject({ kind: z.literal('sms'), ...target }),
  /** Flow-control shutdown: data is off until a new cycle starts or somebody resumes it. */
  z.strictObject({ kind: z.literal('data-off') }),
  z.strictObject({ kind: z.literal('slow'), kbps: z.literal(rateLimits) }),
  z.strictObject({ kind: z.literal('terminate-order') }),
  z.strictObject({ kind: z.literal('suspend-mt-sms') }),
  z.strictObject({ kind: z.literal('suspend') }),
  z.strictObject({ kind: z.literal('add-tag'), tag: tagSchema }),
]);
export type RuleAction = z.output<typeof ruleActionSchema>;
export type RuleActionKind = RuleAction['kind'];
export const ruleActionKinds = [
  'mail',
  'api',
  'sms',
  'data-off',
  'slow',
  'terminate-order',
  'suspend-mt-sms',
  'suspend',
  'add-tag',
] as const satisfies readonly RuleActionKind[];

const actionsSchema = z
  .array(ruleActionSchema)
  .min(1)
  .max(autoflow.actions)
  .superRefine((actions, context) => {
    const seen = new Set<string>();
    for (const [index, { kind, ...action }] of actions.entries()) {
      // At most one operation of a kind and one notification per target.
      const key = 'group_id' in action ? `${kind} ${action.group_id}` : kind;
      if (seen.has(key)) context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      seen.add(key);
    }
  });

const instant = z.iso.datetime().regex(/^[12]\d{3}-/);
const commonFields = {
  actions: actionsSchema,
  /** Period in which the rule is active; null: from now, without an end. */
  active_from: instant.nullable(),
  active_until: instant.nullable(),
  /** Firings within this many minutes are sent as one message; null: one message per firing. */
  group_minutes: positiveInteger(autoflow.groupMinutes).nullable(),
};

/** Trigger of a rule, as stored in a version of it. */
export const triggerSchema = z.discriminatedUnion('kind', [
  ...commonTriggers,
  z.discriminatedUnion('to', [imeiChange, z.strictObject({ ...imeiUnlisted, ...storedList })]),
]);
export type Trigger = z.output<typeof triggerSchema>;
export type TriggerOf<K extends TriggerKind> = Extract<Trigger, { kind: K }>;
export const scopeSchema = z.discriminatedUnion('kind', [
  ...commonScopes,
  z.strictObject({ kind: z.literal(['uploaded', 'manual']), ...storedList }),
]);
export type Scope = z.output<typeof scopeSchema>;
export const ruleDefinitionSchema = z.strictObject({
  trigger: triggerSchema,
  scope: scopeSchema,
  ...commonFields,
});
export type RuleDefinition = z.output<typeof ruleDefinitionSchema>;

/** Trigger of a rule in input. */
export const newTriggerSchema = z.discriminatedUnion('kind', [
  ...commonTriggers,
  z.discriminatedUnion('to', [imeiChange, z.strictObject({ ...imeiUnlisted, file: fileSchema })]),
]);
/** The format of ICCIDs is checked later, where each invalid one is reported (`invalidIccids`). */
const iccidsInput = z
  .array(textSchema({ max: 60 }))
  .min(1)
  .max(autoflow.manualSims);
export const newScopeSchema = z.discriminatedUnion('kind', [
  ...commonScopes,
  z.strictObject({ kind: z.literal('uploaded'), file: fileSchema }),
  z.strictObject({ kind: z.literal('manual'), iccids: iccidsInput }),
]);
export type NewScope = z.output<typeof newScopeSchema>;
export type NewTrigger = z.output<typeof newTriggerSchema>;
/** Rules stored before may have any tag; a new one is a tag that may be added. */
const newActions = actionsSchema.superRefine((actions, context) => {
  for (const [index, action] of actions.entries()) {
    const issues = action.kind === 'add-tag' ? (newTagSchema.safeParse(action.tag).error?.issues ?? []) : [];
    for (const { message } of issues) context.addIssue({ code: 'custom', message, path: [index, 'tag'] });
  }
});
const newDefinition = {
  trigger: newTriggerSchema,
  scope: newScopeSchema,
  ...commonFields,
  actions: newActions,
};
const endsAfterStart = {
  error: 'endBeforeStart' satisfies IssueKey,
  path: ['active_until'],
};
export const newDefinitionSchema = z
  .strictObject(newDefinition)
  .refine(
    ({ active_from: from, active_until: until }) => !(from && until) || Date.parse(until) > Date.parse(from),
    endsAfterStart,
  )
  // There is never a cost in a currency that does not exist.
  .refine(({ trigger }) => trigger.kind !== 'cost' || isCurrency(trigger.currency), {
    error: notAllowed,
    path: ['trigger', 'currency'],
  });
export type NewDefinition = z.output<typeof newDefinitionSchema>;
