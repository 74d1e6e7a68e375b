import type { Bill, BillLine, BillVersion } from '@simcube/contract/finance';

/** A published bill that replaced another one, with its single line and its version. */
export const bill: Bill = {
  ...{ id: '7', number: 'BILL-2026-10-00417', version: 2, type: 'post-payment', month: '2026-10' },
  ...{ status: 'published', state: 'issued', settlement_customer: { code: 'ACME', name: 'Acme Mobility' } },
  ...{ currency: 'EUR', total_minor: 9562, paid_minor: 0, to_pay_minor: 9562 },
  groups: [{ group: 'overage', amount_minor: 9562 }],
  ...{ computed_at: '2026-11-18T01:30:00.000Z', issued_at: '2026-11-18T01:30:00.000Z' },
  ...{ due_on: '2026-11-28', paid_on: null, credit_limit_minor: null, credit_left_minor: null },
  ...{ opening_minor: null, top_up_minor: null, closing_minor: null },
};
export const line: BillLine = {
  ...{ line: 1, organisation: { code: 'ACME', name: 'Acme Mobility' }, group: 'overage', kind: 'over-quota' },
  ...{ corrects: null, bundle: { code: 'EU8G', name: 'EU 8 GB Month' }, zone: null, pool: null },
  tariff: { code: 'acme3', name: 'Acme 3', starts_on: '2026-10-01' },
  ...{ quantity: 23_906, unit: 'MB', bytes: 25_067_000_000, price_micros: 4000 },
  ...{ amount_minor: 9562, before_minor: 14_344 },
};
export const version: BillVersion = {
  ...{ bill, check: null, checking: null, payments: [] },
  payee: {
    ...{ name: 'Operator S.L.', address: 'Calle Mayor 1', country: 'ES', registration: 'B 1' },
    ...{ iban: 'ES9121000418450200051332', bic: 'EXAMESMM', bank: 'Example Bank' },
  },
  replaces: {
    id: '6',
    version: 1,
    total_minor: 14_344,
    issued_at: '2026-11-03T02:00:00.000Z',
    reason: 'Version 1 used another tariff',
  },
};
