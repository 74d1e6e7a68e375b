import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway } from '../../../testing/gateway.ts';
import { testIccid } from '../../../testing/orders.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { SimDetailScreen } from './sim-detail.screen.tsx';

const gateway = stubGateway();

beforeEach(() => signedInAs('admin'));

const show = (iccid: string) =>
  renderScreen(<SimDetailScreen iccid={iccid} onSearchChange={() => undefined} search={{}} />);

test('a mistyped link says that there is no such SIM, without asking the server', async () => {
  show('89999999999999999');
  expect(await screen.findByRole('heading', { level: 1, name: 'SIM not found' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Diagnose' })).toBeNull();
  expect(gateway.sent).toEqual([]);
});

test('so does a SIM that the server does not find', async () => {
  gateway.respond('GET /cube/sim/basic', () =>
    errorResponse({ http: 404, code: 'CB-01-0001', message: 'No such SIM.' }),
  );
  show(testIccid);
  expect(await screen.findByRole('heading', { level: 1, name: 'SIM not found' })).toBeInTheDocument();
});
