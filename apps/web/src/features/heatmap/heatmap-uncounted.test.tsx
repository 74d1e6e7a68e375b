import type { Heatmap, HeatmapMetric } from '@simcube/contract/heatmap';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { HeatmapScreen } from './index.ts';
import { heatmapSearchSchema } from './search.ts';

const gateway = stubGateway();
const period = { from: '2026-11-01', to: '2026-11-02' };

const Screen = () => {
  const address = useAddress(heatmapSearchSchema);
  return <HeatmapScreen {...address} />;
};

const show = (metric: HeatmapMetric, changes: Partial<Heatmap>) => {
  signedInAs('user', {});
  const german = { usage: 2048, sims: 0, sessions: 0, compared: null, before: null };
  const data: Heatmap = {
    period,
    compared: period,
    before: { from: '2026-10-01', to: '2026-10-02' },
    provisional_from: '2026-11-20T00:00:00.000Z',
    uncounted_days: ['2026-11-01'],
    total: { ...german, cells: 0 },
    days: [null, 7],
    countries: [{ country: 'DE', ...german, cells: 0, days: [null, 7] }],
    operators: [],
    ...changes,
  };
  const asOf = { as_of: '2026-11-01T00:00:00.000Z' };
  gateway.respond('GET /cube/dashboard/heatmap', () => success(data, asOf));
  gateway.respond('GET /cube/dashboard/heatmap/hexagons', () =>
    success({ resolution: 2, hexagons: [], total: 2048, unplaced: 2048 }, asOf),
  );
  return renderScreen(<Screen />, `/en-US/heatmap?from=${period.from}&to=${period.to}&metric=${metric}`);
};

test('days that are not counted are named next to the date of the figures, and their bars say so', async () => {
  show('sims', { total: { usage: 2048, sims: 7, sessions: 9, compared: 7, before: null, cells: 0 } });
  expect(
    await screen.findByText(
      /7 SIMs with usage per day · SIMs and sessions not counted on 1 day · as of Nov 1, 00:00 UTC/,
    ),
  ).toBeVisible();
  expect(await screen.findByTitle('Nov 1: not counted')).toBeInTheDocument();
  expect(screen.getByTitle('Nov 2: 7')).toBeInTheDocument();
});

test('if no day is counted, SIMs and sessions have a dash instead of zero', async () => {
  const uncounted = ['2026-11-01', '2026-11-02'];
  const total = { usage: 2048, sims: null, sessions: null, compared: null, before: null, cells: 0 };
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(850);
  const { user } = show('sims', { uncounted_days: uncounted, days: [null, null], total });
  await screen.findByRole('button', { name: 'Germany' });
  const countries = screen.getByRole('region', { name: 'By country' });
  expect(within(countries).getAllByRole('row').at(-1)).toHaveTextContent(/^Germany—–——$/);
  expect(screen.queryByText(/0 SIMs/)).toBeNull();
  const map = await screen.findByRole('img', { name: /^World map/ });
  await waitFor(() => expect(within(map).getByText('Germany').parentElement).toHaveTextContent('Germany—'));
  expect(map.querySelector('[data-country="DE"]')).not.toHaveAttribute('data-level');
  expect(screen.queryByRole('region', { name: 'Legend' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Germany' }));
  expect(await screen.findByText('Cells seen')).toHaveProperty('nextSibling.textContent', '—');
});
