import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema } from '../identifiers.ts';
import { chargeKinds, chargeUnits, minorSchema } from '../price/cost.ts';

/** The four types of the specification (section 3, "Invoice"): charges of a month by terms, and prepaid orders. */
export const billTypes = ['post-payment', 'advance', 'credit', 'predeposit'] as const;
export type BillType = (typeof billTypes)[number];
/** How a settlement customer pays the charges of a month. */
export const settlementTerms = ['post-payment', 'credit', 'predeposit'] as const;
export type SettlementTerms = (typeof settlementTerms)[number];

/** Both readings of the specification (section 4, "Bill status"). */
export const billStatuses = ['draft', 'published', 'obsolete', 'paid'] as const;
export type BillStatus = (typeof billStatuses)[number];
export const billStates = ['draft', 'issued', 'expired', 'paid'] as const;
export type BillState = (typeof billStates)[number];

/** What a line is for: what a cycle is charged for, and messages. */
export const billLineKinds = [...chargeKinds, 'sms-mt', 'sms-mo'] as const;
export type BillLineKind = (typeof billLineKinds)[number];
/** What lines are counted in: as charges are, and parts of messages. */
export const billUnits = [...chargeUnits, 'part'] as const;
export type BillUnit = (typeof billUnits)[number];

/** What bills are made of, in the order in which they say it. */
export const billGroups = ['bundles', 'pools', 'overage', 'sms', 'corrections'] as const;
export type BillGroup = (typeof billGroups)[number];

const named = z.object({ code: z.string(), name: z.string() });
/** A month in UTC+8. */
export const billMonthSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
export const billIdSchema = z.string().regex(/^\d{1,18}$/);
export const billNumberSchema = z.string().regex(/^BILL-\d{4}-\d{2}-\d{5,12}$/);

export const billSchema = z.object({
  id: billIdSchema,
  /** The same for all versions of a bill. */
  number: billNumberSchema,
  version: z.number().int().positive(),
  type: z.enum(billTypes),
  month: billMonthSchema,
  status: z.enum(billStatuses),
  /** The other reading; null of a version that was replaced. */
  state: z.enum(billStates).nullable(),
  settlement_customer: named,
  currency: z.string().length(3),
  /** The sum of the lines, before tax. */
  total_minor: minorSchema,
  paid_minor: minorSchema,
  /** What the lines of each group come to; groups without lines are left out. */
  groups: z.array(z.object({ group: z.enum(billGroups), amount_minor: minorSchema })),
  computed_at: instantSchema,
  issued_at: instantSchema.nullable(),
  due_on: dateSchema.nullable(),
  paid_on: dateSchema.nullable(),
  credit_limit_minor: minorSchema.nullable(),
  credit_left_minor: minorSchema.nullable(),
  opening_minor: minorSchema.nullable(),
  top_up_minor: minorSchema.nullable(),
  closing_minor: minorSchema.nullable(),
});
export type Bill = z.output<typeof billSchema>;

export const billLineSchema = z.object({
  line: z.number().int().positive(),
  /** In whose section it is. */
  organisation: named,
  group: z.enum(billGroups),
  kind: z.enum(billLineKinds),
  /** Of a correction: the month that it corrects. */
  corrects: billMonthSchema.nullable(),
  bundle: named.nullable(),
  zone: named.nullable(),
  pool: z.object({ id: z.string(), name: z.string() }).nullable(),
  tariff: named.extend({ starts_on: dateSchema }),
  quantity: z.number().int(),
  unit: z.enum(billUnits),
  bytes: bytesSchema.or(z.number().int()).nullable(),
  price_micros: z.number().int(),
  amount_minor: minorSchema,
  /** In the version before; null where there is none, or it had no such line. */
  before_minor: minorSchema.nullable(),
});
export type BillLine = z.output<typeof billLineSchema>;

export const billSorts = ['month', 'amount'] as const;

/** What a bill's line says of a cycle of a SIM; amounts are exact, in millionths: the line is what is rounded. */
export const billSimSchema = z.object({
  iccid: z.string(),
  amount_micros: z.number().int(),
  charges: z.array(
    z.object({
      line: z.number().int().positive(),
      cycle_started_at: instantSchema,
      quantity: z.number().int(),
      bytes: z.number().int().nullable(),
      amount_micros: z.number().int(),
    }),
  ),
});
export type BillSim = z.output<typeof billSimSchema>;
export const billSimSorts = ['amount'] as const;

export const billExtractSchema = z.object({
  organisation: named,
  group: z.enum(billGroups),
  lines: z.number().int(),
  amount_minor: minorSchema,
});
export type BillExtract = z.output<typeof billExtractSchema>;

export const billVersionSchema = z.object({
  bill: billSchema,
  /** Why it was made, and what it replaced; null of a first version. */
  replaces: z
    .object({ id: billIdSchema, version: z.number().int(), total_minor: minorSchema, reason: z.string() })
    .nullable(),
  payments: z.array(z.object({ paid_on: dateSchema, amount_minor: minorSchema, reference: z.string() })),
});
export type BillVersion = z.output<typeof billVersionSchema>;

const settlementCurrencySchema = z.object({
  currency: z.string().length(3),
  /** Of published bills, less what was paid of them. */
  open_minor: minorSchema,
  past_due_minor: minorSchema,
  /** What top-ups and bills have left of the deposit; null where the customer has none. */
  deposit_minor: minorSchema.nullable(),
  /** The latest twelve months, the first one first. */
  months: z.array(
    z.object({
      month: billMonthSchema,
      group: z.enum(billGroups),
      amount_minor: minorSchema,
      /** Of drafts. */
      provisional: z.boolean(),
    }),
  ),
});
export const settlementSchema = z.object({
  terms: z.enum(settlementTerms),
  credit_limit_minor: minorSchema.nullable(),
  currencies: z.array(settlementCurrencySchema),
});
export type Settlement = z.output<typeof settlementSchema>;
