import type { BillType } from '@simcube/contract/finance';
import { amountDueMinor } from '../modules/finance/bill.rules.ts';
import type { BillDocument, DocumentLine } from '../modules/finance/document/bill-document.rules.ts';

const eu8 = { code: 'EU8G', name: 'EU 8 GB Month' };
const tariff = { code: 'acme3', name: 'Acme 3', starts_on: '2026-10-01' };
const acme = { code: 'ACME', name: 'Acme Mobility' };
const iberia = { code: 'IBERIA', name: 'Acme Iberia' };

const line = (overrides: Partial<DocumentLine>): DocumentLine => ({
  line: 1,
  organisation: acme,
  group: 'bundles',
  kind: 'cycle',
  corrects: null,
  bundle: eu8,
  zone: null,
  pool: null,
  tariff,
  quantity: 82,
  unit: 'each',
  bytes: null,
  price_micros: 8_400_000,
  amount_minor: 68_880,
  ...overrides,
});

/** Lines of every group in two sections: 2,136.64 EUR. */
const everyGroup: readonly DocumentLine[] = [
  line({}),
  line({
    line: 2,
    group: 'pools',
    kind: 'pool-cycle',
    bundle: null,
    pool: { id: '4', name: 'Trucks Europe' },
    quantity: 1,
    price_micros: 32_500_000,
    amount_minor: 3250,
  }),
  line({
    line: 3,
    group: 'overage',
    kind: 'over-quota',
    quantity: 23_906,
    unit: 'MB',
    bytes: 25_067_000_000,
    price_micros: 4000,
    amount_minor: 9562,
  }),
  line({ line: 4, organisation: iberia, quantity: 130, amount_minor: 109_200 }),
  line({
    line: 5,
    organisation: iberia,
    group: 'overage',
    kind: 'out-of-coverage',
    bundle: null,
    zone: { code: 'rest', name: 'Rest of the world' },
    quantity: 412,
    unit: 'block',
    bytes: 43_000_000_000,
    price_micros: 40_000,
    amount_minor: 1648,
  }),
  line({
    line: 6,
    organisation: iberia,
    group: 'sms',
    kind: 'sms-mt',
    bundle: null,
    unit: 'part',
    quantity: 17_902,
    price_micros: 12_000,
    amount_minor: 21_482,
  }),
  line({
    line: 7,
    organisation: iberia,
    group: 'corrections',
    kind: 'over-quota',
    corrects: '2026-09',
    quantity: -896,
    unit: 'MB',
    bytes: -939_524_096,
    price_micros: 4000,
    amount_minor: -358,
  }),
];

/** A document of a published bill of October 2026, by default. */
export const billDocument = (
  overrides: Partial<BillDocument> & { of?: Partial<BillDocument['bill']> } = {},
): BillDocument => {
  const { of = {}, lines = everyGroup, ...more } = overrides;
  const bill: Omit<BillDocument['bill'], 'to_pay_minor'> = {
    id: '7',
    number: 'BILL-2026-10-00417',
    version: 1,
    type: 'post-payment',
    month: '2026-10',
    status: 'published',
    state: 'issued',
    settlement_customer: acme,
    currency: 'EUR',
    total_minor: lines.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
    paid_minor: 0,
    groups: [],
    computed_at: '2026-11-02T18:10:00.000Z',
    issued_at: '2026-11-02T18:10:00.000Z',
    due_on: '2026-11-13',
    paid_on: null,
    credit_limit_minor: null,
    credit_left_minor: null,
    opening_minor: null,
    top_up_minor: null,
    closing_minor: null,
    ...of,
  };
  const { opening_minor: opening, top_up_minor: topUp, paid_minor: paid } = bill;
  const deposit = opening === null ? null : opening + (topUp ?? 0) + paid;
  return {
    bill: { to_pay_minor: amountDueMinor({ ...bill, deposit_minor: deposit }), ...bill },
    replaces: null,
    payee: {
      name: 'Simcube Operator S.L.',
      address: 'Calle Mayor 1, 28013 Madrid',
      country: 'ES',
      registration: 'B-28000001',
      iban: 'ES9121000418450200051332',
      bic: 'EXAMESMM',
      bank: 'Example Bank',
    },
    buyer: { ...acme, country: 'DE', logo: null },
    logo: null,
    payments: [],
    lines,
    sims: [
      { iccid: '8934070000023548827', device_name: 'Kiosk Madrid 3', amount_micros: 19_248_000 },
      { iccid: '8934070000023584045', device_name: null, amount_micros: 15_908_000 },
    ],
    simCount: 212,
    ...more,
  };
};

/** The additional fields of each type of bill. */
export const fieldsOfType: Record<BillType, Partial<BillDocument['bill']>> = {
  'post-payment': {},
  advance: { type: 'advance' },
  credit: { type: 'credit', credit_limit_minor: 1_500_000, credit_left_minor: 778_326 },
  predeposit: {
    type: 'predeposit',
    status: 'paid',
    state: 'paid',
    paid_on: '2026-11-03',
    opening_minor: 200_000,
    top_up_minor: 300_000,
    closing_minor: 286_316,
  },
};

/** Many lines, as a customer with many sections has. */
export const makeLines = (count: number): DocumentLine[] =>
  Array.from({ length: count }, (_, index) =>
    line({
      line: index + 1,
      organisation: {
        code: `ORG-${Math.floor(index / 40)}`,
        name: `Organisation ${Math.floor(index / 40) + 1}`,
      },
      bundle: { code: `B${index}`, name: `Bundle number ${index + 1}` },
      quantity: 3,
      price_micros: 1_234_500,
      amount_minor: 370,
    }),
  );
