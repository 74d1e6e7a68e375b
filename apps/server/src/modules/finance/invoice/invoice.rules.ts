import type { BillUnit } from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { billMonth, formatAmount, formatMicros, versionNumber } from '../bill.rules.ts';
import { type BillDocument, type DocumentLine, settledMinor } from '../document/bill-document.rules.ts';

/**
 * A bill in the terms of EN 16931-1; each field has its business term (BT). Days are `YYYY-MM-DD`, amounts
 * decimal texts.
 */
export interface Invoice {
  /** BT-1: unique for each version. */
  number: string;
  /** BT-2 */
  issuedOn: string;
  /** BT-3 (UNTDID 1001): 380 commercial invoice, 384 corrected invoice. */
  type: '380' | '384';
  /** BT-5 (ISO 4217) */
  currency: string;
  /** BT-9 */
  dueOn: string;
  /** BT-25, BT-26: the version that this one replaced. */
  preceding: { number: string; issuedOn: string } | null;
  /** BG-4: BT-27, BT-30, BT-35, BT-40 */
  seller: { name: string; registration: string; address: string; country: string };
  /** BG-7: BT-44, BT-46, BT-55 */
  buyer: { name: string; code: string; country: string };
  /** BG-14: BT-73, BT-74 */
  period: Period;
  /** BG-16: BT-81 (UNTDID 4461), BT-83, BT-84, BT-85, BT-86 */
  payment: { means: '30' | '58'; reference: string; iban: string; account: string; bic: string };
  /** BG-22 */
  totals: {
    /** BT-106; equals BT-109, BT-112 and BT-116, because there are neither allowances nor tax. */
    lines: string;
    /** BT-110, BT-117 */
    tax: string;
    /** BT-113 */
    paid: string;
    /** BT-115 */
    due: string;
  };
  /** BG-25 */
  lines: InvoiceLine[];
}

export interface Period {
  from: string;
  until: string;
}

export interface InvoiceLine {
  /** BT-126 */
  id: string;
  /** BT-129, BT-130 (UN/ECE Recommendation 20) */
  quantity: string;
  unit: string;
  /** BT-131 */
  amount: string;
  /** BG-26: for a correction, the month that it corrects. */
  period: Period | null;
  /** BT-146 */
  price: string;
  /** BT-153, BT-154 */
  name: string;
  description: string;
}

/** EN 16931-1 allows no further decimals (BR-DEC-09 and following). */
const maxDecimals = 2;

/** Pieces, blocks and parts of messages are "one" (C62); megabytes are of 2^20 octets (E63). */
const unitCodes: Record<BillUnit, string> = { each: 'C62', block: 'C62', part: 'C62', MB: 'E63' };

/**
 * A bill as an invoice, if it can be one: published and not replaced, with lines, with a payee, and in a
 * currency with no more decimals than EN 16931-1 allows.
 * @param textsOf the name of a line, and its arithmetic
 */
export const toInvoice = (
  document: BillDocument,
  textsOf: (line: DocumentLine) => { name: string; note: string },
): Invoice | undefined => {
  const { bill, payee, buyer, replaces, lines } = document;
  const { currency, issued_at: issuedAt, due_on: dueOn } = bill;
  const isInvoice = bill.status === 'published' || bill.status === 'paid';
  if (!isInvoice || !payee || issuedAt === null || dueOn === null) return undefined;
  if (lines.length === 0 || minorDigits(currency) > maxDecimals) return undefined;
  const settled = settledMinor(document);
  const amount = (minor: number) => formatAmount(minor, currency);
  return {
    number: versionNumber(bill),
    issuedOn: dashboardDays.dayOf(new Date(issuedAt)),
    type: replaces ? '384' : '380',
    currency,
    dueOn,
    preceding: replaces && {
      number: versionNumber({ number: bill.number, version: replaces.version }),
      issuedOn: replaces.issuedOn,
    },
    seller: payee,
    buyer,
    period: periodOf(bill.month),
    payment: {
      // SEPA supports only euros.
      means: currency === 'EUR' ? '58' : '30',
      reference: bill.number,
      iban: payee.iban,
      account: payee.name,
      bic: payee.bic,
    },
    totals: {
      lines: amount(bill.total_minor),
      tax: amount(0),
      paid: amount(settled),
      due: amount(bill.total_minor - settled),
    },
    lines: lines.map((line) => {
      const { name, note } = textsOf(line);
      return {
        id: String(line.line),
        quantity: String(line.quantity),
        unit: unitCodes[line.unit],
        amount: amount(line.amount_minor),
        price: formatMicros(line.price_micros),
        name,
        description: note,
        period: line.corrects === null ? null : periodOf(line.corrects),
      };
    }),
  };
};

const periodOf = (month: string): Period => {
  const { from, until } = billMonth(month);
  return {
    from: dashboardDays.dayOf(from),
    until: dashboardDays.dayOf(new Date(until.getTime() - 1)),
  };
};
