import type { Language } from '@simcube/contract';
import { type BillGroup, billGroups, countedUnit, formatIban } from '@simcube/contract/finance';
import { moneyFormats } from '@simcube/contract/money';
import { type PhraseKey, type PhraseValues, phrase } from '@simcube/phrases';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { billMonth } from '../bill.rules.ts';
import {
  type BillDocument,
  type DocumentLine,
  type Stamp,
  sectionsOf,
  settledMinor,
  stampOf,
} from './bill-document.rules.ts';

export interface Fact {
  label: string;
  value: string;
}

export interface LineTexts {
  name: string;
  /** Its arithmetic. */
  note: string;
  tariff: string;
  /** First day of its tariff version. */
  since: string;
  quantity: string;
  price: string;
  amount: string;
}

export interface SectionTexts {
  /** Null if there is only the customer's own section. */
  heading: string | null;
  groups: { name: string; amount: string; lines: LineTexts[] }[];
  subtotal: Fact | null;
}

/** The texts of a bill's document, in the order of its pages. */
export interface BillTexts {
  title: string;
  month: string;
  /** Across each page. */
  stamp: string | null;
  /** At the foot of each page. */
  running: string;
  pageOf: (page: number, pages: number) => string;
  notes: string[];
  seller: { label: string; name: string; lines: string[] };
  buyer: { label: string; name: string; lines: string[] };
  facts: Fact[];
  columns: { line: string; tariff: string; quantity: string; price: string; amount: string };
  sections: SectionTexts[];
  noLines: string | null;
  totals: (Fact & { strong?: boolean })[];
  payment: { title: string; facts: Fact[] };
  payments: { title: string; columns: string[]; rows: string[][] } | null;
  sims: { title: string; columns: string[]; rows: string[][]; notes: string[] } | null;
}

/** @param hasXml whether the bill is embedded as XML, which its last page mentions */
export const billTexts = (document: BillDocument, language: Language, hasXml: boolean): BillTexts => {
  const { bill, buyer, payments } = document;
  const { currency } = bill;
  const say = (key: PhraseKey, values?: PhraseValues) => phrase(language, key, values);
  const money = amountFormatters(language, currency).minor;
  const day = dayFormatter(language);
  const stamp = stampOf(document);
  const name =
    bill.version > 1 ? `${bill.number} · ${say('finance.version', { version: bill.version })}` : bill.number;
  return {
    title: say('billDocument.title', { number: name }),
    month: monthFormatter(language)(bill.month),
    stamp: stamp && say(`billDocument.${stamp}`),
    running: say('billDocument.running', { number: name, customer: buyer.name }),
    pageOf: (page, pages) => say('billDocument.page', { page, pages }),
    notes: notesOf(document, language),
    seller: sellerOf(document, language),
    buyer: {
      label: say('finance.payment.billedTo'),
      name: buyer.name,
      lines: [countryName(language, buyer.country), say('billDocument.customer', { code: buyer.code })],
    },
    facts: factsOf(document, language),
    columns: {
      line: say('finance.fields.line'),
      tariff: say('finance.fields.tariff'),
      quantity: say('finance.fields.quantity'),
      price: say('finance.fields.price'),
      amount: say('finance.fields.amount'),
    },
    sections: sectionTexts(document, language),
    noLines: document.lines.length === 0 ? say('finance.noLines') : null,
    totals: totalsOf(document, language, stamp),
    payment: {
      title: say('finance.payment.title'),
      facts: [...paymentFacts(document, language), ...xmlFact(hasXml, language)],
    },
    payments:
      payments.length === 0
        ? null
        : {
            title: say('billDocument.payments'),
            columns: [
              ...[say('billDocument.paidOn'), say('finance.payment.reference')],
              say('finance.fields.amount'),
            ],
            rows: payments
              .toReversed()
              .map((one) => [day(one.paid_on), one.reference, money(one.amount_minor)]),
          },
    sims: simsOf(document, language),
  };
};

const amountFormatters = (language: Language, currency: string) => {
  const { money, price } = moneyFormats(language);
  return {
    minor: (amount_minor: number) => money({ currency, amount_minor }),
    micros: (micros: number) => price(micros, currency),
  };
};

const dayFormatter = (language: Language) => {
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  });
  return (day: string): string => format.format(new Date(day));
};

const monthFormatter = (language: Language) => {
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', year: 'numeric', month: 'long' });
  return (month: string): string => format.format(new Date(`${month}-01`));
};

const countryName = (language: Language, country: string): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country;

const notesOf = (document: BillDocument, language: Language): string[] => {
  const { bill, replaces, lines } = document;
  const { minor } = amountFormatters(language, bill.currency);
  const day = dayFormatter(language);
  const stamp = stampOf(document);
  return [
    ...(stamp === 'draft'
      ? [
          phrase(language, 'billDocument.draftNote', {
            at: day(dashboardDays.dayOf(new Date(bill.computed_at))),
          }),
        ]
      : []),
    ...(stamp === 'replaced' ? [phrase(language, 'billDocument.replacedNote')] : []),
    ...(replaces
      ? [
          [
            phrase(language, 'finance.replaces', {
              version: bill.version,
              before: replaces.version,
              issued: day(dashboardDays.dayOf(new Date(bill.issued_at ?? bill.computed_at))),
              former: day(replaces.issuedOn),
            }),
            phrase(language, 'billDocument.reason', {
              amount: minor(replaces.totalMinor),
              reason: replaces.reason,
            }),
          ].join(' · '),
        ]
      : []),
    ...(lines.some(({ corrects }) => corrects !== null)
      ? [phrase(language, 'billDocument.correctionsNote')]
      : []),
  ];
};

const sellerOf = ({ payee }: BillDocument, language: Language): BillTexts['seller'] => ({
  label: phrase(language, 'billDocument.from'),
  name: payee?.name ?? phrase(language, 'common.product'),
  lines: payee
    ? [
        payee.address,
        countryName(language, payee.country),
        phrase(language, 'billDocument.registration', { number: payee.registration }),
      ]
    : [phrase(language, 'billDocument.noPayee')],
});

const factsOf = ({ bill }: BillDocument, language: Language): Fact[] => {
  const day = dayFormatter(language);
  const { from, until } = billMonth(bill.month);
  const last = new Date(until.getTime() - 1);
  const state = bill.status === 'published' ? 'issued' : bill.status;
  return [
    {
      label: phrase(language, 'finance.fields.type'),
      value: phrase(language, `finance.types.${bill.type}`),
    },
    {
      label: phrase(language, 'billDocument.period'),
      value: phrase(language, 'billDocument.periodValue', {
        from: day(dashboardDays.dayOf(from)),
        until: day(dashboardDays.dayOf(last)),
        zone: dashboardDays.zone,
      }),
    },
    {
      label: phrase(language, 'finance.fields.issued'),
      value: bill.issued_at === null ? '—' : day(dashboardDays.dayOf(new Date(bill.issued_at))),
    },
    {
      label: phrase(language, 'finance.fields.due'),
      value: bill.due_on === null ? '—' : day(bill.due_on),
    },
    {
      label: phrase(language, 'finance.fields.state'),
      value:
        state === 'obsolete'
          ? phrase(language, 'finance.obsolete')
          : phrase(language, `finance.states.${state}`),
    },
  ];
};

const sectionTexts = ({ bill, buyer, lines }: BillDocument, language: Language): SectionTexts[] => {
  const { minor } = amountFormatters(language, bill.currency);
  const sections = sectionsOf(lines);
  const sum = (lines: readonly DocumentLine[]) =>
    minor(lines.reduce((all, { amount_minor }) => all + amount_minor, 0));
  const formatLine = lineFormatter(language, bill.currency);
  const isOnlySection = sections.length === 1 && sections[0]?.code === buyer.code;
  return sections.map((section) => ({
    heading: isOnlySection ? null : phrase(language, 'billDocument.section', { name: section.name }),
    groups: billGroups.flatMap((group: BillGroup) => {
      const groupLines = section.lines.filter((line) => line.group === group);
      if (groupLines.length === 0) return [];
      const name = phrase(language, `finance.groups.${group}`);
      return [{ name, amount: sum(groupLines), lines: groupLines.map(formatLine) }];
    }),
    subtotal: isOnlySection
      ? null
      : {
          label: phrase(language, 'billDocument.subtotal', { name: section.name }),
          value: sum(section.lines),
        },
  }));
};

/** The names of lines, with their arithmetic. */
export const lineFormatter = (language: Language, currency: string) => {
  const { minor, micros } = amountFormatters(language, currency);
  const count = new Intl.NumberFormat(language, { useGrouping: 'always' });
  const plural = new Intl.PluralRules(language);
  const day = dayFormatter(language);
  const month = monthFormatter(language);
  return (line: DocumentLine): LineTexts => {
    const { kind, bundle, zone, pool, corrects, tariff, quantity, unit, price_micros: price } = line;
    const itemName = phrase(language, `finance.lines.${kind}`, {
      name: (bundle ?? zone ?? pool)?.name ?? '',
    });
    const amount = minor(line.amount_minor);
    const exact = micros(quantity * price);
    const shown = count.format(quantity);
    const product = phrase(language, 'finance.why.product', {
      quantity: phrase(
        language,
        `finance.units.${countedUnit(line)}_${plural.select(quantity) === 'one' ? 'one' : 'other'}`,
        { shown },
      ),
      price: micros(price),
      exact,
    });
    return {
      name:
        corrects === null
          ? itemName
          : phrase(language, 'finance.corrects', { name: itemName, month: month(corrects) }),
      note:
        exact === amount
          ? product
          : phrase(language, 'billDocument.arithmetic', {
              product,
              amount,
              rounded: phrase(language, 'finance.why.rounded'),
            }),
      tariff: tariff.name,
      since: day(tariff.starts_on),
      quantity: unit === 'each' ? shown : `${shown} ${phrase(language, `files.bills.units.${unit}`)}`,
      price: micros(price),
      amount,
    };
  };
};

const totalsOf = (
  document: BillDocument,
  language: Language,
  stamp: Stamp | null,
): (Fact & { strong?: boolean })[] => {
  const { bill } = document;
  const { minor } = amountFormatters(language, bill.currency);
  const fromDeposit = settledMinor(document) - bill.paid_minor;
  const row = (label: PhraseKey, amount: number | null, strong = false) =>
    amount === null ? [] : [{ label: phrase(language, label), value: minor(amount), strong }];
  return [
    ...row('finance.payment.opening', bill.opening_minor),
    ...row('finance.payment.topUp', bill.top_up_minor),
    ...row('finance.total', bill.total_minor, true),
    { label: phrase(language, 'billDocument.tax'), value: phrase(language, 'billDocument.noTax') },
    ...(stamp === null
      ? [
          // The deposit may use a part of the payments for this bill to cover earlier ones.
          ...row('billDocument.fromDeposit', fromDeposit === 0 ? null : -fromDeposit),
          ...row('billDocument.paid', fromDeposit > 0 && bill.paid_minor === 0 ? null : -bill.paid_minor),
          ...row('finance.payment.toPay', bill.to_pay_minor, true),
        ]
      : []),
    ...row('finance.payment.closing', bill.closing_minor),
    ...row('billDocument.creditLimit', bill.credit_limit_minor),
    ...row('finance.payment.creditLeft', bill.credit_left_minor),
  ];
};

const paymentFacts = ({ bill, payee }: BillDocument, language: Language): Fact[] => {
  const say = (label: PhraseKey, value: string): Fact => ({ label: phrase(language, label), value });
  return [
    ...(payee
      ? [
          say('finance.payment.to', payee.name),
          say('finance.payment.iban', formatIban(payee.iban)),
          say('finance.payment.bank', `${payee.bank}, ${payee.bic}`),
        ]
      : []),
    say('finance.payment.reference', bill.number),
    say('billDocument.tax', phrase(language, 'billDocument.taxNote')),
  ];
};

const xmlFact = (hasXml: boolean, language: Language): Fact[] =>
  hasXml ? [{ label: 'XML', value: phrase(language, 'billDocument.xml') }] : [];

const simsOf = ({ bill, sims, simCount }: BillDocument, language: Language): BillTexts['sims'] => {
  if (sims.length === 0) return null;
  const { micros } = amountFormatters(language, bill.currency);
  const count = new Intl.NumberFormat(language, { useGrouping: 'always' });
  return {
    title: phrase(language, 'finance.sims.title'),
    columns: [
      ...[phrase(language, 'files.columns.iccid'), phrase(language, 'finance.sims.device')],
      phrase(language, 'finance.fields.amount'),
    ],
    rows: sims.map(({ iccid, device_name: device, amount_micros }) => [
      ...[iccid, device ?? '—', micros(amount_micros)],
    ]),
    notes: [
      ...(simCount > sims.length
        ? [
            phrase(language, 'billDocument.mostSims', {
              shown: count.format(sims.length),
              total: count.format(simCount),
            }),
          ]
        : []),
      phrase(language, 'billDocument.exact'),
    ],
  };
};
