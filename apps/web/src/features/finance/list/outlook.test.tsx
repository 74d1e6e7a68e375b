import type { Estimate, EstimateResponse, Offer, OfferLine, Offers } from '@simcube/contract/finance';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { billsSearch } from '../search.ts';
import { FinanceScreen } from './finance.screen.tsx';

const gateway = stubGateway();
const base = '/cube/v2/api/customer';

const FinanceAt = () => <FinanceScreen {...useAddress(billsSearch)} />;

const estimate: Estimate = {
  month: '2026-11',
  computed_at: '2026-11-24T09:32:00.000Z',
  usage_days: 28,
  unpriced_cycles: 2,
  currencies: [
    {
      currency: 'EUR',
      so_far_minor: 412_000,
      low_minor: 540_000,
      expected_minor: 553_000,
      high_minor: 567_000,
      parts: [
        {
          group: 'bundles',
          kind: 'cycle',
          zone: null,
          so_far_minor: 400_000,
          low_minor: 520_000,
          expected_minor: 520_000,
          high_minor: 520_000,
        },
        {
          group: 'overage',
          kind: 'out-of-coverage',
          zone: { code: 'asia', name: 'Asia' },
          so_far_minor: 12_000,
          low_minor: 20_000,
          expected_minor: 33_000,
          high_minor: 47_000,
        },
      ],
    },
  ],
};
const respondWithEstimate = (shown: EstimateResponse): void =>
  gateway.respond(`GET ${base}/bills/estimate`, () => success(shown));

const months = ['2026-08', '2026-09', '2026-10'];
const fee: OfferLine = {
  kind: 'cycle',
  zone: null,
  tariff: { code: 'acme3', name: 'Acme 3', starts_on: '2026-10-01' },
  unit: 'each',
  quantity: 36,
  price_micros: 5_000_000,
  amount_minor: 18_000,
};
const offer: Offer = {
  organisation: { code: 'ACME', name: 'Acme Mobility' },
  bundle: { code: 'S', name: 'EU 3 GB' },
  instead: { bundle: { code: 'L', name: 'EU 8 GB' }, pool: null },
  sims: 12,
  months,
  cycles: 36,
  currency: 'EUR',
  was_minor: 25_200,
  would_minor: 21_600,
  change_minor: 1200,
  saving_minor: 2400,
  was: [
    fee,
    { ...fee, kind: 'over-quota', unit: 'MB', quantity: 18_000, price_micros: 4000, amount_minor: 7200 },
  ],
  would: [{ ...fee, price_micros: 6_000_000, amount_minor: 21_600 }],
};
const respondWithOffers = (offers: Offers | null): void =>
  gateway.respond(`GET ${base}/bills/offers`, () => success({ billed: true, offers }));
const offersOf = (more: Partial<Offers> = {}): Offers => ({
  computed_at: '2026-11-24T00:40:00.000Z',
  months,
  compared: months,
  offers: [offer],
  ...more,
});

beforeEach(() => {
  signedInAs('admin');
  gateway.respond(`POST ${base}/bills`, () => success([], { total_count: 0 }));
  gateway.respond(`GET ${base}/bills/settles`, () =>
    success({
      terms: 'post-payment',
      credit_limit_minor: null,
      credit_limit_currency: null,
      states: [],
      currencies: [],
      first_month: null,
      last_month: null,
    }),
  );
  respondWithEstimate({ billed: true, estimate: null });
  respondWithOffers(null);
});

test('the current month has an estimate with its range and parts', async () => {
  respondWithEstimate({ billed: true, estimate });
  renderScreen(<FinanceAt />, '/');
  const card = await screen.findByRole('region', { name: 'Estimate for November 2026' });
  for (const text of ['about €5,530.00', '€5,400.00 to €5,670.00', '2 cycles have no price'])
    expect(card).toHaveTextContent(text);
  const rows = within(card).getAllByRole('row', { hidden: true });
  expect(rows.slice(1).map((row) => row.textContent)).toEqual([
    'Fees of cycles€4,000.00€5,200.00',
    'Out of coverage, Asia€120.00€330.00€200.00 to €470.00',
  ]);
});

const estimateCard = async (name = 'Estimate of this month') => {
  renderScreen(<FinanceAt />, '/');
  return within(await screen.findByRole('region', { name }));
};

test('an estimate that is not computed yet shows when it will be', async () => {
  const card = await estimateCard();
  expect(await card.findByText('The first estimate is computed within the hour.')).toBeVisible();
});

test('an estimate without charges has its own text', async () => {
  respondWithEstimate({ billed: true, estimate: { ...estimate, currencies: [], unpriced_cycles: 0 } });
  const card = await estimateCard('Estimate for November 2026');
  expect(card.getByText(/^Nothing has been charged this month yet/)).toBeVisible();
});

test('an estimate that can’t be fetched can be retried', async () => {
  let isBroken = true;
  gateway.respond(`GET ${base}/bills/estimate`, () =>
    isBroken ? errorResponse({ http: 403, code: 'CB-00-0403' }) : success({ billed: true, estimate }),
  );
  const { user } = renderScreen(<FinanceAt />, '/');
  const card = within(await screen.findByRole('region', { name: 'Estimate of this month' }));
  const again = await card.findByRole('button', { name: 'Try again' });
  isBroken = false;
  await user.click(again);
  expect(await screen.findByRole('region', { name: 'Estimate for November 2026' })).toBeVisible();
});

test('an organisation that is billed with another one has no estimate', async () => {
  respondWithEstimate({ billed: false, estimate: null });
  renderScreen(<FinanceAt />, '/');
  await screen.findByText('No bills yet');
  expect(screen.queryByRole('region', { name: 'Estimate of this month' })).not.toBeInTheDocument();
});

const offersCard = async () => {
  const { user } = renderScreen(<FinanceAt />, '/');
  const card = within(await screen.findByRole('region', { name: 'Where it would cost less' }));
  return { user, card };
};

test('an offer shows which SIMs would have cost less on which bundle, and its calculation', async () => {
  respondWithOffers(offersOf());
  const { user, card } = await offersCard();
  const one = within(await card.findByRole('region', { name: /EU 8 GB instead of EU 3 GB/ }));
  expect(one.getByText('€24.00 less')).toBeVisible();
  expect(
    one.getByText(
      /^12 SIMs on EU 3 GB would have cost this much less on EU 8 GB, .* August 2026, September 2026, October 2026/,
    ),
  ).toBeVisible();
  await user.click(one.getByText('The arithmetic'));
  expect(
    one
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    'Fees of cycles36 cycles × €5.00€180.00',
    'Over the quota18,000 started MB × €0.004€72.00',
    'As it was, on EU 3 GB€252.00',
    'Fees of cycles36 cycles × €6.00€216.00',
    'As it would have been, on EU 8 GB€216.00',
    'Activations for the change, once€12.00',
    'Difference€24.00',
  ]);
  expect(card.getByText(/^Nothing is changed automatically/)).toBeVisible();
});

test('an offer names its pool, and the compared months if fewer than three', async () => {
  const instead = { ...offer.instead, pool: 'Trucks' };
  respondWithOffers(
    offersOf({ compared: ['2026-10'], offers: [{ ...offer, instead, months: ['2026-10'] }] }),
  );
  const { card } = await offersCard();
  expect(await card.findByText(/in one shared pool like Trucks/)).toBeVisible();
  expect(
    card.getByText('Of the last three months, only these could be compared: October 2026.'),
  ).toBeVisible();
});

test.each([
  [null, 'The last three months are compared within the hour.'],
  [offersOf({ compared: [], offers: [] }), /^The last three months have no complete cycle/],
  [offersOf({ offers: [] }), /^Nothing that you can order/],
])('the absence of offers is explained (%#)', async (offers, words) => {
  respondWithOffers(offers);
  const { card } = await offersCard();
  expect(await card.findByText(words)).toBeVisible();
});
