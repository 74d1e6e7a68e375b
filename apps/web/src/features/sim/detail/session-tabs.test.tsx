import type { LiveEventName } from '@simcube/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { testIccid } from '../../../testing/orders.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import {
  connectionResponse,
  eventResponse,
  pastSession,
  sessionResponse,
} from '../../../testing/sim-responses.ts';
import { useLiveSim } from '../api/use-live-sim.ts';
import { EventsTab } from '../components/events-tab.tsx';
import type { SimDetailSearch } from '../search.ts';
import { SessionsTab } from './sessions-tab.tsx';

const handlers = vi.hoisted(() => new Map<string, (data: unknown) => void>());
// The stream has its own tests; here the test controls it.
vi.mock('../../../lib/live/index.ts', () => ({
  useLive: (name: LiveEventName, handler: (data: unknown) => void) => handlers.set(name, handler),
}));
const emit = (name: LiveEventName, data: object) => act(async () => handlers.get(name)?.(data));

const gateway = stubGateway();
const events = 'GET /cube/sim/event';
const sessions = 'GET /cube/sim/sessions';
const connection = 'GET /cube/sim/connection';
const requestsTo = (path: string) => gateway.sent.filter((request) => request.path === path);

const Page = ({ tab }: { tab: 'events' | 'sessions' }) => {
  const [search, setSearch] = useState<SimDetailSearch>({ tab });
  useLiveSim(testIccid);
  const Tab = tab === 'events' ? EventsTab : SessionsTab;
  return <Tab iccid={testIccid} onSearchChange={setSearch} search={search} />;
};
const show = (tab: 'events' | 'sessions') => renderScreen(<Page tab={tab} />);
const rowOf = async (text: string) => {
  const row = (await screen.findByText(text)).closest('tr');
  if (!row) throw new Error(`No row has ${text}`);
  return row;
};

beforeEach(() => {
  signedInAs('user');
  gateway.respond(connection, () => success(connectionResponse()));
  gateway.respond(sessions, () => success([pastSession()], { total_count: 1 }));
  gateway.respond(events, () => success([eventResponse()], { total_count: 120 }));
});

test('an event shows its description and actor, and its exact data in the tooltip', async () => {
  const suspended = eventResponse({
    id: '502',
    kind: 'lifecycle-changed',
    facts: { from: 'active', to: 'paused', reason: 'suspend' },
    actor: 'Olu Adeyemi',
    trace_id: 'trace-9',
  });
  gateway.respond(events, () => success([suspended, eventResponse()], { total_count: 2 }));
  show('events');
  expect(await rowOf('Status changed')).toHaveTextContent('Active → Paused · suspensionOlu Adeyemitrace-9');
  const ended = await rowOf('Session ended');
  expect(ended).toHaveTextContent('2 MB · disconnected by an administratorsystem—');
  expect(within(ended).getByText('2 MB · disconnected by an administrator').title).toContain(
    'cause: Admin-Reset',
  );
});

test('older events are on the next page', async () => {
  const { user } = show('events');
  await rowOf('Session ended');
  const older = eventResponse({ id: '1', kind: 'first-use', facts: {} });
  gateway.respond(events, () => success([older], { total_count: 120 }));
  await user.click(screen.getByLabelText('Next page'));
  expect(await screen.findByText('First use')).toBeInTheDocument();
  expect(requestsTo('/cube/sim/event').at(-1)?.query.get('page_no')).toBe('2');
});

test('an event of this SIM appears automatically, one of another SIM causes no request', async () => {
  show('events');
  await rowOf('Session ended');
  const before = requestsTo('/cube/sim/event').length;
  gateway.respond(events, () =>
    success([eventResponse({ id: '503', kind: 'imei-changed', facts: {} }), eventResponse()], {
      total_count: 2,
    }),
  );
  const at = '2026-11-21T12:00:00.000Z';
  await emit('sim.event', { iccid: '89860012300000000000', kind: 'imei-changed', at });
  expect(requestsTo('/cube/sim/event')).toHaveLength(before);
  await emit('sim.event', { iccid: testIccid, kind: 'imei-changed', at });
  expect(await screen.findByText('IMEI changed')).toBeInTheDocument();
});

test('everything is refetched after the stream was lost', async () => {
  show('events');
  await rowOf('Session ended');
  const before = requestsTo('/cube/sim/event').length;
  await emit('stream.reset', {});
  await waitFor(() => expect(requestsTo('/cube/sim/event').length).toBeGreaterThan(before));
});

test('a SIM that the network should have disconnected is still connected, until its session has ended', async () => {
  gateway.respond(connection, () => success(connectionResponse({ network_overdue: 'disconnect' })));
  show('sessions');
  expect(await screen.findByText('still connected')).toHaveAttribute(
    'title',
    'The SIM must not be online, but the network has not ended its session. SimCube repeats the Disconnect every minute.',
  );
  expect(screen.queryByText('online')).toBeNull();
  gateway.respond(connection, () => success(connectionResponse({ connection: 'offline' })));
  await emit('sim.connection', { iccid: testIccid, status: 'offline' });
  expect(await screen.findByText('offline')).toBeInTheDocument();
  expect(screen.queryByText('still connected')).toBeNull();
});

test.each([
  ['events', events, 'No events yet'],
  ['sessions', sessions, 'No session yet'],
] as const)(
  'no %s and a failure are shown differently, and a failure can be retried',
  async (tab, call, none) => {
    gateway.respond(connection, () => success(connectionResponse({ session: null, connection: 'unknown' })));
    gateway.respond(call, () => errorResponse({ http: 500, code: 'CB-99-0500', message: 'It broke.' }));
    const { user } = show(tab);
    expect(await screen.findByText('It broke.')).toBeInTheDocument();
    expect(screen.getByText(/trace-refused/)).toBeInTheDocument();
    gateway.respond(call, () => success([], { total_count: 0 }));
    await user.click(screen.getByText('Try again'));
    await waitFor(() => expect(screen.queryByText('It broke.')).toBeNull());
    expect((await screen.findAllByText(none)).length).toBeGreaterThan(0);
  },
);

test('the current session is shown above the previous ones', async () => {
  gateway.respond(sessions, () =>
    success([pastSession({ id: 'S-77', stopped_at: null, terminate_cause: null }), pastSession()], {
      total_count: 2,
    }),
  );
  show('sessions');
  expect(await screen.findByText('Current session')).toBeInTheDocument();
  expect(await screen.findByText('pgw-1')).toBeInTheDocument();
  const past = await rowOf('1:30:05');
  expect(past).toHaveTextContent('4G · Vodafone DE3 MB1 MBiot.acme10.64.12.9');
  expect(within(past).getByText('the radio signal was lost')).toHaveAttribute(
    'title',
    'the radio signal was lost\nLost-Carrier',
  );
  expect(await rowOf('open')).toHaveTextContent('—');
});

test('the end of a session is shown without a reload, with its cause as text', async () => {
  show('sessions');
  expect(await screen.findByText('Current session')).toBeInTheDocument();
  const over = sessionResponse({ stopped_at: '2026-11-21T12:00:00.000Z', terminate_cause: 'Idle-Timeout' });
  gateway.respond(connection, () => success(connectionResponse({ connection: 'offline', session: over })));
  await emit('sim.connection', { iccid: testIccid, status: 'offline' });
  expect(await screen.findByText('Last session')).toBeInTheDocument();
  expect(screen.getByText('idle timeout')).toHaveAttribute('title', 'idle timeout\nIdle-Timeout');
  expect(screen.getByText('offline')).toBeInTheDocument();
});

test('the traffic of an open session grows in its row as in its card', async () => {
  const session = (down: number) => {
    const open = sessionResponse({ down_bytes: down * 1024 ** 2 });
    gateway.respond(connection, () => success(connectionResponse({ session: open })));
    const { gateway: _, ...row } = open;
    gateway.respond(sessions, () => success([row], { total_count: 1 }));
  };
  session(3);
  show('sessions');
  await waitFor(() => expect(screen.getAllByText('3 MB')).toHaveLength(2));
  session(7);
  await emit('sim.usage', { sims: [{ iccid: testIccid, bytes: 4 * 1024 ** 2, used: null }] });
  await waitFor(() => expect(screen.getAllByText('7 MB')).toHaveLength(2));
});
