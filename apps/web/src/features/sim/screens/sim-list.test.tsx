import type { SavedView, SimFilter, SimRow } from '@simcube/contract/sim';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { simSearch } from '../search.ts';
import { SimListScreen } from './sim-list.screen.tsx';

const gateway = stubGateway();
const [truck, car] = ['8986012300000000001', '8986012300000000002'] as const;

const row = (iccid: string): SimRow => ({
  iccid,
  imsi: '262021234518823',
  msisdn: null,
  last_imei: null,
  device_name: null,
  lifecycle: 'active',
  status: 23,
  connection: 'offline',
  network_overdue: null,
  data: { state: 'open', kbps: null, restrictions: [] },
  network: null,
  apn: null,
  ip: null,
  last_session_at: null,
  cycle_usage_bytes: 0,
  limit_bytes: null,
  uses_pool_limit: false,
  week_bytes: [0, 0, 0, 0, 0, 0, 0],
  bundle_name: null,
  cost: null,
  activated_at: '2026-03-01T08:30:00.000Z',
  expires_at: null,
  tags: [],
  notes: null,
  delivery_note_number: null,
  shipment_on: null,
  chip_grade: 'industrial',
  technology: 'multi IMSI',
  sms_suspended: false,
});
const pasted: SavedView = {
  id: '7',
  name: 'Pasted',
  filter: { identifiers: [truck] },
  sort: null,
  outdated: false,
  shared: true,
  own: true,
  owner: 'Ana Martín',
  may: ['change', 'remove'],
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
};

const Screen = () => <SimListScreen {...useAddress(simSearch)} />;
const asked = (): SimFilter[] =>
  gateway.sent.filter(({ path }) => path === '/cube/sim/list/es').map(({ body }) => body as SimFilter);

beforeEach(() => {
  signedInAs('admin');
  gateway.respond('POST /cube/device/tag', () => success([]));
  gateway.respond('GET /cube/sim/views', () => success([pasted]));
  gateway.respond('POST /cube/sim/list/es', () => success([row(truck), row(car)], { total_count: 2 }));
});

test('a link to a view of pasted SIMs opens the view’s SIMs in a tab that has not pasted them', async () => {
  const { history } = renderScreen(<Screen />, '/?view=7&list=abcd1234');
  await waitFor(() => expect(asked().map(({ identifiers }) => identifiers)).toEqual([[truck]]));
  expect(history.location.search).toMatch(/^\?list=(?!abcd1234)\w+&view=7$|^\?view=7&list=(?!abcd1234)\w+$/);
  expect(history.length).toBe(1);
  expect(screen.queryByRole('button', { name: 'Save changes' })).not.toBeInTheDocument();
});

test('an order for one row leaves the selection of others', async () => {
  const preview = { selected: 1, changing: 1, digest: 'd', refused: [] };
  gateway.respond('POST /cube/device/reset', ({ body }) =>
    (body as { preview: boolean }).preview
      ? success({ preview, task: null })
      : success({ preview: null, task: { reference_id: 'T00000012', quantity: 1 } }),
  );
  const { user } = renderScreen(<Screen />);
  await user.click(await screen.findByLabelText(`Select ${truck}`));
  await user.click(screen.getByRole('button', { name: new RegExp(car) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Reset' }));
  const dialog = await screen.findByRole('dialog');
  const order = await within(dialog).findByRole('button', { name: /^Reset/ });
  await waitFor(() => expect(order).toBeEnabled());
  await user.click(order);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByRole('toolbar')).toHaveTextContent('1 selected');
});

test('Activate without a selection can show the SIMs to choose from', async () => {
  gateway.respond('POST /cube/sim/preActiveValidated', () =>
    success({ selected: 388, changing: 388, digest: 'd', refused: [] }),
  );
  const { user, history } = renderScreen(<Screen />);
  await screen.findByLabelText(`Select ${truck}`);
  await user.click(screen.getByRole('button', { name: 'Activate…' }));
  expect(
    await screen.findByRole('button', { name: 'Continue with the 388 that can be activated' }),
  ).toBeEnabled();
  await user.click(screen.getByRole('button', { name: 'Show the pre-activated SIMs' }));
  await waitFor(() => expect(history.location.search).toBe('?lifecycle=pre-activated'));
});

test.each([
  ['a touch screen, the button without a key’s name', '(hover: none)', 'Clear selection', 'Suspend'],
  ['a low window, its actions in a menu', '(max-height: 560px)', 'esc', 'Actions'],
])('the bar for the selection has on %s', async (_, query, clear, action) => {
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((asked) =>
    Object.assign(matchMedia(asked), { matches: asked.includes(query) }),
  );
  const { user } = renderScreen(<Screen />);
  await user.click(await screen.findByLabelText(`Select ${truck}`));
  const bar = within(screen.getByRole('toolbar'));
  expect(bar.getByText(clear)).toBeVisible();
  expect(bar.getByRole('button', { name: action })).toBeInTheDocument();
  vi.restoreAllMocks();
});
