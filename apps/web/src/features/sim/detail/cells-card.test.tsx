import type { CdrCell } from '@simcube/contract/cdr';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { testIccid } from '../../../testing/orders.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { connectionResponse } from '../../../testing/sim-responses.ts';
import { LocationTab } from './location-tab.tsx';

const gateway = stubGateway();
const path = '/cdr/sims/cells';

const cellOf = (number: number, changes: Partial<CdrCell> = {}): CdrCell => ({
  cell: `262-02-31F2-1A7C${String(number).padStart(2, '0')}`,
  records: 3,
  up_bytes: 1024 ** 2,
  down_bytes: 5 * 1024 ** 2,
  sims: 1,
  last_seen_at: '2026-11-21T11:58:00.000Z',
  latitude: null,
  longitude: null,
  ...changes,
});

beforeEach(() => {
  signedInAs('user');
  gateway.respond('GET /cube/sim/details', () =>
    success({ connection: connectionResponse({ session: null }), location: null }),
  );
});

const show = () => renderScreen(<LocationTab iccid={testIccid} />);

test('the cells of a SIM are listed with place, usage and the time they were last seen', async () => {
  gateway.respond(`GET ${path}`, () =>
    success([cellOf(1, { latitude: 52.52, longitude: 13.405 }), cellOf(2)]),
  );
  gateway.respond('GET /cube/geocode/reverse', () => success({ name: 'Berlin, Germany' }));
  show();
  const card = within(await screen.findByRole('region', { name: 'Cells of the last 31 days' }));
  const row = (await card.findByText('Location unknown')).closest('tr');
  expect(row).toHaveTextContent(/262-02-31F2-1A7C02.*6\sMB.*3.*Nov 21, 2026, 11:58/);
  // On a phone, where the heads are hidden, each value has its name.
  expect(row?.querySelector('[data-label="Records"]')).toHaveTextContent('3');
  expect(gateway.sent.find((one) => one.path === path)?.query.get('iccid')).toBe(testIccid);
});

test('many cells are shown in steps', async () => {
  gateway.respond(`GET ${path}`, () => success(Array.from({ length: 45 }, (_, index) => cellOf(index))));
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Show more: 20 of 45' }));
  await user.click(await screen.findByRole('button', { name: 'Show more: 40 of 45' }));
  expect(screen.getAllByText('Location unknown')).toHaveLength(45);
  expect(screen.queryByRole('button', { name: /Show more/ })).toBeNull();
  expect(screen.getByRole('region', { name: 'Cells by usage' })).toHaveFocus();
});

test('no cells have their own text, and a failure can be retried', async () => {
  gateway.respond(`GET ${path}`, () =>
    errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }),
  );
  const { user } = show();
  await screen.findByText('It broke.');
  gateway.respond(`GET ${path}`, () => success([]));
  await user.click(screen.getByText('Try again'));
  expect(await screen.findByText('No cells in the last 31 days')).toBeInTheDocument();
});

test('cells are requested only with permission for CDRs', async () => {
  signedInAs('user', { permissionsInfo: { user: { sim: ['read'] } } });
  show();
  expect(await screen.findByText('No location yet')).toBeInTheDocument();
  expect(gateway.sent.some((one) => one.path === path)).toBe(false);
});
