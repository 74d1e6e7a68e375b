import { z } from 'zod';
import { bytesSchema, dateSchema, instantSchema, monthSchema } from '../identifiers.ts';
import { limits } from '../limits.ts';
import { chargeKinds, chargeUnits, minorSchema, poolUsageSchema } from '../price/cost.ts';
import { isIban } from './iban.ts';

/** The four types of the specification (section 3, "Invoice"): charges of a month by payment terms, and prepaid orders. */
export const billTypes = ['post-payment', 'advance', 'credit', 'predeposit'] as const;
export type BillType = (typeof billTypes)[number];
/** How a settlement customer pays the charges of a month. */
export const settlementTerms = ['post-payment', 'credit', 'predeposit'] as const;
export type SettlementTerms = (typeof settlementTerms)[number];

/** The specification (section 4, "Bill status") can be read in two ways; both sets of states are provided. */
export const billStatuses = ['draft', 'published', 'obsolete', 'paid'] as const;
export type BillStatus = (typeof billStatuses)[number];
export const billStates = ['draft', 'issued', 'expired', 'paid'] as const;
export type BillState = (typeof billStates)[number];

/** Kinds of lines: charges of cycles, and messages. */
export const billLineKinds = [...chargeKinds, 'sms-mt', 'sms-mo'] as const;
export type BillLineKind = (typeof billLineKinds)[number];
/** Units of lines: those of charges, and parts of messages. */
export const billUnits = [...chargeUnits, 'part'] as const;
export type BillUnit = (typeof billUnits)[number];
/** What the quantity of a line counts; for fees, which have the unit `each`, activations or cycles. */
export const countedUnit = ({ kind, unit }: { kind: string; unit: BillUnit }) => {
  if (unit !== 'each') return unit;
  return kind === 'activation' ? 'activation' : 'cycle';
};

/** Groups of a bill's lines, in the order in which bills list them. */
export const billGroups = ['bundles', 'pools', 'overage', 'sms', 'corrections'] as const;
export type BillGroup = (typeof billGroups)[number];

export const namedSchema = z.object({ code: z.string(), name: z.string() });
/** A month of business days. */
export const billMonthSchema = monthSchema;
export const billIdSchema = z.string().regex(/^\d{1,18}$/);
export const billNumberSchema = z.string().regex(/^BILL-\d{4}-\d{2}-\d{5,12}$/);

export const billSchema = z.object({
  id: billIdSchema,
  /** All versions of a bill have the same number. */
  number: billNumberSchema,
  version: z.number().int().positive(),
  type: z.enum(billTypes),
  month: billMonthSchema,
  status: z.enum(billStatuses),
  /** The state in the other reading; null for a version that was replaced. */
  state: z.enum(billStates).nullable(),
  settlement_customer: namedSchema,
  currency: z.string().length(3),
  /** Total of the lines, before tax. */
  total_minor: minorSchema,
  /** Sum of the payments for this bill. */
  paid_minor: minorSchema,
  /** Amount still to be paid after payments and deductions from the deposit. */
  to_pay_minor: minorSchema,
  /** Totals by group; groups without lines are omitted. */
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
  /** The organisation whose section contains it. */
  organisation: namedSchema,
  group: z.enum(billGroups),
  kind: z.enum(billLineKinds),
  /** For a correction: the corrected month. */
  corrects: billMonthSchema.nullable(),
  bundle: namedSchema.nullable(),
  zone: namedSchema.nullable(),
  pool: z.object({ id: z.string(), name: z.string() }).nullable(),
  tariff: namedSchema.extend({ starts_on: dateSchema }),
  quantity: z.number().int(),
  unit: z.enum(billUnits),
  bytes: bytesSchema.or(z.number().int()).nullable(),
  price_micros: z.number().int(),
  amount_minor: minorSchema,
  /** Amount in the previous version; null if there is none, or it did not have this line. */
  before_minor: minorSchema.nullable(),
});
export type BillLine = z.output<typeof billLineSchema>;

export const billSorts = ['month', 'amount'] as const;

/** A SIM's share in a bill. Amounts are exact, in millionths; only lines are rounded. */
export const billSimSchema = z.object({
  iccid: z.string(),
  device_name: z.string().nullable(),
  amount_micros: z.number().int(),
  charges: z.array(
    z.object({
      line: z.number().int().positive(),
      cycle_started_at: instantSchema,
      /** For messages the end of their day; null if the cycle is no longer stored. */
      cycle_ends_at: instantSchema.nullable(),
      quantity: z.number().int(),
      bytes: z.number().int().nullable(),
      amount_micros: z.number().int(),
    }),
  ),
});
export type BillSim = z.output<typeof billSimSchema>;
export const billSimSorts = ['amount'] as const;

export const billExtractSchema = z.object({
  organisation: namedSchema,
  group: z.enum(billGroups),
  lines: z.number().int(),
  amount_minor: minorSchema,
});
export type BillExtract = z.output<typeof billExtractSchema>;

/** The payee: the operator's details on its bills. */
export const payeeSchema = z.strictObject({
  name: z.string().trim().min(1).max(limits.bills.payee),
  address: z.string().trim().min(1).max(limits.bills.payee),
  /** ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/),
  /** Number in the company register. */
  registration: z.string().trim().min(1).max(limits.bills.payee),
  /** Without spaces. */
  iban: z.string().refine(isIban),
  bic: z.string().regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/),
  bank: z.string().trim().min(1).max(limits.bills.payee),
});
export type Payee = z.output<typeof payeeSchema>;

/**
 * What a check compares: the quantity of an item with the records, the amount of a line with its quantity and price, the
 * total with the sum of the lines, and the numbers of lines and SIMs whose parts don't add up.
 */
export const checkedFigures = ['quantity', 'amount', 'total', 'lines', 'sims'] as const;
export type CheckedFigure = (typeof checkedFigures)[number];

/** What a line charges. */
export const billCheckItemSchema = billLineSchema
  .pick({
    organisation: true,
    kind: true,
    bundle: true,
    zone: true,
    tariff: true,
    unit: true,
    price_micros: true,
  })
  .extend({
    pool: z.object({ id: z.string(), name: z.string(), cycle_started_at: instantSchema }).nullable(),
  });
export type BillCheckItem = z.output<typeof billCheckItemSchema>;

export const billMismatchSchema = z.object({
  figure: z.enum(checkedFigures),
  /** Null for figures of the whole bill, and for results that earlier versions stored. */
  item: billCheckItemSchema.nullable(),
  /** The same in English. */
  what: z.string().meta({ deprecated: true }),
  /** Units of the item, minor units of the currency, or a number of lines or SIMs. */
  billed: z.string(),
  computed: z.string(),
});
export type BillMismatch = z.output<typeof billMismatchSchema>;

/** Result of computing a bill again from the records. */
export const billCheckSchema = z.object({
  checked_at: instantSchema,
  lines: z.number().int(),
  /** Number of cycles with records that arrived since; the difference is on the next bill. */
  late: z.number().int(),
  /** Differences from the bill; empty if the result is the same. */
  mismatches: z.array(billMismatchSchema),
});
export type BillCheck = z.output<typeof billCheckSchema>;

/** Progress of computing a bill again. */
export const billCheckRunSchema = z.object({
  started_at: instantSchema,
  sims_done: z.number().int(),
  sims: z.number().int(),
});
export type BillCheckRun = z.output<typeof billCheckRunSchema>;

/**
 * The usage in a SIM's cycle that a line of a bill charges, by day, with its number of records. For a line of a zone it is the
 * usage in that zone; for any other line it is the usage that counts towards the quota, which excludes usage that is charged
 * by zone or counted for a shared pool.
 */
export const billCycleSchema = z.object({
  started_at: instantSchema,
  ends_at: instantSchema,
  limit_bytes: bytesSchema.nullable(),
  /** Since when records are retained, if the cycle began earlier: then its usage is not known, and empty here. */
  records_since: instantSchema.nullable(),
  used_bytes: bytesSchema,
  /** For a line of a zone: countries of the zone in which the SIM was. */
  countries: z.array(z.string()).nullable(),
  /** Time of the record with which usage exceeded the quota. */
  used_up_at: instantSchema.nullable(),
  /** Number of records before that one, and from it on. */
  records: z.object({ within: z.number().int(), beyond: z.number().int() }),
  /** Business days. */
  days: z.array(z.object({ day: dateSchema, bytes: bytesSchema, beyond_bytes: bytesSchema })),
  /** Charges for this cycle in this and other issued bills, earliest first; corrections are differences, so the charges add up. */
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

/** The cycle of a shared pool that a line of a bill charges, with its figures as known now. */
export const billPoolCycleSchema = poolUsageSchema.extend({
  started_at: instantSchema,
  ends_at: instantSchema,
});
export type BillPoolCycle = z.output<typeof billPoolCycleSchema>;

/** Usage and contribution of a SIM in a shared pool, in the cycle that a line charges. */
export const billPoolMemberSchema = z.object({
  iccid: z.string(),
  /** Null unless the SIM still belongs to the organisation. */
  device_name: z.string().nullable(),
  used_bytes: bytesSchema,
  own_bytes: bytesSchema,
});
export type BillPoolMember = z.output<typeof billPoolMemberSchema>;
export const billPoolMemberSorts = ['used_bytes', 'iccid'] as const;

export const billVersionSchema = z.object({
  bill: billSchema,
  /** Result of the last time the bill was computed again. */
  check: billCheckSchema.nullable(),
  /** Null unless the bill is being computed again. */
  checking: billCheckRunSchema.nullable(),
  payee: payeeSchema.nullable(),
  /** The reason for this version, and the version that it replaced; null for a first version. */
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
  /** Total of published bills minus payments. */
  open_minor: minorSchema,
  past_due_minor: minorSchema,
  /** Total of drafts of months that are over. */
  drafts_minor: minorSchema,
  /**
   * Charges so far of the month that has no draft yet, as last estimated: the running one, or until its drafts are made
   * the one that just ended. Null without an estimate.
   */
  undrafted: z.object({ month: billMonthSchema, so_far_minor: minorSchema }).nullable(),
  /** Null if none applies to this currency. */
  credit_limit_minor: minorSchema.nullable(),
  /** Open bills, drafts and the undrafted month; null without a credit limit. */
  credit_used_minor: minorSchema.nullable(),
  /** What paid bills were paid beyond their totals, also bills below zero; it is not offset automatically. */
  credit_balance_minor: minorSchema,
  /** Number of bills that are not fully paid. */
  open_count: z.number().int().nonnegative(),
  /** The bills that are due first, at most `limits.bills.open`. */
  open_bills: z.array(
    billSchema
      .pick({ id: true, type: true, month: true, due_on: true, to_pay_minor: true })
      .extend({ state: z.enum(['issued', 'expired']) }),
  ),
  /** Balance of the deposit; null if the customer has none. */
  deposit_minor: minorSchema.nullable(),
  /** Those of the year, or the last twelve, earliest first. */
  months: z.array(
    z.object({
      month: billMonthSchema,
      group: z.enum(billGroups),
      amount_minor: minorSchema,
      /** The amount is that of drafts. */
      provisional: z.boolean(),
    }),
  ),
});
export const settlementSchema = z.object({
  terms: z.enum(settlementTerms),
  credit_limit_minor: minorSchema.nullable(),
  /** Null without a limit, and for one from before limits had a currency: it applies to each. */
  credit_limit_currency: z.string().length(3).nullable(),
  /** Number of bills by state; states without bills are omitted. */
  states: z.array(z.object({ state: z.enum(billStates), bills: z.number().int() })),
  /** Months of the earliest and the latest bill; null without bills. */
  first_month: billMonthSchema.nullable(),
  last_month: billMonthSchema.nullable(),
  currencies: z.array(settlementCurrencySchema),
});
export type Settlement = z.output<typeof settlementSchema>;
