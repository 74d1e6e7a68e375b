import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { isFollowed } from '../../lib/followed-tasks/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { orderResponse } from '../../testing/orders.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { ServiceScreen } from './index.ts';
import { serviceFilterOf, serviceSearch } from './search.ts';

const gateway = stubGateway();
const list = 'POST /cube/sim/service/list';
const row = (changes: object = {}) => ({
  ...orderResponse(),
  device_name: 'Truck 2204',
  cost: { currency: 'EUR', amount_minor: 410 },
  ...changes,
});

const Screen = () => <ServiceScreen {...useAddress(serviceSearch)} />;
const show = (search = '') => renderScreen(<Screen />, `/${search}`);

const sentBodies = () =>
  gateway.sent.filter(({ path }) => path === '/cube/sim/service/list').map(({ body }) => body);

beforeEach(() => signedInAs('admin'));

test('an order shows its SIM, bundle, state, cost and usage, and links to its details', async () => {
  gateway.respond(list, () => success([row()], { total_count: 1 }));
  show();
  const link = await screen.findByRole('link', { name: '89860012300004518823' });
  expect(link).toHaveAttribute(
    'href',
    '/en-US/simCard/89860012300004518823?tab=bundles&order=17&bundle=EU-5GB',
  );
  const line = link.closest('tr') ?? document.body;
  for (const text of ['Truck 2204', 'EU 5 GB Month', 'In use', '€4.10']) {
    expect(within(line).getByText(text)).toBeInTheDocument();
  }
  expect(within(line).getByText('80% of the limit used')).toBeInTheDocument();
});

test('a column hidden by default is shown while it is filtered', async () => {
  gateway.respond(list, () => success([row()], { total_count: 1 }));
  show('?type=prepaid+basic');
  const link = await screen.findByRole('link', { name: '89860012300004518823' });
  const line = link.closest('tr') ?? document.body;
  expect(within(line).getByText('prepaid basic')).toBeInTheDocument();
  expect(within(line).queryByText('Billed and slowed down')).toBeNull();
});

test('the next page is requested with the cursor of the previous one', async () => {
  gateway.respond(list, ({ body }) =>
    success([row({ order_id: (body as { cursor?: string }).cursor ?? 'first' })], {
      total_count: 40,
      next_cursor: 'after-first',
    }),
  );
  const { user } = show('?size=20');
  await screen.findByRole('link', { name: '89860012300004518823' });
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await expect.poll(() => sentBodies().at(-1)).toMatchObject({ page_no: 2, cursor: 'after-first' });
});

test('filters in the URL are sent to the server, with whole days, and can be cleared', async () => {
  gateway.respond(list, () => success([], { total_count: 0 }));
  const { user, history } = show(
    '?status=pending&status=nonsense&type=prepaid%20basic&ordered_from=2026-11-01&sort=-iccid',
  );
  expect(await screen.findByText('No order matches')).toBeInTheDocument();
  expect(sentBodies()[0]).toMatchObject({
    status: ['pending'],
    type: ['prepaid basic'],
    ordered_from: '2026-11-01T00:00:00.000Z',
    sort: '-iccid',
  });
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('No bundle orders yet')).toBeInTheDocument();
  expect(history.location.search).toBe('?sort=-iccid');
});

test('an export sends filter and format, and its task is followed', async () => {
  gateway.respond(list, () => success([row()], { total_count: 1 }));
  gateway.respond('POST /cube/sim/service/list/export', () =>
    success({ reference_id: 'T00000031', quantity: 1 }),
  );
  const { user } = show('?status=in+use');
  await screen.findByRole('link', { name: '89860012300004518823' });
  await user.click(screen.getByRole('button', { name: 'Export: bundle orders' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Excel (XLSX)' }));
  await expect.poll(() => isFollowed('T00000031')).toBe(true);
  const sent = gateway.sent.find(({ path }) => path.endsWith('/export'));
  expect(sent?.body).toEqual({ filter: { status: ['in use'] }, format: 'xlsx' });
});

test('a failure is shown in place and can be retried', async () => {
  gateway.respond(list, () => errorResponse({ http: 500, code: 'CB-99-0500' }));
  const { user } = show();
  const alert = await screen.findByRole('alert');
  gateway.respond(list, () => success([row()], { total_count: 1 }));
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Truck 2204')).toBeInTheDocument();
});

test('days are in UTC or local time, as displayed', () => {
  const search = { ordered_to: '2026-11-05' };
  expect(serviceFilterOf(search, 'UTC').ordered_to).toBe('2026-11-05T23:59:59.999Z');
  expect(serviceFilterOf(search, 'LOCAL').ordered_to).toBe(new Date('2026-11-05T23:59:59.999').toISOString());
});
