import { endpoints } from '@simcube/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { FigureCards } from './figure-cards.tsx';
import { LifecycleCard } from './lifecycle-card.tsx';

const gateway = stubGateway();
const { card, lifecycleCount } = endpoints.dashboard;

test.each([
  [['read'], 8],
  [[], 0],
])('figures of SIMs are links for people who may see SIMs: %j', async (sim, count) => {
  signedInAs('user', { permissionsInfo: { user: { sim: sim as 'read'[] } } });
  const figure = { value: 7, compared_with: null, trend: [0, 1] };
  gateway.respond(`GET ${card.path}`, () =>
    success({
      active_sims: figure,
      total_sims: 9,
      usage_bytes: figure,
      overage_sims: figure,
      expiring_sims: { ...figure, within_7_days: 1 },
    }),
  );
  gateway.respond(`GET ${lifecycleCount.path}`, () =>
    success({
      total: 9,
      lifecycle: { active: 9, 'pre-activated': 0, paused: 0, expired: 0, terminated: 0 },
    }),
  );
  renderScreen(
    <>
      <FigureCards />
      <LifecycleCard />
    </>,
  );
  await screen.findByText('of 9');
  expect((await screen.findAllByText('Active')).length).toBeGreaterThan(0);
  const links = screen.queryAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links.filter((href) => href?.startsWith('/en-US/simCard'))).toHaveLength(count);
});
