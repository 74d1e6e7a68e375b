import type { Delivery } from '@simcube/contract/notify';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { Deliveries } from './deliveries.tsx';

const gateway = stubGateway();
const path = '/job-service/rest/subscribe';
const at = '2026-11-20T10:00:00.000Z';

const respondWith = (attempts: number) => {
  const delivery = {
    id: '5',
    kind: 'test',
    address: 'ops@acme.example',
    state: 'waiting',
    attempts,
    created_at: at,
    next_attempt_at: at,
    fault: null,
    status: null,
    duration_ms: null,
  } as Delivery;
  const tries = Array.from({ length: attempts }, (_, index) => ({
    number: index + 1,
    at,
    duration_ms: 120,
    fault: null,
    status: 503,
  }));
  gateway.respond(`GET ${path}/group/7/deliveries`, () => success([delivery], { total_count: 1 }));
  gateway.respond(`GET ${path}/delivery/5`, () => success({ ...delivery, tries }));
};

test('the attempts of an open delivery follow its list', async () => {
  signedInAs('admin');
  respondWith(1);
  const { user } = renderScreen(<Deliveries groupId="7" onTest={undefined} />);
  await user.click(await screen.findByRole('button', { name: '1 attempt' }));
  expect(await screen.findAllByText(/503/)).toHaveLength(1);
  respondWith(3);
  window.dispatchEvent(new Event('visibilitychange'));
  expect(await screen.findByRole('button', { name: '3 attempts' })).toBeInTheDocument();
  await waitFor(() => expect(screen.getAllByText(/503/)).toHaveLength(3));
});
