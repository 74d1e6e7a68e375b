import type { LiveEventName } from '@simcube/contract';
import type { Service } from '@simcube/contract/bundle';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { orderResponse, testIccid } from '../../../testing/orders.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { eventResponse } from '../../../testing/sim-responses.ts';
import { useLiveSim } from '../api/use-live-sim.ts';
import type { SimDetailSearch } from '../search.ts';
import { BundlesTab } from './bundles-tab.tsx';
import { TraceTab } from './trace-tab.tsx';

const handlers = vi.hoisted(() => new Map<string, (data: unknown) => void>());
// The stream has its own tests; here the test controls it.
vi.mock('../../../lib/live/index.ts', () => ({
  useLive: (name: LiveEventName, handler: (data: unknown) => void) => handlers.set(name, handler),
}));
const emit = (name: LiveEventName, data: object) => act(async () => handlers.get(name)?.(data));

const gateway = stubGateway();
const MB = 1024 ** 2;
const orders = 'POST /cube/device/bundle';
const cycles = 'POST /cube/device/cycle';
const coverage = `GET /cube/sim/bundle/coverage/${testIccid}`;
const overuse = `GET /cube/sim/bundle/overuse_policy/${testIccid}`;
const trace = 'GET /cube/sim/statusTrace';
const requestsTo = (path: string) => gateway.sent.filter((request) => request.path === path);
const broken = () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' });

const Page = ({ initial }: { initial: SimDetailSearch }) => {
  const [search, setSearch] = useState(initial);
  useLiveSim(testIccid);
  const Tab = initial.tab === 'trace' ? TraceTab : BundlesTab;
  return <Tab iccid={testIccid} onSearchChange={setSearch} search={search} />;
};
const show = (initial: SimDetailSearch) => renderScreen(<Page initial={initial} />);
const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr');

const cycle = (changes: object = {}) => ({
  started_at: '2026-11-01T00:00:00.000Z',
  ends_at: '2026-12-01T00:00:00.000Z',
  used_bytes: 80 * MB,
  limit_bytes: 100 * MB,
  current: true,
  provisional: true,
  cost: null,
  cost_provisional: false,
  ...changes,
});
const policy = (changes: object = {}) => ({
  overage: orderResponse().overage,
  over_limit: false,
  data: { state: 'open', kbps: null, restrictions: [] },
  ...changes,
});
const entry = (changes: object = {}) => ({ ...eventResponse(), task_id: null, ...changes });

beforeEach(() => {
  signedInAs('user');
  gateway.respond(orders, () => success([{ ...orderResponse(), used_bytes: 80 * MB }], { total_count: 1 }));
  gateway.respond(cycles, () => success([cycle()], { total_count: 1 }));
  gateway.respond(overuse, () => success(policy()));
  gateway.respond(coverage, () =>
    success({
      countries: ['DE', 'FR'],
      out_of_coverage_policy: 'shut down',
      usage: [
        { country: 'DE', bytes: 60 * MB, covered: true },
        { country: null, bytes: 20 * MB, covered: false },
      ],
    }),
  );
  gateway.respond(trace, () => success([entry()], { next_cursor: null }));
});

test('shows orders, overuse policy, coverage and cycles', async () => {
  show({ tab: 'bundles' });
  expect(await rowOf('EU 5 GB Month')).toHaveTextContent('In use5 GB80 MB');
  expect(screen.getByRole('columnheader', { name: 'Used in total' })).toBeInTheDocument();
  expect(await screen.findByText('128 kbps')).toBeInTheDocument();
  expect(screen.getByText('Within the quota')).toBeInTheDocument();
  expect(await screen.findByText('France, Germany')).toBeInTheDocument();
  expect(await rowOf('Unknown country')).toHaveTextContent('not covered');
  expect(await rowOf('Current')).toHaveTextContent('80 MB100 MB80%');
});

test('each part fails and is retried separately', async () => {
  gateway.respond(overuse, broken);
  const { user } = show({ tab: 'bundles' });
  await screen.findByText('It broke.');
  expect(await rowOf('EU 5 GB Month')).toBeInTheDocument();
  gateway.respond(overuse, () => success(policy({ overage: null })));
  await user.click(screen.getByText('Try again'));
  expect(await screen.findByText('No bundle in use')).toBeInTheDocument();
});

test('cycles and orders have separate pages', async () => {
  gateway.respond(cycles, ({ body }) => {
    const first = (body as { page_no: number }).page_no === 1;
    return success([first ? cycle() : cycle({ current: false, provisional: false })], { total_count: 60 });
  });
  const { user } = show({ tab: 'bundles' });
  await screen.findByText('Current');
  const next = screen.getAllByLabelText('Next page').at(-1);
  if (next) await user.click(next);
  expect(await screen.findByText('Final')).toBeInTheDocument();
  expect(
    requestsTo('/cube/device/bundle').every(({ body }) => (body as { page_no: number }).page_no === 1),
  ).toBe(true);
});

test('an ended cycle that no bill contains yet is not final', async () => {
  const cost = { currency: 'EUR', amount_minor: 7130 };
  gateway.respond(cycles, () =>
    success([cycle({ current: false, provisional: false, cost, cost_provisional: true })], {
      total_count: 1,
    }),
  );
  show({ tab: 'bundles' });
  expect(await screen.findByText('Not billed yet')).toBeInTheDocument();
  expect(screen.getByText('€71.30')).toBeInTheDocument();
  expect(screen.queryByText('Final')).not.toBeInTheDocument();
});

test('a quota that is used up while the page is open is shown immediately', async () => {
  show({ tab: 'bundles' });
  await screen.findByText('Within the quota');
  const restrictions = [{ by: 'quota', kbps: 256, until: '2026-12-01T00:00:00.000Z' }];
  const data = { state: 'slowed', kbps: 256, restrictions };
  gateway.respond(overuse, () => success(policy({ over_limit: true, data })));
  await emit('sim.event', { iccid: testIccid, kind: 'quota-reached', at: '2026-11-21T12:00:00.000Z' });
  expect(await screen.findByText('Over the quota', { selector: 'dd *' })).toBeInTheDocument();
  expect(
    screen.getByText('Data slowed to 256 kbps: quota used up · until Dec 1, 2026, 00:00'),
  ).toBeInTheDocument();
});

test('a change of the bundle is shown in the orders, the coverage and the open order', async () => {
  const detail = `GET /cube/sim/bundle/detail/${testIccid}/17/EU-5GB`;
  const respondWith = (status: Service['status'], country: string) => {
    const changed = orderResponse({ status });
    const covered = { countries: [country], out_of_coverage_policy: 'shut down' };
    gateway.respond(orders, () => success([{ ...changed, used_bytes: 0 }], { total_count: 1 }));
    gateway.respond(detail, () => success({ ...changed, coverage: covered }));
    gateway.respond(coverage, () => success({ ...covered, usage: [] }));
  };
  respondWith('in use', 'DE');
  show({ tab: 'bundles', order: '17', bundle: 'EU-5GB' });
  await waitFor(() => expect(screen.getAllByText('Germany')).toHaveLength(2));
  expect(screen.getByRole('dialog', { name: 'Order SO-22019' })).toBeInTheDocument();
  respondWith('expired', 'ES');
  await emit('sim.event', { iccid: testIccid, kind: 'bundle-ended', at: '2026-11-21T12:00:00.000Z' });
  await waitFor(() => expect(screen.getAllByText('Spain')).toHaveLength(2));
  expect(screen.getAllByText('Expired')).toHaveLength(2);
});

test('data that a shared pool releases is shown as open', async () => {
  const restrictions = [{ by: 'pool', kbps: null, until: '2026-12-01T00:00:00.000Z' }];
  const data = { state: 'stopped', kbps: null, restrictions };
  gateway.respond(overuse, () => success(policy({ data })));
  show({ tab: 'bundles' });
  await screen.findByText(/^Data stopped/);
  gateway.respond(overuse, () => success(policy()));
  await emit('sim.changed', { count: 1 });
  expect(await screen.findByText('Open')).toBeInTheDocument();
});

test('data that a rule stopped is not shown as available', async () => {
  const restrictions = [{ by: 'rule', kbps: null, until: '2026-12-01T00:00:00.000Z' }];
  const data = { state: 'stopped', kbps: null, restrictions };
  gateway.respond(overuse, () => success(policy({ data })));
  show({ tab: 'bundles' });
  expect(await screen.findByText('Data stopped by a rule · until Dec 1, 2026, 00:00')).toBeInTheDocument();
  expect(screen.queryByText('Open')).not.toBeInTheDocument();
});

test('the data of a SIM without service is neither open nor stopped', async () => {
  gateway.respond('GET /cube/sim/basic', () =>
    success({ lifecycle: 'terminated', cycle: { started_at: null } }),
  );
  show({ tab: 'bundles' });
  expect((await screen.findByText('Data', { selector: 'dt' })).nextElementSibling).toHaveTextContent('—');
  expect(screen.queryByText('Open')).not.toBeInTheDocument();
});

test.each([
  ['billing and threshold', { threshold_bytes: 100 * MB }, 'Block size', '100 MB'],
  ['billing then stop after', { stop_after_bytes: 50 * MB }, 'Stops beyond the quota by', '50 MB'],
])('an overage policy has its amount (%s)', async (name, amount, term, value) => {
  const none = { slow_kbps: null, threshold_bytes: null, stop_after_bytes: null };
  gateway.respond(overuse, () => success(policy({ overage: { policy: name, ...none, ...amount } })));
  show({ tab: 'bundles' });
  expect((await screen.findByText(term)).parentElement).toHaveTextContent(value);
  expect(screen.queryByText('Slowed down to')).not.toBeInTheDocument();
});

test('the trace loads older entries on demand, with task, person and kind', async () => {
  const older = entry({
    id: '2',
    kind: 'lifecycle-changed',
    facts: { from: 'active', to: 'paused', reason: 'suspend' },
    actor: 'Olu Adeyemi',
    task_id: 'T00000012',
    trace_id: 'trace-9',
  });
  gateway.respond(trace, ({ query }) =>
    query.get('cursor') === 'next' ? success([older]) : success([entry()], { next_cursor: 'next' }),
  );
  const { user } = show({ tab: 'trace' });
  expect(await screen.findByText('Session ended')).toBeInTheDocument();
  await user.click(screen.getByText('Load older entries'));
  expect(await screen.findByText('by Olu Adeyemi · task T00000012 · trace trace-9')).toBeInTheDocument();
  expect(screen.getByText('Active → Paused · suspension')).toHaveAttribute(
    'title',
    'Active → Paused · suspension\nreason: suspend',
  );
  expect(screen.getByText('No older entries.')).toBeInTheDocument();
  await user.click(screen.getByText('Lifecycle'));
  await waitFor(() => expect(screen.queryByText('Session ended')).toBeNull());
  expect(screen.getByText('Lifecycle')).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByText('Lifecycle'));
  await user.click(screen.getByText('Usage limits'));
  expect(await screen.findByText('No entries of this kind so far')).toBeInTheDocument();
});

test('an empty trace and a failure are shown differently, and new events appear live', async () => {
  gateway.respond(trace, broken);
  const { user } = show({ tab: 'trace' });
  await screen.findByText('It broke.');
  gateway.respond(trace, () => success([]));
  await user.click(screen.getByText('Try again'));
  expect(await screen.findByText('Nothing recorded yet')).toBeInTheDocument();
  gateway.respond(trace, () => success([entry({ kind: 'imei-changed', facts: {} })]));
  await emit('sim.event', { iccid: testIccid, kind: 'imei-changed', at: '2026-11-21T12:00:00.000Z' });
  expect(await screen.findByText('IMEI changed')).toBeInTheDocument();
});
