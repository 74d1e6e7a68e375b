import type { Settlement } from '@simcube/contract/finance';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { OpenCard } from './open-card.tsx';

const settlement = (
  month: Pick<Settlement['currencies'][number], 'undrafted' | 'credit_used_minor'> &
    Partial<Pick<Settlement['currencies'][number], 'credit_limit_minor'>>,
): Settlement => ({
  terms: 'credit',
  credit_limit_minor: 1_500_000,
  credit_limit_currency: 'EUR',
  states: [],
  first_month: '2026-12',
  last_month: '2026-12',
  currencies: [
    {
      currency: 'EUR',
      open_minor: 20_000,
      past_due_minor: 0,
      drafts_minor: 55_000,
      credit_limit_minor: 1_500_000,
      ...month,
      // Those of the year that the chart shows, which has none yet.
      credit_balance_minor: 0,
      deposit_minor: null,
      open_count: 0,
      open_bills: [],
      months: [],
    },
  ],
});

const show = (shown: Settlement) => {
  const response = { data: shown, totalCount: null, totalRelation: 'eq' as const, nextCursor: null };
  const data = { ...response, asOf: null, traceId: null };
  const query = { data, error: null, refetch: vi.fn(), isPlaceholderData: false };
  renderScreen(<OpenCard query={query} />);
};

const creditUsed = async (shown: Settlement) => {
  show(shown);
  return [
    (await screen.findByText('Credit used')).nextSibling?.textContent,
    screen.getAllByRole('img').map((one) => one.getAttribute('aria-label')),
  ];
};

beforeEach(() => signedInAs('admin'));

test('the used credit includes drafts of all months, and the month without one', async () => {
  const undrafted = { month: '2027-01', so_far_minor: 1000 };
  expect(await creditUsed(settlement({ undrafted, credit_used_minor: 76_000 }))).toEqual([
    '€760.00 of €15,000.00',
    ['open bills €200.00, drafts €550.00, January 2027 so far €10.00'],
  ]);
});

test('the used credit includes drafts without an estimate', async () => {
  expect(await creditUsed(settlement({ undrafted: null, credit_used_minor: 75_000 }))).toEqual([
    '€750.00 of €15,000.00',
    ['open bills €200.00, drafts €550.00'],
  ]);
});

test('no used credit is shown while a server does not tell it', async () => {
  const unknown = undefined as unknown as null;
  show(settlement({ undrafted: unknown, credit_used_minor: unknown }));
  expect(await screen.findByText('€200.00')).toBeInTheDocument();
  expect(screen.queryByText('Credit used')).toBeNull();
});

test('a currency to which the credit limit does not apply has no used credit', async () => {
  show(settlement({ undrafted: null, credit_used_minor: null, credit_limit_minor: null }));
  expect(await screen.findByText('€200.00')).toBeInTheDocument();
  expect(screen.queryByText('Credit used')).toBeNull();
});

test('the limit of a server of the version before applies to each currency', async () => {
  const before = { credit_limit_minor: undefined as unknown as null };
  expect(await creditUsed(settlement({ undrafted: null, credit_used_minor: 75_000, ...before }))).toEqual([
    '€750.00 of €15,000.00',
    ['open bills €200.00, drafts €550.00'],
  ]);
});
