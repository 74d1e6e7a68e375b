import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stringifySearch } from '../../lib/search-params/index.ts';
import { setTimeDisplay } from '../../lib/time/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import {
  forecast,
  missed,
  respondWithSchedule,
  run,
  schedule,
  schedulesPath,
} from '../../testing/schedule-examples.ts';
import { ScheduleScreen } from './schedule.screen.tsx';
import { type ScheduleSearch, scheduleSearch } from './search.ts';

const gateway = stubGateway();
const never = () => new Promise<Response>(() => undefined);
const refusal = (message: string) => () => errorResponse({ http: 400, code: 'CB-00-0400', message });
const Detail = () => <ScheduleScreen {...useAddress(scheduleSearch)} />;
const show = (search: ScheduleSearch = { id: '7' }) =>
  renderScreen(<Detail />, `/${stringifySearch(search)}`);
const card = (name: string) => screen.findByRole('region', { name });
const isLoading = (element: HTMLElement) => element.querySelector('[aria-busy="true"]') !== null;
const none = 'No upcoming runs.';

afterEach(() => vi.useRealTimers());
beforeEach(() => {
  signedInAs('operator');
  respondWithSchedule(gateway);
});

test('next runs and quota are loading until the forecast arrives', async () => {
  gateway.respond(`POST ${schedulesPath}/forecast`, never);
  show();
  const [runs, quota] = [await card('Next runs'), await card('Quota')];
  await waitFor(() => expect([runs, quota].map(isLoading)).toEqual([true, true]));
  expect(within(runs).queryByText(none)).not.toBeInTheDocument();
});

test('a forecast that failed says so in both cards, and can be requested again', async () => {
  gateway.respond(`POST ${schedulesPath}/forecast`, refusal('Not now'));
  const { user } = show();
  const [runs, quota] = [await card('Next runs'), await card('Quota')];
  for (const one of [runs, quota]) expect(await within(one).findByRole('alert')).toHaveTextContent('Not now');
  expect(within(runs).queryByText(none)).not.toBeInTheDocument();
  gateway.respond(`POST ${schedulesPath}/forecast`, () => success(forecast));
  await user.click(within(quota).getByRole('button', { name: 'Try again' }));
  expect(await within(runs).findByText('05:30')).toBeInTheDocument();
  expect(within(quota).queryByRole('alert')).not.toBeInTheDocument();
});

test('a forecast without runs says that there are none', async () => {
  gateway.respond(`POST ${schedulesPath}/forecast`, () => success({ ...forecast, runs: [] }));
  show();
  expect(await within(await card('Next runs')).findByText(none)).toBeInTheDocument();
});

test('SIMs that could not be counted are not taken for none, and no quota is forecast for them', async () => {
  gateway.respond(`POST ${schedulesPath}/audience`, refusal('Try later'));
  const { user } = show();
  const [runs, quota] = [await card('Next runs'), await card('Quota')];
  for (const one of [runs, quota])
    expect(await within(one).findByRole('alert')).toHaveTextContent('Try later');
  const sent = () =>
    gateway.sent
      .filter(({ path }) => path === `${schedulesPath}/forecast`)
      .map(({ body }) => (body as { sims: number }).sims);
  expect(sent()).not.toContain(0);
  respondWithSchedule(gateway);
  await user.click(within(runs).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent()).toContain(1));
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  expect((await within(runs).findByText('05:30')).closest('tr')).toHaveTextContent(/05:301$/);
});

test('the last runs are loading until they arrive, and a failure can be retried', async () => {
  gateway.respond(`GET ${schedulesPath}/7/runs`, refusal('Not yet'));
  const { user } = show();
  const after = await card('After each run');
  expect(await within(after).findByRole('alert')).toHaveTextContent('Not yet');
  expect(within(after).queryByRole('table')).not.toBeInTheDocument();
  gateway.respond(`GET ${schedulesPath}/7/runs`, () => success([run], { total_count: 12 }));
  await user.click(within(after).getByRole('button', { name: 'Try again' }));
  expect(await within(after).findByRole('row', { name: /206 of 214/ })).toBeInTheDocument();
  expect(within(after).getByRole('link', { name: 'All runs (12)' })).toHaveAttribute(
    'href',
    '/en-US/scheduleSmsDetails?id=7&tab=runs',
  );
});

test('all runs are listed in pages', async () => {
  gateway.respond(`GET ${schedulesPath}/7/runs`, () => success([run, missed], { total_count: 60 }));
  show({ id: '7', tab: 'runs', page: 2 });
  const row = await screen.findByRole('row', { name: /206 of 214/ });
  expect(row).toHaveTextContent('Ended');
  expect(row).toHaveTextContent('11 min');
  expect(screen.getByText('Missed · Too late')).toBeInTheDocument();
  const asked = gateway.sent.find(({ path }) => path === `${schedulesPath}/7/runs`);
  expect(asked?.query.get('page_no')).toBe('2');
});

test.each([
  ['UTC', /^next run Nov 30, 2026, 05:30 \(UTC\), in 20h$/],
  ['LOCAL', /^next run .* \(Local\), in 20h$/],
] as const)('the next run names its time zone: %s', async (zone, text) => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-29T09:00Z') });
  setTimeDisplay(zone);
  show();
  expect(await screen.findByText(text)).toBeInTheDocument();
});

test('a pasted text that is too long is not cut: it says so, and the outlook is without it', async () => {
  const { user } = show();
  const field = await screen.findByLabelText('Text');
  await user.clear(field);
  await user.paste('x'.repeat(200));
  expect(field).toHaveValue('x'.repeat(200));
  expect(await screen.findByRole('alert')).toHaveTextContent('140');
  const forecasts = () =>
    gateway.sent.filter(({ path }) => path === `${schedulesPath}/forecast`).map(({ body }) => body as object);
  await waitFor(() => expect(forecasts().at(-1)).not.toHaveProperty('content'));
  expect(within(await card('Quota')).queryByRole('alert')).toBeNull();
});

test.each([
  [schedule.next_run_at, 'will be sent to'],
  [null, '—'],
])('the SIMs of a schedule that runs next at %s: %s', async (next_run_at, words) => {
  respondWithSchedule(gateway, { ...schedule, next_run_at });
  const sim = { iccid: '89340700000023553065', own: true, device_name: 'Meter', message: null };
  const last_message = { at: run.run_at, status: 'delivered' };
  gateway.respond('POST /customer/sms/detail/list', () =>
    success([{ ...sim, last_message }], { total_count: 1 }),
  );
  show({ id: '7', tab: 'sims' });
  expect((await screen.findByText('Meter')).closest('tr')).toHaveTextContent(words);
});

test('times that are over are marked before they are sent', async () => {
  respondWithSchedule(gateway, {
    ...schedule,
    when: {
      ...schedule.when,
      mode: 'weekly',
      times: [{ day: 1, time: '06:30' }],
      from: '1900-01-01',
      until: '1900-01-31',
    },
  });
  const { user } = show();
  await user.type(await screen.findByLabelText('Name'), ` of the ${'north'.repeat(8)}`);
  expect(screen.getByText('64 of 50')).toHaveClass(/error/);
  await user.type(screen.getByLabelText('Name'), '{Backspace>20/}');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Choose a time that has not passed yet');
  expect(screen.getByLabelText('A day', { selector: '[type=date]' })).toBeInvalid();
  expect(gateway.sent.map(({ method }) => method)).not.toContain('PUT');
});
