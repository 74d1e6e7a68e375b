import type { Bill, BillLine, BillVersion } from '@simcube/contract/finance';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { refusal, standInGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { showScreen, useAddress } from '../../testing/show-screen.tsx';
import { BillScreen } from './bill/bill.screen.tsx';
import { FinanceScreen } from './list/finance.screen.tsx';
import { billSearch, billsSearch } from './search.ts';

const gateway = standInGateway();
const base = '/cube/v2/api/customer';

const bill: Bill = {
  ...{ id: '7', number: 'BILL-2026-10-00417', version: 2, type: 'post-payment', month: '2026-10' },
  ...{ status: 'published', state: 'issued', settlement_customer: { code: 'ACME', name: 'Acme Mobility' } },
  ...{ currency: 'EUR', total_minor: 9562, paid_minor: 0 },
  groups: [{ group: 'overage', amount_minor: 9562 }],
  ...{ computed_at: '2026-11-18T01:30:00.000Z', issued_at: '2026-11-18T01:30:00.000Z' },
  ...{ due_on: '2026-11-28', paid_on: null, credit_limit_minor: null, credit_left_minor: null },
  ...{ opening_minor: null, top_up_minor: null, closing_minor: null },
};
const line: BillLine = {
  ...{ line: 1, organisation: { code: 'ACME', name: 'Acme Mobility' }, group: 'overage', kind: 'over-quota' },
  ...{ corrects: null, bundle: { code: 'EU8G', name: 'EU 8 GB Month' }, zone: null, pool: null },
  tariff: { code: 'acme3', name: 'Acme 3', starts_on: '2026-10-01' },
  ...{ quantity: 23_906, unit: 'MB', bytes: 25_067_000_000, price_micros: 4000 },
  ...{ amount_minor: 9562, before_minor: 14_344 },
};
const version: BillVersion = {
  ...{ bill, check: null, payments: [] },
  payee: {
    ...{ name: 'Operator S.L.', address: 'Calle Mayor 1', country: 'ES', registration: 'B 1' },
    ...{ iban: 'ES9121000418450200051332', bic: 'EXAMESMM', bank: 'Example Bank' },
  },
  replaces: { id: '6', version: 1, total_minor: 14_344, reason: 'Version 1 used another tariff' },
};

const FinanceAt = () => <FinanceScreen {...useAddress(billsSearch)} />;
const BillAt = () => <BillScreen {...useAddress(billSearch)} />;

const answerBill = (shown: BillVersion = version): void => {
  gateway.answer(`GET ${base}/bills/version`, () => success(shown));
  const gone = { ...line, line: 2, kind: 'sms-mt', group: 'sms', bundle: null, amount_minor: 300 } as const;
  gateway.answer(`GET ${base}/bills/details`, ({ query }) =>
    query.get('billId') === '6'
      ? success([{ ...line, line: 1 }, gone], { total_count: 2 })
      : success([line], { total_count: 1 }),
  );
  gateway.answer(`GET ${base}/bills/versions`, () => success([bill], { total_count: 1 }));
};

beforeEach(() => {
  signedInAs('admin');
  gateway.answer(`GET ${base}/bills/settles`, () =>
    success({
      ...{ terms: 'credit', credit_limit_minor: 1_500_000, states: [{ state: 'issued', bills: 1 }] },
      currencies: [
        {
          ...{ currency: 'EUR', open_minor: 255_302, past_due_minor: 8400, deposit_minor: null },
          months: [{ month: '2026-10', group: 'overage', amount_minor: 9562, provisional: false }],
        },
      ],
    }),
  );
});

test('bills are listed beside what is open, what of it is late and what credit is left', async () => {
  gateway.answer(`POST ${base}/bills`, () => success([bill], { total_count: 1 }));
  showScreen(<FinanceAt />, '/');
  const number = await screen.findByText('BILL-2026-10-00417');
  expect(number.closest('a')).toHaveAttribute('href', '/en-US/financeDetailsPage?id=7');
  for (const text of ['v2', 'Post-payment', 'October 2026', '€95.62', 'issued'])
    expect(number.closest('tr')).toHaveTextContent(text);
  const open = await screen.findByRole('region', { name: 'Open' });
  for (const text of ['€2,553.02', '€84.00', '€12,446.98 of €15,000.00'])
    expect(open).toHaveTextContent(text);
});

test('the filters of the address are the server’s', async () => {
  gateway.answer(`POST ${base}/bills`, () => success([], { total_count: 0 }));
  showScreen(<FinanceAt />, '/?state=expired&month=2026-10&versions=all&type=nothing');
  expect(await screen.findByText('No bill matches')).toBeInTheDocument();
  const asked = gateway.sent.filter(({ path }) => path === `${base}/bills`).at(-1);
  expect(asked?.body).toMatchObject({ state: ['expired'], month: '2026-10', replaced: true });
  expect(asked?.body).not.toHaveProperty('type');
});

test('a line is compared with the version before, and opens into its arithmetic and its SIMs', async () => {
  answerBill();
  gateway.answer(`POST ${base}/sim/bills`, () =>
    success(
      [
        {
          ...{ iccid: '8934070000023548827', device_name: 'Kiosk Madrid 3', amount_micros: 19_248_000 },
          charges: [
            {
              ...{ line: 1, cycle_started_at: '2026-09-30T16:00:00.000Z' },
              ...{ quantity: 4812, bytes: 5_045_000_000, amount_micros: 19_248_000 },
            },
          ],
        },
      ],
      { total_count: 14 },
    ),
  );
  const { user } = showScreen(<BillAt />, '/?id=7');
  const opener = await screen.findByRole('button', { name: 'EU 8 GB Month, over the quota' });
  const row = opener.closest('tr');
  for (const text of ['Acme 3', '€0.004', '€143.44', '€95.62', '-€47.82'])
    expect(row).toHaveTextContent(text);
  expect(screen.getByText('Version 1 used another tariff')).toBeInTheDocument();
  const dropped = (await screen.findByText('Messages sent')).closest('tr');
  for (const text of ['€3.00', '-€3.00']) expect(dropped).toHaveTextContent(text);
  await user.click(opener);
  expect(await screen.findByText('Why €95.62?')).toBeInTheDocument();
  expect(screen.getByText('23,906 started MB × €0.004 = €95.624')).toBeInTheDocument();
  expect(await screen.findByText('14 SIMs')).toBeInTheDocument();
  expect(screen.getByText('Kiosk Madrid 3').closest('button')).toHaveTextContent('€19.248');
});

test('anybody may have the bill computed again, and what is not the same is named', async () => {
  answerBill();
  const { user } = showScreen(<BillAt />, '/?id=7');
  const card = within(await screen.findByRole('region', { name: 'Checked' }));
  expect(card.getByText(/Nobody has had this bill computed again/)).toBeInTheDocument();
  const mismatches = [{ what: 'over-quota EU8G MB', billed: '23906', computed: '23905' }];
  const check = { checked_at: '2026-11-22T04:10:00.000Z', lines: 1, late: 0, mismatches };
  gateway.answer(`POST ${base}/bills/check`, () => {
    answerBill({ ...version, check });
    return success(check);
  });
  await user.click(card.getByRole('button', { name: 'Compute again' }));
  expect(await card.findByText(/not the same/)).toBeInTheDocument();
  expect(card.getByText('over-quota EU8G MB').closest('tr')).toHaveTextContent('2390623905');
});

test('a bill says whom it is paid to', async () => {
  answerBill();
  showScreen(<BillAt />, '/?id=7');
  expect(await screen.findByText('ES91 2100 0418 4502 0005 1332')).toBeInTheDocument();
});

test('a bill that is not there leads back to the others', async () => {
  gateway.answer(`GET ${base}/bills/version`, () =>
    refusal({ http: 404, code: 'CB-06-0001', message: 'The bill does not exist' }),
  );
  showScreen(<BillAt />, '/?id=8');
  await waitFor(() => expect(screen.getByText('All bills')).toHaveAttribute('href', '/en-US/finance'));
});
