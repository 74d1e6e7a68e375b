import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bill } from '../../../testing/bills.ts';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { billsSearch } from '../search.ts';
import { FinanceScreen } from './finance.screen.tsx';

const gateway = stubGateway();
const base = '/cube/v2/api/customer';
const FinanceAt = () => <FinanceScreen {...useAddress(billsSearch)} />;

const rest = {
  open_minor: 0,
  past_due_minor: 0,
  drafts_minor: 0,
  undrafted: null,
  credit_limit_minor: null,
  credit_used_minor: null,
  credit_balance_minor: 0,
  deposit_minor: null,
  open_count: 0,
  open_bills: [],
};

afterEach(() => {
  vi.useRealTimers();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') });
  signedInAs('admin');
  gateway.respond(`POST ${base}/bills`, () => success([bill], { total_count: 1 }));
  gateway.respond(`GET ${base}/bills/offers`, () => success({ billed: true, offers: null }));
  gateway.respond(`GET ${base}/bills/estimate`, () => success({ billed: true, estimate: null }));
});

test('bills by month have a chart for each currency, with the total of what is billed', async () => {
  const month = { group: 'bundles', amount_minor: 10_000, provisional: false } as const;
  gateway.respond(`GET ${base}/bills/settles`, () =>
    success({
      terms: 'post-payment',
      credit_limit_minor: null,
      credit_limit_currency: null,
      states: [],
      first_month: '2026-09',
      last_month: '2026-11',
      currencies: [
        {
          currency: 'EUR',
          ...rest,
          months: [
            { ...month, month: '2026-08' },
            { ...month, month: '2026-10' },
            { ...month, month: '2026-10', group: 'corrections', amount_minor: -5_000 },
            { ...month, month: '2026-11', provisional: true },
          ],
        },
        { currency: 'JPY', ...rest, months: [{ ...month, month: '2026-10' }] },
      ],
    }),
  );
  const { user } = renderScreen(<FinanceAt />, '/');
  const card = within(await screen.findByRole('region', { name: 'Bills by month' }));
  expect(await card.findByText('€150.00 billed for August 2026 to October 2026')).toBeVisible();
  expect(card.getByText('¥10,000 billed for October 2026')).toBeVisible();
  const [asTable, ...others] = card.getAllByRole('button', { name: 'Show as table' });
  expect(others).toHaveLength(1);
  await user.click(asTable ?? document.body);
  const rows = (await card.findAllByRole('row')).map(({ textContent }) => textContent);
  expect(rows.slice(0, 5)).toEqual([
    'MonthBundlesCorrections',
    ...['August 2026€100.00€0.00', 'September 2026€0.00€0.00', 'October 2026€100.00−€50.00'],
    'November 2026 · draft or estimate€100.00€0.00',
  ]);
});

test('bills by month are shown by year, from that of the first bill to the running one', async () => {
  const amounts = new Map([
    ['2025', 30_000],
    ['2026', 10_000],
  ]);
  gateway.respond(`GET ${base}/bills/settles`, ({ query }) => {
    const year = query.get('year') ?? '';
    const amount = { group: 'bundles', amount_minor: amounts.get(year) ?? 0, provisional: false };
    return success({
      terms: 'post-payment',
      credit_limit_minor: null,
      credit_limit_currency: null,
      states: [],
      first_month: '2025-10',
      last_month: '2026-10',
      currencies: [{ currency: 'EUR', ...rest, months: [{ ...amount, month: `${year}-10` }] }],
    });
  });
  const { user, history } = renderScreen(<FinanceAt />, '/');
  const card = within(await screen.findByRole('region', { name: 'Bills by month' }));
  expect(await card.findByText('€100.00 billed for October 2026')).toBeVisible();
  expect(card.getByRole('button', { name: 'Next year' })).toBeDisabled();
  await user.click(card.getByRole('button', { name: 'Previous year' }));
  expect(await card.findByText('€300.00 billed for October 2025')).toBeVisible();
  expect(history.location.search).toBe('?year=2025');
  expect(card.getByRole('button', { name: 'Previous year' })).toBeDisabled();
});
