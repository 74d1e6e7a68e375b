import type { Estimate, Settlement } from '@simcube/contract/finance';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { OpenCard } from './open-card.tsx';

const settlement: Settlement = {
  ...{ terms: 'credit', credit_limit_minor: 1_500_000, states: [] },
  ...{ first_month: '2026-12', last_month: '2026-12' },
  currencies: [
    {
      ...{ currency: 'EUR', open_minor: 20_000, past_due_minor: 0, drafts_minor: 55_000 },
      // Those of the year that the chart shows, which has none yet.
      ...{ credit_balance_minor: 0, deposit_minor: null, open_count: 0, open_bills: [], months: [] },
    },
  ],
};
const estimate: Estimate = {
  ...{ month: '2027-01', computed_at: '2027-01-01T20:00:00.000Z', usage_days: 1, unpriced_cycles: 0 },
  currencies: [
    {
      ...{ currency: 'EUR', so_far_minor: 1000, low_minor: 0, expected_minor: 0, high_minor: 0 },
      parts: [],
    },
  ],
};

const creditUsed = async (shown: Settlement, expected: Estimate | null) => {
  const response = { data: shown, totalCount: null, totalRelation: 'eq' as const, nextCursor: null };
  const data = { ...response, asOf: null, traceId: null };
  const query = { data, error: null, refetch: vi.fn(), isPlaceholderData: false };
  renderScreen(<OpenCard estimate={expected} query={query} />);
  return [
    (await screen.findByText('Credit used')).nextSibling?.textContent,
    screen.getAllByRole('img').map((one) => one.getAttribute('aria-label')),
  ];
};

beforeEach(() => signedInAs('admin'));

test('the used credit includes drafts of all months, and the running month', async () => {
  expect(await creditUsed(settlement, estimate)).toEqual([
    '€760.00 of €15,000.00',
    ['open bills €200.00, drafts €550.00, January 2027 so far €10.00'],
  ]);
});

test('the used credit includes drafts without an estimate of the running month', async () => {
  expect(await creditUsed(settlement, null)).toEqual([
    '€750.00 of €15,000.00',
    ['open bills €200.00, drafts €550.00'],
  ]);
});
