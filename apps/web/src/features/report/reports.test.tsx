import type { Report, ReportPreferences } from '@simcube/contract/report';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { ReportsScreen } from './reports.screen.tsx';
import { reportsSearch } from './search.ts';

const gateway = stubGateway();
const list = 'POST /cube/report/reports/ACME';

const usage: Report = {
  id: '1',
  month: '2026-10',
  kind: 'sim-usage',
  language: 'en-US',
  time_zone: 'Europe/Madrid',
  made_at: '2026-11-06T02:14:00.000Z',
  rows: 2812,
  files: [
    { format: 'csv', bytes: 300_000 },
    { format: 'xlsx', bytes: 118_000 },
  ],
  figures: [
    { figure: 'sims', unit: 'count', currency: null, value: 2812, before: 2748 },
    { figure: 'used', unit: 'bytes', currency: null, value: 5.28 * 1024 ** 4, before: 4.8 * 1024 ** 4 },
    { figure: 'over_quota', unit: 'count', currency: null, value: 29, before: null },
  ],
  series: {
    unit: 'count',
    currency: null,
    bars: [
      { label: '0', value: 214, tone: 'idle' },
      { label: '≤ 10', value: 128, tone: 'plain' },
      { label: '> 100', value: 29, tone: 'over' },
    ],
  },
  preview: null,
};
const networks: Report = { ...usage, id: '2', kind: 'networks', rows: 0 };
const earlier = (index: number): Report => ({ ...usage, id: `e${index}`, month: monthAgo(index) });
const monthAgo = (index: number): string => new Date(Date.UTC(2026, 9 - index, 1)).toISOString().slice(0, 7);

const preferences: ReportPreferences = {
  kinds: ['sim-usage', 'networks'],
  formats: ['csv'],
  language: 'en-US',
  time_zone: 'Europe/Madrid',
  notify: [{ id: '4', name: 'Fleet desk' }],
  changed_at: '2026-05-01T00:00:00.000Z',
  changeable: true,
  next: { month: '2026-11', from: '2026-12-04T16:00:00.000Z', ready_by: '2026-12-08T15:59:59.000Z' },
};

const ReportsAt = () => <ReportsScreen {...useAddress(reportsSearch)} />;

const firstRow = ['8934070000023548827', 1024, 12.7 * 1024 ** 3, 159];

const answer = (
  reports: Report[] = [usage, networks],
  stored: ReportPreferences = preferences,
  rows = [firstRow],
): void => {
  gateway.respond(list, ({ body }) => {
    const { month } = body as { month?: string };
    const preview = {
      columns: [
        { column: 'iccid', unit: 'identifier' },
        { column: 'up', unit: 'bytes' },
        { column: 'used', unit: 'bytes' },
        { column: 'of_quota', unit: 'percent' },
      ],
      rows,
    };
    const matching = month
      ? reports.filter((one) => one.month === month).map((one) => ({ ...one, preview }))
      : reports;
    return success(matching, { total_count: matching.length });
  });
  gateway.respond('POST /cube/report/config/list', () => success(stored));
  gateway.respond('GET /job-service/rest/subscribe/group', () => success([], { total_count: 0 }));
};

beforeEach(() => {
  signedInAs('admin');
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined }),
  );
});

test('the latest month opens with its figures, a chart and the first rows', async () => {
  answer();
  renderScreen(<ReportsAt />, '/');
  const month = await screen.findByRole('region', { name: 'October 2026' });
  for (const text of [
    '2,812',
    '+64 vs Sep',
    '5.28 TB',
    '+10% vs Sep',
    'SIMs by share of their quota in their fullest cycle, %',
    '2,441 SIMs with usage but without a quota are not included',
    '≤ 10',
  ])
    expect(month).toHaveTextContent(text);
  expect(await within(month).findByText('12.7 GB')).toBeInTheDocument();
  expect(month).toHaveTextContent('159%');
  expect(month).toHaveTextContent('First 1 of 2,812 rows · 3 of 4 columns');
  expect(within(month).queryByRole('columnheader', { name: 'Up' })).not.toBeInTheDocument();
  const months = screen.getByRole('region', { name: 'Months' });
  expect(within(months).getByRole('link', { name: /October 2026/, current: true })).toHaveTextContent(
    '2,812 SIMs · 816 KB',
  );
  expect(months).toHaveTextContent('November 2026');
});

test('another report of the month opens in place, and an empty one says so', async () => {
  answer();
  const { user, history } = renderScreen(<ReportsAt />, '/');
  await user.click(await screen.findByRole('tab', { name: 'Networks' }));
  expect(history.location.search).toContain('kind=networks');
  expect(await screen.findByText('Nothing to report in this month.')).toBeInTheDocument();
});

test('months beyond the first ten are shown on demand', async () => {
  answer(Array.from({ length: 14 }, (_, index) => earlier(index)));
  const { user } = renderScreen(<ReportsAt />, '/');
  const months = await screen.findByRole('region', { name: 'Months' });
  await waitFor(() => expect(within(months).getAllByRole('link')).toHaveLength(10));
  await user.click(within(months).getByRole('button', { name: '4 earlier months' }));
  expect(within(months).getAllByRole('link')).toHaveLength(14);
});

test('one report is downloaded in a format, several as an archive', async () => {
  answer();
  const file = () =>
    new Response('iccid', { headers: { 'content-disposition': 'attachment; filename="a.csv"' } });
  gateway.respond('GET /cube/report/2026-10/sim-usage/download', file);
  gateway.respond('POST /cube/report/download', file);
  const { user } = renderScreen(<ReportsAt />, '/');
  await user.click(await screen.findByRole('button', { name: /XLSX/ }));
  await waitFor(() =>
    expect(gateway.sent.some(({ path }) => path.endsWith('/sim-usage/download'))).toBe(true),
  );
  await user.click(screen.getByRole('button', { name: 'Download several…' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('checkbox', { name: 'Networks' }));
  await user.click(within(dialog).getByRole('button', { name: 'Download 2 files as ZIP' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ path }) => path === '/cube/report/download')?.body).toEqual({
      months: ['2026-10'],
      kinds: ['sim-usage'],
    }),
  );
});

test('a download that ends after its dialog was closed leaves the next one open', async () => {
  answer();
  let finish = (): void => undefined;
  const file = () =>
    new Response('zip', { headers: { 'content-disposition': 'attachment; filename="a.zip"' } });
  gateway.respond(
    'POST /cube/report/download',
    () => new Promise((resolve) => (finish = () => resolve(file()))),
  );
  const { user } = renderScreen(<ReportsAt />, '/');
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Download several…' }));
    return await screen.findByRole('dialog');
  };
  const first = await open();
  await user.click(within(first).getByRole('button', { name: /^Download \d/ }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(first).not.toBeInTheDocument());
  const second = await open();
  const saved = vi.spyOn(URL, 'createObjectURL');
  finish();
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  await act(async () => undefined);
  expect(second).toBeInTheDocument();
});

test('an admin changes which reports are created', async () => {
  answer();
  gateway.respond('POST /cube/report/config/cube', () => success(preferences));
  const { user } = renderScreen(<ReportsAt />, '/');
  const card = await screen.findByRole('region', { name: 'Preferences' });
  const save = await within(card).findByRole('button', { name: 'Save' });
  expect(save).toBeDisabled();
  expect(card).toHaveTextContent('From the reports of November 2026 on');
  await user.click(within(card).getByRole('checkbox', { name: /^SMS/ }));
  await user.click(within(card).getByText('Both'));
  await user.click(save);
  await waitFor(() =>
    expect(gateway.sent.find(({ path }) => path === '/cube/report/config/cube')?.body).toEqual({
      kinds: ['sim-usage', 'networks', 'sms'],
      formats: ['csv', 'xlsx'],
      language: 'en-US',
      time_zone: 'Europe/Madrid',
      notify: ['4'],
    }),
  );
});

test('changes that are made while preferences are being saved are kept, and can be saved', async () => {
  answer();
  let arrive = (): void => undefined;
  const kinds = [...preferences.kinds, 'sms'] as const;
  gateway.respond('POST /cube/report/config/cube', async () => {
    await new Promise<void>((resolve) => {
      arrive = resolve;
    });
    return success({ ...preferences, kinds: [...kinds], changed_at: '2026-06-01T00:00:00.000Z' });
  });
  const { user } = renderScreen(<ReportsAt />, '/');
  const card = within(await screen.findByRole('region', { name: 'Preferences' }));
  await user.click(await card.findByRole('checkbox', { name: /^SMS/ }));
  await user.click(card.getByRole('button', { name: 'Save' }));
  await user.click(card.getByRole('checkbox', { name: /^Pools/ }));
  arrive();
  await waitFor(() => expect(card.getByRole('button', { name: 'Save' })).not.toHaveClass('ant-btn-loading'));
  expect(card.getByRole('checkbox', { name: /^SMS/ })).toBeChecked();
  expect(card.getByRole('checkbox', { name: /^Pools/ })).toBeChecked();
  expect(card.getByRole('button', { name: 'Save' })).toBeEnabled();
});

test('address groups that can not be fetched are reported, and can be retried', async () => {
  answer();
  gateway.respond('GET /job-service/rest/subscribe/group', () =>
    errorResponse({ http: 403, code: 'CB-00-0403', message: 'No' }),
  );
  const { user } = renderScreen(<ReportsAt />, '/');
  const card = within(await screen.findByRole('region', { name: 'Preferences' }));
  const retry = await card.findByRole('button', { name: 'Try again' });
  gateway.respond('GET /job-service/rest/subscribe/group', () => success([], { total_count: 0 }));
  await user.click(retry);
  await waitFor(() => expect(retry).not.toBeInTheDocument());
});

test('preferences that were never saved start with the time zone of the device, not of the display', async () => {
  const timeZone = 'America/Bogota';
  const options = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone };
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
  answer([usage], { ...preferences, time_zone: 'UTC', changed_at: null });
  gateway.respond('POST /cube/report/config/cube', () => success(preferences));
  const { user } = renderScreen(<ReportsAt />, '/');
  const card = await screen.findByRole('region', { name: 'Preferences' });
  await user.click(await within(card).findByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(gateway.sent.find(({ path }) => path === '/cube/report/config/cube')?.body).toMatchObject({
      time_zone: timeZone,
    }),
  );
  vi.restoreAllMocks();
});

test('preferences saved by another person do not discard unsaved changes', async () => {
  answer();
  const { user } = renderScreen(<ReportsAt />, '/');
  const card = await screen.findByRole('region', { name: 'Preferences' });
  await user.click(await within(card).findByRole('checkbox', { name: /^SMS/ }));
  answer([usage], { ...preferences, formats: ['xlsx'], changed_at: '2026-06-01T00:00:00.000Z' });
  window.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(within(card).getByRole('radio', { name: 'XLSX' })).toBeChecked());
  expect(within(card).getByRole('checkbox', { name: /^SMS/ })).toBeChecked();
});

test('without write permission the preferences are shown but can not be changed', async () => {
  answer([usage], { ...preferences, changeable: false });
  renderScreen(<ReportsAt />, '/');
  const card = await screen.findByRole('region', { name: 'Preferences' });
  expect(await within(card).findByRole('checkbox', { name: /^SIM usage/ })).toBeDisabled();
  expect(within(card).queryByRole('button', { name: 'Save' })).not.toBeInTheDocument();
});

test('without reports it shows when the next ones are created; a failure can be retried', async () => {
  answer([]);
  gateway.respond(list, () => errorResponse({ http: 500, code: 'CB-99-0500' }));
  const { user } = renderScreen(<ReportsAt />, '/');
  const retry = await screen.findByRole('button', { name: 'Try again' });
  gateway.respond(list, () => success([], { total_count: 0 }));
  await user.click(retry);
  expect(await screen.findByText('No reports yet')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Download several…' })).toBeDisabled();
});

test('there is no card of months without existing or upcoming reports', async () => {
  answer([], { ...preferences, kinds: [] });
  renderScreen(<ReportsAt />, '/');
  expect(await screen.findByText('No reports yet')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Months' })).not.toBeInTheDocument());
  expect(await screen.findByRole('region', { name: 'Preferences' })).toBeInTheDocument();
});

test('rows and bars with the same name are all shown separately', async () => {
  const errorSpy = vi.spyOn(console, 'error');
  const bar = { label: 'Meters', value: 5, tone: 'plain' } as const;
  answer([{ ...usage, series: { ...usage.series, bars: [bar, bar] } }], preferences, [firstRow, firstRow]);
  renderScreen(<ReportsAt />, '/');
  const table = await screen.findByRole('table');
  expect(within(table).getAllByRole('row')).toHaveLength(3);
  expect(screen.getAllByText('Meters')).toHaveLength(2);
  expect(errorSpy.mock.calls.flat().filter((one) => /same key/.test(String(one)))).toEqual([]);
});
