import { endpoints, type LiveEventName } from '@simcube/contract';
import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { useCards, useLifecycleCount, useRank, useStatistics } from './api/use-dashboard.ts';
import { useLiveDashboard } from './api/use-live-dashboard.ts';

const handlers = vi.hoisted(() => new Map<string, Set<(data: unknown, id: string) => void>>());
vi.mock(import('../../lib/live/index.ts'), async (original) => {
  const { useEffect, useEffectEvent } = await import('react');
  return {
    ...(await original()),
    livePosition: () => '100-1',
    useLive: (name: LiveEventName, handler: (data: never, id: string) => void) => {
      const onEvent = useEffectEvent(handler);
      useEffect(() => {
        const listen = (data: unknown, id: string) => onEvent(data as never, id);
        const those = handlers.get(name) ?? new Set();
        handlers.set(name, those.add(listen));
        return () => void those.delete(listen);
      }, [name]);
    },
  };
});
const tell = (name: LiveEventName, data: unknown, id: string): void =>
  act(() => {
    for (const handler of handlers.get(name) ?? []) handler(data, id);
  });
const usage = (transaction: number, bytes: number, used: Record<string, number> = {}): void =>
  tell(
    'sim.usage',
    {
      at: null,
      sims: Object.entries(used).map(([iccid, of]) => ({ iccid, bytes, used: of })),
      bytes,
      hours: [{ at: '2026-11-21T12:00:00.000Z', bytes }],
    },
    `${transaction}-7`,
  );

const gateway = stubGateway();
const calls = endpoints.dashboard;
const figure = { value: 0, compared_with: null, trend: [0] };
/** What the server has counted up to a transaction: as much as its number. */
const snapshotOf = (transaction: number) => ({
  snapshot: `${transaction}:${transaction}:`,
  as_of: '2026-11-21T12:30:00.000Z',
});
const points: Record<DashboardStatistics['range'], string> = {
  '24h': '2026-11-21T12:00:00.000Z',
  week: '2026-11-20T16:00:00.000Z',
  '6months': '2026-11',
};

beforeEach(() => {
  signedInAs('admin');
  gateway.respond(`GET ${calls.card.path}`, () =>
    success(
      {
        total_sims: 9,
        active_sims: figure,
        usage_bytes: { value: 500, compared_with: null, trend: [500] },
        overage_sims: figure,
        expiring_sims: { ...figure, within_7_days: 0 },
        cycle: { started_at: '2026-10-31T16:00:00.000Z', ends_at: '2026-11-30T16:00:00.000Z' },
      },
      snapshotOf(200),
    ),
  );
  gateway.respond(`GET ${calls.statistics.path}`, ({ query }) => {
    const range = (query.get('range') ?? '24h') as DashboardStatistics['range'];
    const point = { at: points[range], bytes: 500, previous_bytes: null };
    return success({ range, points: [point], provisional_from: points['24h'] }, snapshotOf(200));
  });
  gateway.respond(`GET ${calls.rank.path}`, () =>
    success([
      { iccid: 'first', device_name: null, usage_bytes: 300, limit_bytes: null },
      { iccid: 'second', device_name: null, usage_bytes: 200, limit_bytes: null },
    ]),
  );
  const lifecycle = { 'pre-activated': 3, active: 4, paused: 0, expired: 0, terminated: 0 };
  gateway.respond(`GET ${calls.lifecycleCount.path}`, () => success({ total: 7, lifecycle }));
});

const Screen = () => {
  useLiveDashboard();
  const { data: cards } = useCards();
  const day = useStatistics('24h').data;
  const week = useStatistics('week').data;
  const months = useStatistics('6months').data;
  const rank = useRank().data;
  const counts = useLifecycleCount().data;
  const bytes = [day, week, months].map((answer) => answer?.data.points.at(-1)?.bytes);
  return (
    <>
      <output>{[cards?.data.usage_bytes.value, ...bytes].join(' ')}</output>
      <p>{rank?.data.map((sim) => `${sim.iccid} ${sim.usage_bytes}`).join(', ')}</p>
      <p>{`${cards?.data.active_sims.value} of ${cards?.data.total_sims}; ${counts?.data.total}`}</p>
    </>
  );
};

const shown = () => screen.getByRole('status').textContent;
/** Maximum number of requests of an idle dashboard per minute. */
const mostAMinute = 6;

test('the dashboard applies events without requests, and counts each byte once', async () => {
  renderScreen(<Screen />);
  await waitFor(() => expect(shown()).toBe('500 500 500 500'));
  const asked = gateway.sent.length;
  expect(asked).toBe(6);
  usage(199, 40, { first: 300 });
  usage(201, 7, { second: 350 });
  for (let transaction = 202; transaction < 262; transaction += 1) usage(transaction, 1);
  await waitFor(() => expect(shown()).toBe('567 567 567 567'));
  expect(screen.getByText('second 350, first 300')).toBeInTheDocument();
  expect(gateway.sent.length - asked).toBe(0);
});

test('the dashboard takes the numbers of SIMs from the lifecycle counts', async () => {
  renderScreen(<Screen />);
  expect(await screen.findByText('4 of 7; 7')).toBeInTheDocument();
});

test('the dashboard refetches the cards after quota events, throttled, but not after session events', async () => {
  renderScreen(<Screen />);
  await waitFor(() => expect(shown()).toBe('500 500 500 500'));
  const asked = gateway.sent.length;
  const event = (kind: string) => tell('sim.event', { iccid: 'first', kind, at: points['24h'] }, '300-1');
  event('session-started');
  event('session-stopped');
  expect(gateway.sent).toHaveLength(asked);
  for (let index = 0; index < 20; index += 1) event('quota-reached');
  await waitFor(() => expect(gateway.sent).toHaveLength(asked + 1));
  expect(gateway.sent.at(-1)?.path).toBe(calls.card.path);
  expect(gateway.sent.length - asked).toBeLessThan(mostAMinute);
});

test('the dashboard refetches its figures after the stream was reset', async () => {
  renderScreen(<Screen />);
  await waitFor(() => expect(shown()).toBe('500 500 500 500'));
  const asked = gateway.sent.length;
  tell('stream.reset', {}, '150-1');
  await waitFor(() => expect(gateway.sent).toHaveLength(asked + 5));
  usage(201, 3);
  await waitFor(() => expect(shown()).toBe('503 503 503 503'));
});
