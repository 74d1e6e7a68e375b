import type { LiveEventName } from '@simcube/contract';
import type { CycleCost } from '@simcube/contract/price';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { testIccid } from '../../../testing/orders.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { CostCard } from '../../../ui/cost-card/index.ts';
import { useLiveSim } from '../api/use-live-sim.ts';
import { useSimCost } from '../api/use-sim-detail.ts';

const handlers = vi.hoisted(() => new Map<string, (data: unknown) => void>());
vi.mock('../../../lib/live/index.ts', () => ({
  useLive: (name: LiveEventName, handler: (data: unknown) => void) => handlers.set(name, handler),
}));

const gateway = stubGateway();
const call = 'GET /cube/sim/cost';
const bundle = { code: 'EU', name: 'Europe' };
const costOf = (blocks: number): CycleCost => ({
  currency: 'EUR',
  total_minor: 499 + 15 * blocks,
  tariff: { code: 'retail', name: 'Retail', starts_on: '2026-01-01' },
  cycle: { started_at: '2026-11-01T00:00:00.000Z', ends_at: '2026-12-01T00:00:00.000Z' },
  lines: [
    {
      kind: 'cycle',
      bundle,
      zone: null,
      quantity: 1,
      unit: 'each',
      bytes: null,
      price_micros: 4_990_000,
      amount_minor: 499,
    },
    {
      kind: 'out-of-coverage',
      bundle: null,
      zone: { code: 'rest', name: 'Rest of the world' },
      quantity: blocks,
      unit: 'MB',
      bytes: blocks * 2 ** 20,
      price_micros: 150_000,
      amount_minor: 15 * blocks,
    },
  ],
});

const Page = () => {
  useLiveSim(testIccid);
  return <CostCard query={useSimCost(testIccid)} />;
};

beforeEach(() => signedInAs('user'));

test('the cost of a cycle shows its lines and their sum, with tariff and version, and is updated with usage', async () => {
  gateway.respond(call, () => success(costOf(2)));
  renderScreen(<Page />);
  expect(await screen.findByText('€5.29')).toBeVisible();
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Fee of the cycle · Europe1 × €4.99',
    'Out of coverage · Rest of the world2 MB × €0.15',
  ]);
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['€4.99', '€0.30']);
  expect(screen.getByText(/Tariff Retail, version of Jan 1, 2026/)).toHaveTextContent('Provisional');
  gateway.respond(call, () => success(costOf(3)));
  await act(async () => handlers.get('sim.usage')?.({ sims: [{ iccid: testIccid, used: 1 }] }));
  expect(await screen.findByText('€5.44')).toBeVisible();
});

test('without a price there is no card', async () => {
  gateway.respond(call, () => success(null));
  renderScreen(<Page />);
  await waitFor(() => expect(gateway.sent.length).toBeGreaterThan(0));
  expect(screen.queryByText('Cost of the cycle')).not.toBeInTheDocument();
});
