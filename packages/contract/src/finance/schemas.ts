import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema, monthSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { chargeKinds, chargeUnits, minorSchema, poolUsageSchema } from '../price/cost.ts';
import { isIban } from './iban.ts';

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

export const named = z.object({ code: z.string(), name: z.string() });
/** A month of business days. */
export const billMonthSchema = monthSchema;
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
  /** By payments of this bill. */
  paid_minor: minorSchema,
  /** What its payments and the deposit that it is taken off leave of it. */
  to_pay_minor: minorSchema,
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
  device_name: z.string().nullable(),
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

/** Who is paid, and how: what the operator says of itself on its bills. */
export const payeeSchema = z.strictObject({
  name: z.string().trim().min(1).max(limits.bills.payee),
  address: z.string().trim().min(1).max(limits.bills.payee),
  /** ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/),
  /** Its number in the register of companies. */
  registration: z.string().trim().min(1).max(limits.bills.payee),
  /** Without spaces. */
  iban: z.string().refine(isIban),
  bic: z.string().regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/),
  bank: z.string().trim().min(1).max(limits.bills.payee),
});
export type Payee = z.output<typeof payeeSchema>;

/** What a bill came to when it was computed again from the records. */
export const billCheckSchema = z.object({
  checked_at: instantSchema,
  lines: z.number().int(),
  /** Cycles with records that came since: the next bill has the difference. */
  late: z.number().int(),
  /** What is not as it was billed; nothing of a bill that comes to the same. */
  mismatches: z.array(z.object({ what: z.string(), billed: z.string(), computed: z.string() })),
});
export type BillCheck = z.output<typeof billCheckSchema>;

/** A bill of many SIMs that is being computed again in the background: how far it is. */
export const billCheckRunSchema = z.object({
  started_at: instantSchema,
  sims_done: z.number().int(),
  sims: z.number().int(),
});
export type BillCheckRun = z.output<typeof billCheckRunSchema>;

/**
 * Of a SIM's cycle: the usage that a bill has a line for, day by day, and the records that it is the sum of. Of a line for a zone it
 * is the usage in that zone, of any other what counts towards the quota: usage that is charged by zone, or as a shared pool's,
 * does not.
 */
export const billCycleSchema = z.object({
  started_at: instantSchema,
  ends_at: instantSchema,
  limit_bytes: bytesSchema.nullable(),
  used_bytes: bytesSchema,
  /** Of a line for a zone: where in it the SIM was. */
  countries: z.array(z.string()).nullable(),
  /** When the record came that went over the quota. */
  used_up_at: instantSchema.nullable(),
  /** Records up to that one, and from it on. */
  records: z.object({ within: z.number().int(), beyond: z.number().int() }),
  /** A business day. */
  days: z.array(z.object({ day: dateSchema, bytes: bytesSchema, beyond_bytes: bytesSchema })),
  /** What this bill and those issued charge of it by such lines, the earliest first: corrections are differences, and add up. */
  charged: z.array(
    z.object({
      bill_id: billIdSchema,
      month: billMonthSchema,
      line: z.number().int().positive(),
      correction: z.boolean(),
      quantity: z.number().int(),
    }),
  ),
});
export type BillCycle = z.output<typeof billCycleSchema>;

/** A shared pool's cycle that a bill has a line for, as it is known now. */
export const billPoolCycleSchema = poolUsageSchema.extend({
  started_at: instantSchema,
  ends_at: instantSchema,
});
export type BillPoolCycle = z.output<typeof billPoolCycleSchema>;

/** What a SIM used of a shared pool's volume in the cycle that a line is for, and what it contributed to the limit. */
export const billPoolMemberSchema = z.object({
  iccid: z.string(),
  /** While the organisation has the SIM. */
  device_name: z.string().nullable(),
  used_bytes: bytesSchema,
  own_bytes: bytesSchema,
});
export type BillPoolMember = z.output<typeof billPoolMemberSchema>;
export const billPoolMemberSorts = ['used_bytes', 'iccid'] as const;

export const billVersionSchema = z.object({
  bill: billSchema,
  /** The last time that somebody had it computed again. */
  check: billCheckSchema.nullable(),
  /** Null while nobody has it computed again in the background. */
  checking: billCheckRunSchema.nullable(),
  payee: payeeSchema.nullable(),
  /** Why it was made, and what it replaced; null of a first version. */
  replaces: z
    .object({
      id: billIdSchema,
      version: z.number().int(),
      total_minor: minorSchema,
      issued_at: instantSchema,
      reason: z.string(),
    })
    .nullable(),
  payments: z.array(z.object({ paid_on: dateSchema, amount_minor: minorSchema, reference: z.string() })),
});
export type BillVersion = z.output<typeof billVersionSchema>;

const settlementCurrencySchema = z.object({
  currency: z.string().length(3),
  /** Of published bills, less what was paid of them. */
  open_minor: minorSchema,
  past_due_minor: minorSchema,
  /** Bills that something is to be paid of. */
  open_count: z.number().int().nonnegative(),
  /** The first of them by their last day: `limits.bills.open`. */
  open_bills: z.array(
    billSchema
      .pick({ id: true, type: true, month: true, due_on: true, to_pay_minor: true })
      .extend({ state: z.enum(['issued', 'expired']) }),
  ),
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
  /** How many bills are in each state; none in those that are left out. */
  states: z.array(z.object({ state: z.enum(billStates), bills: z.number().int() })),
  currencies: z.array(settlementCurrencySchema),
});
export type Settlement = z.output<typeof settlementSchema>;
