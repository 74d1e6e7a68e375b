import type { PoolEvent, PoolMember, PoolRealTime } from '@simcube/contract/pool';
import type { PoolCost } from '@simcube/contract/price';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { GB, poolDetail, poolRow } from '../../../testing/shared-pools.ts';
import { PoolScreen, poolPageSearch } from '../screens.ts';

const gateway = stubGateway();
const base = 'GET /data-pool/shared_pool/cube';
const asOf = { as_of: '2026-11-22T14:32:00.000Z' };

const live: PoolRealTime = {
  used_bytes: 668 * GB,
  limit_bytes: 835 * GB,
  left_bytes: 167 * GB,
  over: false,
  today_bytes: 13 * GB,
  online_sims: 268,
  stopped_sims: 0,
  would_stop_sims: 61,
  overshoot_bytes: 2 * GB,
  forecast: {
    used_bytes: 913 * GB,
    low_bytes: 890 * GB,
    high_bytes: 935 * GB,
    per_day_bytes: 30 * GB,
    runs_out_at: '2026-11-27T04:00:00.000Z',
    earliest_at: '2026-11-26T04:00:00.000Z',
    latest_at: '2026-11-29T04:00:00.000Z',
  },
};
const member: PoolMember = {
  iccid: '89340700000023588206',
  device_name: 'Truck 5820',
  lifecycle: 'active',
  enrolled_at: '2026-10-01T00:00:00.000Z',
  activated_at: '2026-10-01T00:00:00.000Z',
  used_bytes: 7 * GB,
  own_bytes: 3 * GB,
  above_bytes: 4 * GB,
  stopped: false,
  cost: null,
};
const increase: PoolEvent = {
  id: '31',
  pool: { id: '7', name: 'Trucks Europe' },
  at: '2026-11-12T08:25:00.000Z',
  kind: 'pool limit increase',
  limit_before_bytes: 815 * GB,
  limit_after_bytes: 835 * GB,
  used_bytes: 300 * GB,
  sims: 0,
  by: 'SimCube Operator',
  task: null,
};
const days = Array.from({ length: 30 }, (_, index) => ({
  day: `2026-11-${String(index + 1).padStart(2, '0')}`,
  up_bytes: 10 * GB,
  down_bytes: 20 * GB,
  records: 5,
  used_bytes: Math.min(668, 30 * (index + 1)) * GB,
  limit_bytes: (index < 11 ? 815 : 835) * GB,
  provisional: false,
}));
const ofPool = { bundle: null, zone: null };
const cost: PoolCost = {
  currency: 'EUR',
  total_minor: 2512,
  tariff: { code: 'standard', name: 'Standard', starts_on: '2026-01-01' },
  cycle: { started_at: poolRow.cycle_started_at, ends_at: poolRow.cycle_ends_at },
  lines: [
    {
      ...ofPool,
      kind: 'pool-cycle',
      quantity: 1,
      unit: 'each',
      bytes: null,
      price_micros: 25_000_000,
      amount_minor: 2500,
    },
    {
      ...ofPool,
      kind: 'over-pool-limit',
      quantity: 6,
      unit: 'MB',
      bytes: 6 * 2 ** 20,
      price_micros: 20_000,
      amount_minor: 12,
    },
  ],
  over_limit: {
    used_bytes: 10 * 2 ** 20,
    zoned_bytes: 2 ** 20,
    limit_bytes: 3 * 2 ** 20,
    beyond_bytes: 6 * 2 ** 20,
  },
};
const { cycle_started_at, cycle_ends_at } = poolRow;

const stubResponses = (now: PoolRealTime, detail = poolDetail): void => {
  gateway.respond(`${base}/pools/7/detail`, () => success(detail, asOf));
  gateway.respond(`${base}/pools/7/settings`, () =>
    success({
      pool: detail,
      terms: [
        { kind: 'standard', sims: 271, bytes: 813 * GB, at: null },
        { kind: 'pro-rata', sims: 4, bytes: 7 * GB, at: null },
        { kind: 'increase', sims: 0, bytes: 20 * GB, at: increase.at },
        { kind: 'decrease', sims: 0, bytes: -5 * GB, at: '2026-11-13T00:00:00.000Z' },
      ],
    }),
  );
  gateway.respond(`${base}/dashboard/7/real_time_data`, () => success(now, asOf));
  gateway.respond(`${base}/dashboard/7/line_chart`, () =>
    success({ cycle_started_at, cycle_ends_at, days }, asOf),
  );
  gateway.respond(`${base}/dashboard/7/bar_chart`, () => success({ day: '2026-11-22', hours: [] }, asOf));
  gateway.respond('GET /cube/pool/cost', () => success(cost, asOf));
  gateway.respond(`${base}/dashboard/7/sim_usage_rank`, () => success([member]));
  gateway.respond(`${base}/events`, ({ query }) =>
    success(query.get('group') === 'overage' ? [] : [increase], { total_count: 41 }),
  );
};

const Screen = () => <PoolScreen poolId="7" {...useAddress(poolPageSearch)} />;
const show = (now = live, detail = poolDetail) => {
  stubResponses(now, detail);
  return renderScreen(<Screen />);
};
const figure = async (term: string) => (await screen.findByText(term)).closest('div');
beforeEach(() => signedInAs('admin', { sharedPool: ['7'] }));

test('the page shows what is left, when it runs out, who uses it and what stops then', async () => {
  show();
  expect(await figure('Left in this cycle')).toHaveTextContent('167 of 835 GB');
  expect(await figure('Runs out')).toHaveTextContent('Fri, Nov 27 78 GB short by Nov 30');
  expect(await figure('Members activated')).toHaveTextContent('275 of 28413 joined, 2 left');
  expect(await figure('Today')).toHaveTextContent('13 GB268 SIMs online');
  expect(await figure('If it runs out')).toHaveTextContent('61 SIMs stopat worst 2 GB beyond the limit');
});

test('the bars of the day’s hours are named by the largest', async () => {
  stubResponses(live);
  const hours = [1, 7, 5].map((used, index) => ({
    at: `2026-11-22T0${index}:00:00.000Z`,
    up_bytes: GB,
    down_bytes: used * GB,
    records: 1,
  }));
  gateway.respond(`${base}/dashboard/7/bar_chart`, () => success({ day: '2026-11-22', hours }, asOf));
  renderScreen(<Screen />);
  expect(
    await screen.findByRole('img', { name: /^Usage by hour, most at 01:00: 8.GB$/ }),
  ).toBeInTheDocument();
});

test('the burn-down has the days so far, the forecast, and the day on which nothing is left', async () => {
  show();
  const table = await screen.findByRole('table', { name: 'Burn-down' });
  // The beginning, 21 finished days, now, and twelve steps of the forecast.
  expect(within(table).getAllByRole('row')).toHaveLength(1 + 1 + 21 + 1 + 12);
});

test('the burn-down reads again what it could not read', async () => {
  const { user } = show();
  gateway.respond(`${base}/dashboard/7/real_time_data`, () =>
    errorResponse({ http: 404, code: 'CB-03-0001' }),
  );
  const card = await screen.findByRole('region', { name: 'Burn-down' });
  const retry = await within(card).findByRole('button', { name: 'Try again' });
  gateway.respond(`${base}/dashboard/7/real_time_data`, () => success(live, asOf));
  await user.click(retry);
  expect(await within(card).findByRole('table', { name: 'Burn-down' })).toBeInTheDocument();
});

test('the limit is the sum of its terms, including deductions', async () => {
  show();
  const terms = (await screen.findByText('271 SIMs, whole 3 GB each')).closest('ul');
  expect(terms).toHaveTextContent('813 GB4 SIMs that joined, pro-rata7 GBIncrease of Nov 1220 GB');
  expect(terms).toHaveTextContent('Decrease of Nov 13−5 GB');
});

test('the cost of the cycle is the pool’s fee and the charge for usage beyond its limit', async () => {
  show();
  expect(await screen.findByText('€25.12')).toBeVisible();
  const fee = (await screen.findByText('Fee of the pool')).closest('div');
  expect(fee).toHaveTextContent('1 × €25.00€25.00');
  expect(screen.getByText('Beyond the pool’s limit').closest('div')).toHaveTextContent('6 MB × €0.02€0.12');
  const arithmetic = '10 MB used − 1 MB charged by zone − 3 MB limit = 6 MB beyond it';
  expect(screen.getByText(arithmetic).closest('div')).toHaveTextContent('is not charged again');
});

test('events show the limit before and after, and are filtered by group', async () => {
  const { user } = show();
  const event = (await screen.findByText('Pool limit increase')).closest('li');
  expect(event).toHaveTextContent('+20 GB · by SimCube Operator815 → 835 GB');
  expect(screen.getByText('All', { selector: '.ant-segmented-item-label' })).toHaveTextContent('All 41');
  await user.click(screen.getByText('Overage'));
  expect(await screen.findByText('No events')).toBeInTheDocument();
});

test('events are a placeholder until they arrive', async () => {
  show();
  gateway.respond(`${base}/events`, () => new Promise(() => undefined));
  const card = await screen.findByRole('region', { name: 'Events' });
  await waitFor(() => expect(card.querySelector('[aria-busy="true"]')).toBeInTheDocument());
  expect(within(card).queryByText('No events')).not.toBeInTheDocument();
});

test('members with the most usage show their own share and usage above it', async () => {
  show();
  expect(await screen.findByLabelText('3 GB of its own share, 4 GB above it')).toBeInTheDocument();
  expect(screen.getByText('Truck 5820').closest('li')).toHaveTextContent('7 GB');
});

test('a pool over its limit shows that and how many SIMs are stopped', async () => {
  show({ ...live, over: true, left_bytes: 0, stopped_sims: 12 }, { ...poolDetail, over: true });
  expect(await figure('Runs out')).toHaveTextContent('Used up');
  expect(await figure('Stopped now')).toHaveTextContent('12 SIMs');
  expect(screen.getByText('Over the limit')).toBeInTheDocument();
  // There is no forecast of what has already happened.
  expect(screen.queryByText(/^Runs out \w/)).toBeNull();
});

test('without a limit nothing stops, and in the first days there is no forecast', async () => {
  show({ ...live, forecast: null }, { ...poolDetail, policy: 'no limit' });
  expect(await figure('If it runs out')).toHaveTextContent('Nothing stops usage beyond the limit is charged');
  expect(await figure('Runs out')).toHaveTextContent('A forecast needs three complete days.');
  expect(screen.queryByText('forecast, 80% band')).not.toBeInTheDocument();
});

test('a pool of another organisation does not exist', async () => {
  gateway.respond(`${base}/pools/7/detail`, () => errorResponse({ http: 404, code: 'CB-03-0001' }));
  renderScreen(<Screen />);
  expect((await screen.findAllByText('This pool does not exist'))[0]).toBeInTheDocument();
  expect(screen.getByText('All shared pools')).toHaveAttribute('href', '/en-US/shared');
});
