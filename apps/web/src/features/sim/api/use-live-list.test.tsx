import { endpoints, type LiveEventName } from '@simcube/contract';
import type { SimRow } from '@simcube/contract/sim';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { useLiveList } from './use-live-list.ts';
import { useLiveSim } from './use-live-sim.ts';
import { useSimBasic } from './use-sim.ts';
import { useSimList } from './use-sim-list.ts';

const handlers = vi.hoisted(() => new Map<string, Set<(data: unknown) => void>>());
vi.mock(import('../../../lib/live/index.ts'), async (original) => {
  const { useEffect, useEffectEvent } = await import('react');
  return {
    ...(await original()),
    useLive: (name: LiveEventName, handler: (data: never, id: string) => void) => {
      const onEvent = useEffectEvent(handler);
      useEffect(() => {
        const listen = (data: unknown) => onEvent(data as never, '1-1');
        const those = handlers.get(name) ?? new Set();
        handlers.set(name, those.add(listen));
        return () => void those.delete(listen);
      }, [name]);
    },
  };
});
const emit = (name: LiveEventName, data: unknown): void =>
  act(() => {
    for (const handler of handlers.get(name) ?? []) handler(data);
  });
const usage = (iccid: string, bytes: number, used: number | null): void =>
  emit('sim.usage', { at: null, sims: [{ iccid, bytes, used }], bytes, hours: null });

const gateway = stubGateway();
const { list, basic } = endpoints.sim;
const shownHere = 'A1';
const row = (bytes: number): Partial<SimRow> => ({
  iccid: shownHere,
  connection: 'online',
  cycle_usage_bytes: bytes,
  week_bytes: [0, 0, 0, 0, 0, 0, bytes],
});
const respondWith = (bytes: number): void => {
  gateway.respond(`${list.method} ${list.path}`, () => success([row(bytes)], { total_count: 1 }));
  gateway.respond(`GET ${basic.path}`, () => success({ iccid: shownHere, cycle: { usage_bytes: bytes } }));
};

const List = () => {
  const { data } = useLiveList(useSimList({}, true));
  return (
    <ul>
      {data?.data.map((sim) => (
        <li key={sim.iccid}>{`list ${sim.cycle_usage_bytes} ${sim.week_bytes.at(-1)} ${sim.connection}`}</li>
      ))}
    </ul>
  );
};
const Detail = () => {
  useLiveSim(shownHere);
  const { data } = useSimBasic(shownHere);
  return <p>{data ? `detail ${data.data.cycle.usage_bytes}` : null}</p>;
};

beforeEach(() => {
  signedInAs('admin');
  respondWith(1000);
});

test('list and detail show the same values of a SIM, and count usage once, whether from an event or a response', async () => {
  renderScreen(
    <>
      <List />
      <Detail />
    </>,
  );
  await screen.findByText('list 1000 1000 online');
  await screen.findByText('detail 1000');
  // Responses requested after the event already include it.
  respondWith(1250);
  usage(shownHere, 250, 1250);
  await screen.findByText('list 1250 1250 online');
  await screen.findByText('detail 1250');
  usage(shownHere, 250, 1250);
  usage('elsewhere', 70, 70);
  emit('sim.connection', { iccid: shownHere, status: 'offline' });
  await screen.findByText('list 1250 1250 offline');
  expect(screen.getByText('detail 1250')).toBeInTheDocument();
});

test('the list is refetched only for SIMs on screen, and only for what the event does not contain', async () => {
  renderScreen(<List />);
  await screen.findByText('list 1000 1000 online');
  const requestCount = gateway.sent.length;
  usage('elsewhere', 5, 5);
  emit('sim.connection', { iccid: 'elsewhere', status: 'offline' });
  emit('sim.event', { iccid: 'elsewhere', kind: 'session-stopped', at: '2026-11-21T12:00:00.000Z' });
  usage(shownHere, 5, 1005);
  await screen.findByText('list 1005 1005 online');
  expect(gateway.sent).toHaveLength(requestCount);
  usage(shownHere, 5, null);
  await waitFor(() => expect(gateway.sent.length).toBeGreaterThan(requestCount));
});
