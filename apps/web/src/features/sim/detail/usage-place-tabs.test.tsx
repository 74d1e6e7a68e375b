import type { LiveEventName } from '@simcube/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { testIccid } from '../../../testing/orders.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import {
  connectionResponse,
  sessionResponse,
  usageResponse,
  vodafone,
} from '../../../testing/sim-responses.ts';
import { useLiveSim } from '../api/use-live-sim.ts';
import { UsageTab } from '../components/usage-tab.tsx';
import type { SimDetailSearch } from '../search.ts';
import { LocationTab } from './location-tab.tsx';

const handlers = vi.hoisted(() => new Map<string, (data: unknown) => void>());
vi.mock('../../../lib/live/index.ts', () => ({
  useLive: (name: LiveEventName, handler: (data: unknown) => void) => handlers.set(name, handler),
}));
const emit = (name: LiveEventName, data: object) => act(async () => handlers.get(name)?.(data));

const gateway = stubGateway();
const usage = 'GET /cube/sim/usage';
const details = 'GET /cube/sim/details';
const cells = 'GET /cdr/sims/cells';
const requestsTo = (path: string) => gateway.sent.filter((request) => request.path === path);

const Usage = ({ initial }: { initial: SimDetailSearch }) => {
  const [search, setSearch] = useState(initial);
  useLiveSim(testIccid);
  return <UsageTab iccid={testIccid} onSearchChange={setSearch} search={search} />;
};
const custom = { tab: 'usage', range: 'custom', from: '2026-11-20', to: '2026-11-21' } as const;
const showUsage = (initial: SimDetailSearch = custom) => renderScreen(<Usage initial={initial} />);

const Location = () => {
  useLiveSim(testIccid);
  return <LocationTab iccid={testIccid} />;
};
const location = {
  latitude: 52.52,
  longitude: 13.405,
  cell: '262-02-31F2-1A7C40',
  at: '2026-11-21T11:58:00.000Z',
};
const detailsResponse = (changes: object = {}) =>
  success({ connection: connectionResponse(), location, ...changes });

beforeEach(() => {
  signedInAs('user');
  gateway.respond(usage, () => success(usageResponse()));
  gateway.respond(details, () => detailsResponse());
  gateway.respond(cells, () => success([]));
});

test('usage has a figure for each day, also for screen readers, and a share for each network', async () => {
  showUsage();
  const table = (await screen.findByText('Nov 20, 2026')).closest('table');
  expect([...(table?.rows ?? [])].map(({ textContent }) => textContent)).toEqual([
    'PeriodUsed',
    'Nov 20, 20266\u00a0MB · 6,291,456 bytes',
    'Nov 21, 20262\u00a0MB · 2,097,152 bytes',
  ]);
  expect(screen.getByText('Down').parentElement).toHaveTextContent('Down 7 MBUp 1 MB');
  expect(screen.getByText(/provisional since/)).toHaveAttribute(
    'title',
    'Lighter bars are provisional: late records may still arrive.',
  );
  const networks = screen.getAllByText(/^4G · /).map((cell) => cell.closest('tr')?.textContent);
  expect(networks).toEqual(['4G · Orange FRFrance75%75%6\u00a0MB', '4G · Vodafone DEGermany25%25%2\u00a0MB']);
  const query = requestsTo('/cube/sim/usage')[0]?.query;
  expect([query?.get('from'), query?.get('to'), query?.get('granularity')]).toEqual([
    '2026-11-20',
    '2026-11-21',
    'day',
  ]);
});

test('another range sends another request; granularities that it can’t show are disabled', async () => {
  const { user } = showUsage();
  await screen.findByText('Nov 20, 2026');
  expect(screen.getByLabelText('Month')).toBeDisabled();
  await user.click(screen.getByText('Hour'));
  await waitFor(() => expect(requestsTo('/cube/sim/usage').at(-1)?.query.get('granularity')).toBe('hour'));
  await user.click(screen.getByText('6 months'));
  await waitFor(() => expect(requestsTo('/cube/sim/usage').at(-1)?.query.get('granularity')).toBe('month'));
});

test('until the usage by month arrives, the figures shown are those of days, and named so', async () => {
  const { user } = showUsage({ tab: 'usage' });
  await screen.findByText('Nov 20, 2026');
  gateway.respond(usage, () => new Promise(() => undefined));
  await user.click(screen.getByText('6 months'));
  await waitFor(() => expect(requestsTo('/cube/sim/usage').at(-1)?.query.get('granularity')).toBe('month'));
  expect(screen.getByText('Nov 20, 2026')).toBeInTheDocument();
  expect(screen.getByText('Nov 21, 2026')).toBeInTheDocument();
});

test('hours are named by the dates of their days where the axis has no room for the noons', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(350);
  // As in zones east of UTC, the first hour with a name is a noon.
  const points = Array.from({ length: 7 * 24 }, (_, index) => ({
    at: new Date(Date.UTC(2026, 10, 14, index + 2)).toISOString(),
    up_bytes: 1024 ** 2,
    down_bytes: 0,
  }));
  gateway.respond(usage, () => success(usageResponse({ points })));
  showUsage();
  const chart = await screen.findByRole('figure', { name: 'Data usage' });
  const names = [...chart.querySelectorAll('text')].map(({ textContent }) => textContent);
  const dates = [15, 16, 17, 18, 19, 20, 21].map((day) => `Nov ${day}`);
  expect(names.filter((name) => /Nov|12:00/.test(name))).toEqual(dates);
});

test('a custom range must end after it begins', async () => {
  const { user } = showUsage({ tab: 'usage' });
  await user.click(await screen.findByText('Custom…'));
  const from = await screen.findByLabelText('First day');
  await user.clear(from);
  await user.type(from, '2099-01-01');
  await user.click(screen.getByText('Show'));
  expect(await screen.findByText('The last day must not be before the first')).toBeInTheDocument();
});

test('a custom range is changed with the keyboard, without losing it', async () => {
  const { user } = showUsage();
  const button = await screen.findByRole('button', { name: 'Range: Nov 20, 2026 – Nov 21, 2026' });
  button.focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByLabelText('First day')).toHaveValue('2026-11-20');
  await user.clear(screen.getByLabelText('First day'));
  await user.type(screen.getByLabelText('First day'), '2026-11-19');
  await user.click(screen.getByText('Show'));
  expect(
    await screen.findByRole('button', { name: 'Range: Nov 19, 2026 – Nov 21, 2026' }),
  ).toBeInTheDocument();
});

test('no usage has its own text, and a failure can be retried', async () => {
  gateway.respond(usage, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  const { user } = showUsage();
  await screen.findByText('It broke.');
  gateway.respond(usage, () => success(usageResponse({ points: [], by_network: [], total_bytes: 0 })));
  await user.click(screen.getByText('Try again'));
  expect(await screen.findAllByText('No usage in this period')).toHaveLength(2);
});

test('new usage of this SIM is refetched, that of others is not', async () => {
  showUsage();
  await screen.findByText('8 MB');
  const before = requestsTo('/cube/sim/usage').length;
  gateway.respond(usage, () => success(usageResponse({ total_bytes: 9 * 1024 ** 2 })));
  await emit('sim.usage', { sims: [{ iccid: '89860012300000000000', bytes: 5, used: 5 }] });
  expect(requestsTo('/cube/sim/usage')).toHaveLength(before);
  await emit('sim.usage', { sims: [{ iccid: testIccid, bytes: 1024 ** 2, used: 1024 ** 2 }] });
  expect(await screen.findByText('9 MB')).toBeInTheDocument();
});

test('the place of the last cell is a point on the map, with its description beside it', async () => {
  renderScreen(<Location />);
  const map = await screen.findByRole('img');
  expect(map.getAttribute('aria-label')).toMatch(/^Cell 262-02-31F2-1A7C40 at 52\.52.*, 13\.4/);
  expect(map.querySelectorAll('circle')).toHaveLength(2);
  expect(screen.getByText(/The location of the last cell/)).toBeInTheDocument();
  expect(screen.getByText('4G · Vodafone DE')).toBeInTheDocument();
  expect(screen.getByText('Germany')).toBeInTheDocument();
});

test('without the place of the cell the country is shown instead, even one too small to be visible', async () => {
  const monaco = { ...vodafone, country: 'MC', operator: 'Monaco Telecom' };
  gateway.respond(details, () =>
    detailsResponse({
      location: null,
      connection: connectionResponse({ session: sessionResponse({ network: monaco }) }),
    }),
  );
  renderScreen(<Location />);
  expect(await screen.findByLabelText('In Monaco')).toBeInTheDocument();
  expect(screen.getByText(/Monaco is too small to be shown on this map/)).toBeInTheDocument();
});

test('a SIM that was never connected has no map; it appears when it connects', async () => {
  gateway.respond(details, () =>
    detailsResponse({
      location: null,
      connection: connectionResponse({ connection: 'unknown', session: null }),
    }),
  );
  renderScreen(<Location />);
  await waitFor(() => expect(requestsTo('/cube/sim/details')).toHaveLength(1));
  await waitFor(() => expect(document.querySelector('.ant-skeleton')).toBeNull());
  expect(screen.queryByRole('img')).toBeNull();
  gateway.respond(details, () => detailsResponse());
  await emit('sim.connection', { iccid: testIccid, status: 'online' });
  expect(await screen.findByRole('img')).toBeInTheDocument();
});

test('the time at which the SIM was last seen follows its usage', async () => {
  renderScreen(<Location />);
  const before = await screen.findByText(/11:58/);
  gateway.respond(details, () =>
    detailsResponse({ location: { ...location, at: '2026-11-21T12:03:00.000Z' } }),
  );
  await emit('sim.usage', { sims: [{ iccid: testIccid, bytes: 5, used: 5 }] });
  expect(await screen.findByText(/12:03/)).toBeInTheDocument();
  expect(before).not.toHaveTextContent('11:58');
});

test('a failed request for the location can be retried', async () => {
  gateway.respond(details, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
  const { user } = renderScreen(<Location />);
  await screen.findByText('It broke.');
  gateway.respond(details, () => detailsResponse());
  await user.click(screen.getByText('Try again'));
  expect(await screen.findByRole('img')).toBeInTheDocument();
});
