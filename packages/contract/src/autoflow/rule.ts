import { z } from 'zod';
import { bundleTypes } from '../bundle/schemas.ts';
import type { IssueKey } from '../issues.ts';
import { limits } from '../limits.ts';
import { countrySchema } from '../org/schemas.ts';
import { lifecycleSchema, tagSchema } from '../sim/schemas.ts';
import { folded, textSchema } from '../text.ts';

const { autoflow } = limits;
const notAllowed: IssueKey = 'notAllowed';
const whole = (max: number) => z.number().int().min(1).max(max);
/** Of a row of the database, in one way of writing: ids are compared as texts where a definition is stored. */
export const autoflowIdSchema = z
  .string()
  .regex(/^\d{1,18}$/)
  .overwrite((id) => id.replace(/^0+(?=\d)/, ''));

/** A list without repetitions, in whatever spelling: the second of two that are the same is the one that is wrong. */
const each = <S extends z.ZodType<string>>(one: S, max: number) =>
  z
    .array(one)
    .min(1)
    .max(max)
    .superRefine((all, context) => {
      const names = all.map(folded);
      for (const [index, name] of names.entries()) {
        if (names.indexOf(name) < index)
          context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      }
    });

/** The specification's seven event triggers (section 3) and those beyond, with their numbers in the open API. */
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

/** Of what these judge, only what is true now is stored. */
const presentOnly: ReadonlySet<TriggerKind> = new Set(['lifecycle-expiry', 'silent', 'cost']);

/** Whether what a trigger judges is stored for as long as a replay goes back. */
export const isReplayable = (trigger: { kind: TriggerKind; unused_days?: number | null }): boolean =>
  !presentOnly.has(trigger.kind) && !trigger.unused_days;

/** `cycle` is the SIM's reset cycle; `day` and `month` are those of the calendar (UTC). */
export const rulePeriods = ['cycle', 'day', 'month'] as const;
export type RulePeriod = (typeof rulePeriods)[number];
const period = z.enum(rulePeriods);

/** Octets of the units of a data threshold. */
export const dataUnits = { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 } as const;
export type DataUnit = keyof typeof dataUnits;

/** Section 5: KB 1 to 1,073,741,824; MB 1 to 1,048,576; GB 1 to 1,024. */
export const dataThresholdSchema = z.discriminatedUnion('unit', [
  z.strictObject({ unit: z.literal('KB'), amount: whole(autoflow.data.KB) }),
  z.strictObject({ unit: z.literal('MB'), amount: whole(autoflow.data.MB) }),
  z.strictObject({ unit: z.literal('GB'), amount: whole(autoflow.data.GB) }),
  /** Of the SIM's limit in its cycle. */
  z.strictObject({ unit: z.literal('%'), amount: whole(autoflow.percent) }),
]);
export type DataThreshold = z.output<typeof dataThresholdSchema>;

const kind = <const K extends TriggerKind>(name: K) => z.literal(name);

/** Triggers but that on the IMEI, whose list is written one way and read another. */
const plainTriggers = [
  z
    .strictObject({
      kind: kind('status-change'),
      from: z.union([z.literal('any'), lifecycleSchema]),
      to: each(lifecycleSchema, 5),
    })
    .refine(({ from, to }) => from === 'any' || !to.includes(from), { error: notAllowed, path: ['to'] }),
  z.strictObject({ kind: kind('data-usage'), period, threshold: dataThresholdSchema }),
  z.strictObject({ kind: kind('sms-mt'), period, count: whole(autoflow.smsMt) }),
  z.strictObject({ kind: kind('sms-mo'), period, count: whole(autoflow.smsMo) }),
  /** The first session after activation, or none so many days before the end of the pre-activation. */
  z.strictObject({ kind: kind('first-use'), unused_days: whole(autoflow.days).nullable() }),
  z.strictObject({ kind: kind('lifecycle-expiry'), days: whole(autoflow.days) }),
  z.strictObject({ kind: kind('silent'), hours: whole(autoflow.silentHours) }),
  z.strictObject({
    kind: kind('country'),
    change: z.enum(['entered', 'left']),
    countries: each(countrySchema, autoflow.countries),
  }),
  z.strictObject({ kind: kind('sessions'), per_hour: whole(autoflow.sessions) }),
  /** In the cycle, in the currency's minor units. */
  z.strictObject({
    kind: kind('cost'),
    currency: z.string().regex(/^[A-Z]{3}$/),
    amount_minor: whole(autoflow.costMinor),
  }),
  /** A day's usage, in multiples of the SIM's own median of the 14 days before it. */
  z.strictObject({ kind: kind('unusual-usage'), multiple: z.number().int().min(2).max(autoflow.multiple) }),
] as const;

/** `any`: another IMEI; `model`: another type allocation code (its first 8 digits); `unlisted`: one not in the rule's list. */
const imeiChange = z.strictObject({ kind: kind('imei-change'), to: z.enum(['any', 'model']) });
const imeiUnlisted = { kind: kind('imei-change'), to: z.literal('unlisted') };

const plainScopes = [
  z.strictObject({ kind: z.literal('all') }),
  /** SIMs that have any of the tags. */
  z.strictObject({ kind: z.literal('tags'), tags: each(tagSchema, autoflow.scopeTags) }),
  /** SIMs whose basic bundle in use is of one of the types. */
  z.strictObject({ kind: z.literal('product-type'), types: each(z.enum(bundleTypes), bundleTypes.length) }),
] as const;
export const scopeKinds = ['all', 'tags', 'product-type', 'uploaded', 'manual'] as const;
export type ScopeKind = (typeof scopeKinds)[number];

/** A list of SIMs, or of SIMs and the IMEIs allowed in each, that belongs to a rule. */
const listed = { list_id: autoflowIdSchema };
/** The same as it comes in: a file that was validated, with the digest of what the person has now; or the list as it stands. */
const newFile = z.strictObject({
  upload_id: z.uuid(),
  /** SHA-256 of the file, hexadecimal: another one than was validated is refused. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});
const fileSchema = z.union([newFile, z.strictObject(listed)]);
export type RuleFile = z.output<typeof fileSchema>;

const target = { group_id: autoflowIdSchema, template_id: autoflowIdSchema.nullable().default(null) };
export const rateLimits = [128, 256] as const;

/** Notifications go to a target of `notify`; operations to the SIM, by way of a task and the network. */
export const ruleActionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('mail'), ...target }),
  z.strictObject({ kind: z.literal('api'), group_id: autoflowIdSchema }),
  z.strictObject({ kind: z.literal('sms'), ...target }),
  /** Flow-control shutdown: data off until the cycle turns or somebody resumes it. */
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
      // One operation of a kind, one notification of a target.
      const key = 'group_id' in action ? `${kind} ${action.group_id}` : kind;
      if (seen.has(key)) context.addIssue({ code: 'custom', message: 'duplicate', path: [index] });
      seen.add(key);
    }
  });

const instant = z.iso.datetime().regex(/^[12]\d{3}-/);
const rest = {
  actions: actionsSchema,
  /** From and until when it judges; null: at once, without an end. */
  active_from: instant.nullable(),
  active_until: instant.nullable(),
  /** Firings of so many minutes go out as one message; null: each as its own. */
  group_minutes: whole(autoflow.groupMinutes).nullable(),
};

/** What a rule does, as a version of it is stored. */
export const triggerSchema = z.discriminatedUnion('kind', [
  ...plainTriggers,
  z.discriminatedUnion('to', [imeiChange, z.strictObject({ ...imeiUnlisted, ...listed })]),
]);
export type Trigger = z.output<typeof triggerSchema>;
export type TriggerOf<K extends TriggerKind> = Extract<Trigger, { kind: K }>;
export const scopeSchema = z.discriminatedUnion('kind', [
  ...plainScopes,
  z.strictObject({ kind: z.literal(['uploaded', 'manual']), ...listed }),
]);
export type Scope = z.output<typeof scopeSchema>;
export const ruleDefinitionSchema = z.strictObject({ trigger: triggerSchema, scope: scopeSchema, ...rest });
export type RuleDefinition = z.output<typeof ruleDefinitionSchema>;

/** The same as people write it. */
export const newTriggerSchema = z.discriminatedUnion('kind', [
  ...plainTriggers,
  z.discriminatedUnion('to', [imeiChange, z.strictObject({ ...imeiUnlisted, file: fileSchema })]),
]);
/** ICCIDs are checked for their form where each is named that is wrong: `invalidIccids`. */
const typedIccids = z
  .array(textSchema({ max: 60 }))
  .min(1)
  .max(autoflow.manualSims);
export const newScopeSchema = z.discriminatedUnion('kind', [
  ...plainScopes,
  z.strictObject({ kind: z.literal('uploaded'), file: fileSchema }),
  z.strictObject({ kind: z.literal('manual'), iccids: typedIccids }),
]);
export type NewScope = z.output<typeof newScopeSchema>;
export type NewTrigger = z.output<typeof newTriggerSchema>;
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);
const newDefinition = { trigger: newTriggerSchema, scope: newScopeSchema, ...rest };
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
  // Of a currency that does not exist there is never a cost.
  .refine(({ trigger }) => trigger.kind !== 'cost' || isCurrency(trigger.currency), {
    error: notAllowed,
    path: ['trigger', 'currency'],
  });
export type NewDefinition = z.output<typeof newDefinitionSchema>;
