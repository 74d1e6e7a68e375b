import type { Cdr, CdrGroup, CdrSums } from '@simcube/contract/cdr';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { CdrsScreen, cdrSearch } from '../index.ts';
import { CdrChartsScreen, cdrChartsSearch } from '../screens.ts';

const gateway = stubGateway();
const list = 'POST /cdr/distributor/ACME/stdcdrs';
const sums = 'POST /cdr/sum/distributor/ACME/stdcdrs';
const amounts = { records: 1, up_bytes: 10, down_bytes: 20 };
const figures = { ...amounts, sims: 1, sessions: 1 };
const group = (key: string): CdrGroup => {
  const none = { records: 0, up_bytes: 0, down_bytes: 0 };
  return { ...figures, key, name: null, country: null, provisional: none, before: null };
};
const record: Cdr = {
  id: '8934070000023561120-1795357742000000-71',
  iccid: '8934070000023561120',
  own: true,
  started_at: '2026-11-22T14:24:02.000Z',
  ended_at: '2026-11-22T14:29:02.000Z',
  imsi: '214070023561120',
  msisdn: null,
  device_name: 'Camera',
  network: null,
  radio: null,
  cell: null,
  apn: 'iot',
  bundle: null,
  session: '8934070000023561120-12',
  source: 'radius',
  provisional: true,
  up_bytes: 10,
  down_bytes: 20,
  total_bytes: 30,
};
const spanOf = (body: unknown) => body as { from: string; to: string };
const sumsOf = ({ from, to }: { from: string; to: string }): CdrSums => ({
  from,
  to,
  total: figures,
  provisional: amounts,
  before: null,
  provisional_from: from,
  counted_until: to,
  groups: {
    day: [group('2026-11-21'), group('2026-11-22')],
    hour: [group('2026-11-22T13:00:00.000Z'), group('2026-11-22T14:00:00.000Z')],
    country: [group('DE')],
  },
});

const List = () => <CdrsScreen {...useAddress(cdrSearch)} />;
const Charts = () => <CdrChartsScreen {...useAddress(cdrChartsSearch)} />;
const sentTo = (call: string) =>
  gateway.sent.filter((one) => `${one.method} ${one.path}` === call).map(({ body }) => spanOf(body));
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-25T12:30:00.000Z') });
  signedInAs('user');
  gateway.respond(list, () => success([record], { total_count: 1, total_relation: 'eq' }));
  gateway.respond(sums, ({ body }) => success(sumsOf(spanOf(body)), { as_of: new Date().toISOString() }));
  gateway.respond('GET /cdr/info_country_areas', () => success([]));
  gateway.respond('GET /cdr/info_mnos/distinct', () => success([]));
  gateway.respond(`GET /cdr/stdcdrs/record/${record.id}`, () =>
    errorResponse({ http: 404, code: 'CB-01-0031' }),
  );
});
afterEach(() => void vi.useRealTimers());

describe('CDRs up to now', () => {
  test.each([
    ['list', <List key="list" />, () => screen.findByText('Camera')],
    ['charts', <Charts key="charts" />, () => screen.findByText('Germany')],
  ])('stay on screen as a %s when those of the next minute can not be fetched', async (_, view, shown) => {
    renderScreen(view);
    const element = await shown();
    const before = sentTo(sums).length;
    const unavailable = () => errorResponse({ http: 503, code: 'CB-99-0503' });
    gateway.respond(list, unavailable);
    gateway.respond(sums, unavailable);
    await later(61_000);
    await waitFor(() => expect(sentTo(sums).length).toBeGreaterThan(before));
    await later(2_000);
    expect(element).toBeVisible();
  });

  test('are named by their instants while a link fixes them, and end now again once it is closed', async () => {
    const { history } = renderScreen(<List />, `/?record=${record.id}`);
    const period = () => screen.findByRole('button', { name: /^Period/ });
    expect(await period()).toHaveTextContent('Nov 21, 14:29 – Nov 22, 14:29');
    act(() => history.replace('/'));
    await waitFor(async () => expect(await period()).toHaveTextContent('last 24 hours'));
    expect(sentTo(list).at(-1)?.to).toMatch(/^2026-11-25T12:30/);
  });

  test.each([
    ['/?from=2026-11-21&to=2026-11-22', false],
    ['/?since=2026-11-22T13:00:00.000Z&until=2026-11-22T14:30:00.000Z', true],
  ])('have a curve whose last value is marked only if it is incomplete: %s', async (address, isMarked) => {
    renderScreen(<List />, address);
    const curve = await screen.findByRole('img', { name: /^Volume|by hour|by day/ });
    expect(curve.querySelector('[stroke-dasharray]') !== null).toBe(isMarked);
  });
});
