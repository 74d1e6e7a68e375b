import type { BillVersion } from '@simcube/contract/finance';
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useToasts } from '../../lib/toast/index.ts';
import { bill, line, version } from '../../testing/bills.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { BillScreen } from './bill/bill.screen.tsx';
import { FinanceScreen } from './list/finance.screen.tsx';
import { billSearch, billsSearch } from './search.ts';

const gateway = stubGateway();
const base = '/cube/v2/api/customer';

const openBill = {
  id: '7',
  type: 'post-payment',
  month: '2026-10',
  state: 'issued',
  due_on: '2026-11-28',
  to_pay_minor: 123_451,
} as const;

const FinanceAt = () => <FinanceScreen {...useAddress(billsSearch)} />;
const BillAt = () => <BillScreen {...useAddress(billSearch)} />;

const respondWithBill = (shown: BillVersion = version): void => {
  gateway.respond(`GET ${base}/bills/version`, () => success(shown));
  const gone = { ...line, line: 2, kind: 'sms-mt', group: 'sms', bundle: null, amount_minor: 300 } as const;
  gateway.respond(`GET ${base}/bills/details`, ({ query }) =>
    query.get('billId') === '6'
      ? success([{ ...line, line: 1 }, gone], { total_count: 2 })
      : success([line], { total_count: 1 }),
  );
  gateway.respond(`GET ${base}/bills/versions`, () => success([bill], { total_count: 1 }));
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
beforeEach(() => {
  signedInAs('admin');
  gateway.respond(`GET ${base}/bills/offers`, () => success({ billed: true, offers: null }));
  gateway.respond(`GET ${base}/bills/estimate`, () => success({ billed: true, estimate: null }));
  gateway.respond(`GET ${base}/bills/settles`, () =>
    success({
      terms: 'credit',
      credit_limit_minor: 1_500_000,
      credit_limit_currency: 'EUR',
      states: [{ state: 'issued', bills: 1 }],
      first_month: '2026-10',
      last_month: '2026-10',
      currencies: [
        {
          currency: 'EUR',
          open_minor: 255_302,
          past_due_minor: 8400,
          deposit_minor: null,
          drafts_minor: 0,
          credit_balance_minor: 1200,
          undrafted: null,
          credit_limit_minor: 1_500_000,
          credit_used_minor: 255_302,
          open_count: 4,
          open_bills: [{ ...openBill, id: '6', state: 'expired', due_on: '2026-11-13' }, openBill],
          months: [{ month: '2026-10', group: 'overage', amount_minor: 9562, provisional: false }],
        },
      ],
    }),
  );
});

test('a bill shows more lines on demand, and full sums from the start', async () => {
  const large = { ...version, replaces: null, bill: { ...bill, total_minor: 30_000 } };
  respondWithBill({
    ...large,
    bill: { ...large.bill, groups: [{ group: 'overage', amount_minor: 30_000 }] },
  });
  const next = { ...line, line: 2, bundle: { code: 'LAST', name: 'The last bundle' }, amount_minor: 20_438 };
  gateway.respond(`GET ${base}/bills/details`, ({ query }) =>
    query.get('cursor') === 'after-1'
      ? success([next], { total_count: 2 })
      : success([line], { total_count: 2, next_cursor: 'after-1' }),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7');
  const more = await screen.findByRole('button', { name: 'Show more lines' });
  expect(screen.queryByText(/The last bundle/)).toBeNull();
  expect(screen.getAllByText('€300.00').length).toBeGreaterThanOrEqual(2);
  await user.click(more);
  expect(await screen.findByText(/The last bundle/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more lines' })).toBeNull();
});

test('a link opens a line on any page of its bill, and reports a missing one', async () => {
  respondWithBill();
  const far = { ...line, line: 2400, bundle: { code: 'FAR', name: 'The far bundle' } };
  gateway.respond(`GET ${base}/bills/details`, ({ query }) => {
    const wanted = query.get('line');
    if (wanted === null) return success([line], { total_count: 2400, next_cursor: 'after-1' });
    return success(wanted === '2400' ? [far] : [], { total_count: 1 });
  });
  gateway.respond(`POST ${base}/sim/bills`, () => success([], { total_count: 0 }));
  const { history } = renderScreen(<BillAt />, '/?id=7&line=2400');
  expect(await screen.findByText(/The far bundle/)).toBeVisible();
  act(() => history.push('/?id=7&line=2401'));
  expect(await screen.findByText('Not found')).toBeVisible();
});

test('bills are listed beside open, past due and credit amounts', async () => {
  gateway.respond(`POST ${base}/bills`, () => success([bill], { total_count: 1 }));
  renderScreen(<FinanceAt />, '/');
  const number = await screen.findByText('BILL-2026-10-00417');
  expect(number.closest('a')).toHaveAttribute('href', '/en-US/financeDetailsPage?id=7');
  for (const text of ['v2', 'Post-payment', 'October 2026', '€95.62', 'Issued'])
    expect(number.closest('tr')).toHaveTextContent(text);
  const open = await screen.findByRole('region', { name: 'Open' });
  for (const text of ['€2,553.02', '€84.00', '€1,234.51', '2 more bills', '€2,553.02 of €15,000.00'])
    expect(open).toHaveTextContent(text);
  expect(open).toHaveTextContent('Credit balance€12.00');
  const links = within(open).getAllByRole('link', { name: 'Oct · Post-payment' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['6', '7'].map((id) => `/en-US/financeDetailsPage?id=${id}`),
  );
  expect(open).not.toHaveTextContent('so far');
});

test('the numbers of bills in each state are shown only without other filters', async () => {
  gateway.respond(`POST ${base}/bills`, () => success([bill], { total_count: 1 }));
  const { history } = renderScreen(<FinanceAt />, '/?state=issued');
  expect(await screen.findByRole('button', { name: 'Issued 1' })).toBeInTheDocument();
  history.push('/?state=issued&type=credit');
  expect(await screen.findByRole('button', { name: 'Issued' })).toBeInTheDocument();
});

test('bills by month include the estimate of the current month', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') });
  gateway.respond(`POST ${base}/bills`, () => success([bill], { total_count: 1 }));
  const part = { so_far_minor: 100, expected_minor: 4000, low_minor: 3000, high_minor: 5000, zone: null };
  const parts = [
    { ...part, group: 'bundles', kind: 'cycle' },
    { ...part, group: 'overage', kind: 'over-quota' },
    { ...part, group: 'overage', kind: 'out-of-coverage', zone: { code: 'rest', name: 'Rest' } },
  ];
  const currency = { ...part, currency: 'EUR', expected_minor: 12_000, parts };
  const estimate = { month: '2026-11', computed_at: '2026-11-21T10:00:00.000Z', usage_days: 20 };
  gateway.respond(`GET ${base}/bills/estimate`, () =>
    success({ billed: true, estimate: { ...estimate, unpriced_cycles: 0, currencies: [currency] } }),
  );
  const { user } = renderScreen(<FinanceAt />, '/');
  const card = await screen.findByRole('region', { name: 'Bills by month' });
  await user.click(await within(card).findByRole('button', { name: 'Show as table' }));
  const rows = await within(card).findAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'MonthBundlesOverage',
    'October 2026€0.00€95.62',
    'November 2026 · draft or estimate€40.00€80.00',
  ]);
});

test('the history of a bill has its versions, payments, today and the due date in order', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') });
  respondWithBill({
    ...version,
    bill: { ...bill, paid_minor: 5000, to_pay_minor: 4562 },
    payments: [{ paid_on: '2026-11-20', amount_minor: 5000, reference: 'Transfer 1' }],
  });
  const former = { ...bill, id: '6', version: 1, state: null, issued_at: '2026-11-03T02:00:00.000Z' };
  gateway.respond(`GET ${base}/bills/versions`, () => success([bill, former], { total_count: 2 }));
  renderScreen(<BillAt />, '/?id=7');
  const payment = await screen.findByRole('region', { name: 'Payment' });
  await waitFor(() =>
    expect(
      within(payment)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      ...['Version 1 issuedNov 3, 2026', 'Version 2 issuedNov 18, 2026', '€50.00 paidNov 20, 2026'],
      ...['TodayNov 22, 2026 (UTC+8)', 'DueNov 28, 2026'],
    ]),
  );
});

test('a bill covered by its deposit shows neither payment account nor due date', async () => {
  const covered = { type: 'predeposit', status: 'paid', state: 'paid', to_pay_minor: 0 } as const;
  const deposit = { opening_minor: 10_000, top_up_minor: 0, closing_minor: 438 };
  respondWithBill({ ...version, bill: { ...bill, ...covered, ...deposit } });
  renderScreen(<BillAt />, '/?id=7');
  const settled = await screen.findByRole('region', { name: 'Payment' });
  for (const text of ['€0.00', '€4.38']) expect(settled).toHaveTextContent(text);
  for (const text of ['ES91', 'Due']) expect(settled).not.toHaveTextContent(text);
});

test('filters in the URL are sent to the server, without invalid ones', async () => {
  gateway.respond(`POST ${base}/bills`, () => success([], { total_count: 0 }));
  renderScreen(<FinanceAt />, '/?state=expired&month=2026-10&versions=all&type=nothing');
  expect(await screen.findByText('No bill matches')).toBeInTheDocument();
  const asked = gateway.sent.filter(({ path }) => path === `${base}/bills`).at(-1);
  expect(asked?.body).toMatchObject({ state: ['expired'], month: '2026-10', replaced: true });
  expect(asked?.body).not.toHaveProperty('type');
});

test('a line is compared with the previous version, and expands to its calculation and SIMs', async () => {
  respondWithBill();
  gateway.respond(`POST ${base}/sim/bills`, () =>
    success(
      [
        {
          iccid: '8934070000023548827',
          device_name: 'Kiosk Madrid 3',
          amount_micros: 19_248_000,
          charges: [
            {
              line: 1,
              cycle_started_at: '2026-09-30T16:00:00.000Z',
              quantity: 4812,
              bytes: 5_045_000_000,
              amount_micros: 19_248_000,
            },
          ],
        },
      ],
      { total_count: 14 },
    ),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7');
  const opener = await screen.findByRole('button', { name: 'EU 8 GB Month, over the quota' });
  const row = opener.closest('tr');
  for (const text of ['Acme 3', '€0.004', '€143.44', '€95.62', '−€47.82'])
    expect(row).toHaveTextContent(text);
  expect(screen.getByText('Version 1 used another tariff')).toBeInTheDocument();
  expect(screen.getByText('Version 2 of Nov 18 replaces version 1 of Nov 3')).toBeInTheDocument();
  const replaced = screen.getByText('Version 2 of Nov 18 replaces version 1 of Nov 3').closest('p');
  await waitFor(() => expect(replaced).toHaveTextContent('2 of 2 lines changed −€47.82'));
  const dropped = (await screen.findByText('Messages sent')).closest('tr');
  for (const text of ['€3.00', '−€3.00', '23,906 started MB', '€0.004'])
    expect(dropped).toHaveTextContent(text);
  await user.click(opener);
  expect(await screen.findByText('Why €95.62?')).toBeInTheDocument();
  expect(screen.getByText('23,906 started MB × €0.004 = €95.624')).toBeInTheDocument();
  expect(await screen.findByText('14 SIMs')).toBeInTheDocument();
  expect(screen.getByText('Kiosk Madrid 3').closest('button')).toHaveTextContent('€19.248');
});

test('a bill can be computed again without write permission, and differences are listed', async () => {
  signedInAs('user', { permissionsInfo: { user: { 'customer-bill-cube': ['read'] } } });
  respondWithBill();
  const { user } = renderScreen(<BillAt />, '/?id=7');
  const card = within(await screen.findByRole('region', { name: 'Checked' }));
  expect(card.getByText(/This bill has not been computed again/)).toBeInTheDocument();
  const mismatches = [{ figure: 'total' as const, item: null, what: '', billed: '9562', computed: '9561' }];
  const check = { checked_at: '2026-11-22T04:10:00.000Z', lines: 1, late: 0, mismatches };
  gateway.respond(`POST ${base}/bills/check`, () => {
    respondWithBill({ ...version, check });
    return success({ check, checking: null });
  });
  await user.click(card.getByRole('button', { name: 'Compute again' }));
  expect(await card.findByText(/not the same/)).toBeInTheDocument();
  expect(card.getByText(/^Total,/).closest('tr')).toHaveTextContent('€95.62€95.61');
});

test('a bill of many SIMs shows the progress of computing it again', async () => {
  const checking = { started_at: '2026-11-22T04:10:00.000Z', sims_done: 12_000, sims: 1_000_000 };
  respondWithBill({ ...version, checking });
  renderScreen(<BillAt />, '/?id=7');
  const card = within(await screen.findByRole('region', { name: 'Checked' }));
  expect(card.getByText('Being computed again: 12,000 of 1,000,000 SIMs.')).toBeInTheDocument();
  expect(card.getByRole('button', { name: /Compute again/ })).toHaveClass('ant-btn-loading');
  respondWithBill({
    ...version,
    check: { checked_at: '2026-11-22T04:15:00.000Z', lines: 1, late: 0, mismatches: [] },
  });
  expect(await card.findByText(/the same cents/, {}, { timeout: 10_000 })).toBeInTheDocument();
  expect(card.queryByText(/Being computed again/)).toBeNull();
});

test('a bill shows the account to pay to', async () => {
  respondWithBill();
  renderScreen(<BillAt />, '/?id=7');
  expect(await screen.findByText('ES91 2100 0418 4502 0005 1332')).toBeInTheDocument();
});

const pdfAnswer = (name: string) => () =>
  new Response('%PDF-1.7', {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${name}"`,
    },
  });
const standInTab = () => {
  const tab = { location: { href: '' }, close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  return tab;
};
const standInSaving = () => {
  const saved: string[] = [];
  URL.createObjectURL = () => 'blob:bill';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  return saved;
};

test('the PDF of a bill opens in a new tab, and can be downloaded', async () => {
  respondWithBill();
  const [tab, saved] = [standInTab(), standInSaving()];
  let letGo = (): void => undefined;
  const made = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  gateway.respond(`GET ${base}/bills/preview/pdf`, async () => {
    await made;
    return pdfAnswer('BILL.pdf')();
  });
  gateway.respond(`GET ${base}/bills/download/pdf`, pdfAnswer('BILL-2026-10-00417-v2.pdf'));
  const { user } = renderScreen(<BillAt />, '/?id=7');
  const preview = await screen.findByRole('button', { name: 'Preview PDF' });
  await user.click(preview);
  // Disabled while a file is being created, so that neither is requested twice.
  expect(screen.getByRole('button', { name: 'Download PDF' })).toBeDisabled();
  expect(tab.location.href).toBe('');
  letGo();
  await waitFor(() => expect(tab.location.href).toBe('blob:bill'));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Download PDF' })).toBeEnabled());
  await user.click(screen.getByRole('button', { name: 'Download PDF' }));
  await waitFor(() => expect(saved).toEqual(['BILL-2026-10-00417-v2.pdf']));
  expect(gateway.sent.find(({ path }) => path.endsWith('/download/pdf'))?.query.get('billId')).toBe('7');
});

test('a PDF that can’t be created closes its tab, shows the error, and can be retried', async () => {
  respondWithBill();
  const tab = standInTab();
  gateway.respond(`GET ${base}/bills/preview/pdf`, () =>
    errorResponse({ http: 409, code: 'CB-06-0005', message: 'The bill has too many lines for a PDF' }),
  );
  const { user } = renderScreen(<BillAt />, '/?id=7');
  await user.click(await screen.findByRole('button', { name: 'Preview PDF' }));
  await waitFor(() => expect(tab.close).toHaveBeenCalled());
  expect(renderHook(() => useToasts()).result.current).toMatchObject([
    { kind: 'error', text: 'The bill has too many lines for a PDF' },
  ]);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Preview PDF' })).toBeEnabled());
});

test('the PDF of a bill is saved when the browser blocks the tab', async () => {
  respondWithBill();
  const saved = standInSaving();
  vi.spyOn(window, 'open').mockReturnValue(null);
  gateway.respond(`GET ${base}/bills/preview/pdf`, pdfAnswer('BILL.pdf'));
  const { user } = renderScreen(<BillAt />, '/?id=7');
  await user.click(await screen.findByRole('button', { name: 'Preview PDF' }));
  await waitFor(() => expect(saved).toEqual(['BILL.pdf']));
});

test('a draft can be previewed, but not downloaded', async () => {
  const draft = { ...bill, status: 'draft', state: 'draft', issued_at: null, due_on: null } as const;
  respondWithBill({ ...version, bill: draft });
  renderScreen(<BillAt />, '/?id=7');
  expect(await screen.findByRole('button', { name: 'Preview PDF' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Download PDF' })).toBeNull();
});

test('the files of a bill are in the menu of its row', async () => {
  const draft = { ...bill, id: '8', number: 'BILL-2026-11-00452', status: 'draft', state: 'draft' } as const;
  gateway.respond(`POST ${base}/bills`, () => success([bill, draft], { total_count: 2 }));
  gateway.respond(`GET ${base}/bills/download/pdf`, pdfAnswer('BILL-2026-10-00417-v2.pdf'));
  const saved = standInSaving();
  const { user } = renderScreen(<FinanceAt />, '/');
  await user.click(await screen.findByRole('button', { name: 'Files of BILL-2026-10-00417' }));
  const names = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(names).toEqual(['Preview PDF', 'Download PDF', 'Lines (CSV)', 'Lines (Excel (XLSX))']);
  await user.click(screen.getByRole('menuitem', { name: 'Download PDF' }));
  await waitFor(() => expect(saved).toEqual(['BILL-2026-10-00417-v2.pdf']));
  await user.click(screen.getByRole('button', { name: 'Files of BILL-2026-11-00452' }));
  const refused = await screen.findByRole('menuitem', { name: /Download PDF/ });
  expect(refused).toHaveAttribute('aria-disabled', 'true');
  expect(refused).toHaveTextContent('A draft can only be previewed');
});

test('a bill that does not exist links back to the list', async () => {
  gateway.respond(`GET ${base}/bills/version`, () =>
    errorResponse({ http: 404, code: 'CB-06-0001', message: 'The bill does not exist.' }),
  );
  renderScreen(<BillAt />, '/?id=8');
  await waitFor(() => expect(screen.getByText('All bills')).toHaveAttribute('href', '/en-US/finance'));
});
