import { type CdrFigures, type CdrGroup, type CdrSums, cdrRadioTypes } from '@simcube/contract/cdr';
import { dayMs, hourMs } from '@simcube/contract/time';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { CdrChartsScreen, cdrChartsSearch } from '../screens.ts';
import { radioColour } from './radio-by-day.tsx';

const gateway = stubGateway();
const path = 'POST /cdr/sum/distributor/ACME/stdcdrs';
const gb = 1024 ** 3;

const figures = (changes: Partial<CdrFigures> = {}): CdrFigures => ({
  records: 30,
  up_bytes: 2 * gb,
  down_bytes: 4 * gb,
  sims: 7,
  sessions: 11,
  ...changes,
});
const none = { records: 0, up_bytes: 0, down_bytes: 0 };
const group = (key: string, changes: Partial<CdrGroup> = {}): CdrGroup => ({
  ...figures(),
  key,
  name: null,
  country: null,
  provisional: none,
  before: { records: 15, up_bytes: gb, down_bytes: 2 * gb },
  ...changes,
});
const sums: CdrSums = {
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-22T14:30:00.000Z',
  total: figures({ records: 4200, up_bytes: 6 * gb, down_bytes: 12 * gb, sims: 1861, sessions: 2669 }),
  provisional: { records: 10, up_bytes: gb, down_bytes: 2 * gb },
  provisional_from: '2026-11-21T14:00:00.000Z',
  counted_until: '2026-11-22T14:00:00.000Z',
  before: null,
  groups: {
    day: [
      group('2026-11-20', { records: 1234 }),
      group('2026-11-21'),
      group('2026-11-22', { provisional: { records: 10, up_bytes: gb, down_bytes: 2 * gb } }),
    ],
    country: [
      group('DE', { up_bytes: 3 * gb, down_bytes: 9 * gb, sims: 3 }),
      group('ZZ', { up_bytes: gb, down_bytes: 5 * gb, sims: 5 }),
    ],
    operator: Array.from({ length: 9 }, (_, index) =>
      group(`262-0${index}`, { name: `Operator ${index}`, country: 'DE', down_bytes: (9 - index) * gb }),
    ),
    radio: [group('4G'), group('unknown')],
    day_radio: [
      group('2026-11-20 4G', { up_bytes: 0, down_bytes: 3 * gb, records: 12, before: null }),
      group('2026-11-20 unknown', { up_bytes: 0, down_bytes: gb, records: 5, before: null }),
      group('2026-11-22 4G', { before: null }),
    ],
  },
};

const Screen = () => <CdrChartsScreen {...useAddress(cdrChartsSearch)} />;
const bodies = () => gateway.sent.filter((one) => one.path === path.slice(5)).map(({ body }) => body);
const list = (name: string) => screen.findByRole('list', { name });
const linkIn = async (name: string, link: string) =>
  within(await list(name)).getByRole('link', { name: link });

beforeEach(() => {
  signedInAs('user');
  gateway.respond(path, () => success(sums));
  gateway.respond('GET /cdr/info_country_areas', () => success([]));
  gateway.respond('GET /cdr/info_mnos/distinct', () => success([]));
});

describe('the charts of CDRs', () => {
  test('request the last 31 natural days and the previous period', async () => {
    renderScreen(<Screen />);
    await list('By country');
    expect(bodies()[0]).toMatchObject({
      before: true,
      group_by: ['day', 'country', 'operator', 'radio', 'day_radio'],
      from: expect.stringMatching(/T00:00:00\.000Z$/),
    });
    const { from = '', to = '' } = bodies()[0] as { from?: string; to?: string };
    const days = (Date.parse(to) - Date.parse(from)) / dayMs;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThanOrEqual(31);
  });

  test('show the figures of all records', async () => {
    renderScreen(<Screen />);
    await list('By country');
    const terms = screen
      .getAllByRole('term')
      .map(({ textContent, nextElementSibling }) => [
        textContent,
        nextElementSibling?.querySelector('b')?.textContent,
      ]);
    expect(terms).toEqual([
      ['Volume', '18\u00a0GB'],
      ['Records', '4,200'],
      ['Sessions', '2,669'],
      ['SIMs', '1,861'],
      ['Still provisional', '3\u00a0GB'],
    ]);
    expect(screen.getByText('6 GB up · 12 GB down')).toBeInTheDocument();
    // In the 62 hours from 20 November until the records were counted, half an hour before the end of the span.
    expect(screen.getByText('1,626 a day')).toBeInTheDocument();
  });

  test('show no daily figure of less than two days', async () => {
    gateway.respond(path, () => success({ ...sums, from: '2026-11-21T14:30:00.000Z' }));
    renderScreen(<Screen />);
    await list('By country');
    expect(screen.queryByText(/a day$/)).toBeNull();
  });

  test('show up, down, provisional and previous volume of each day', async () => {
    renderScreen(<Screen />);
    const table = await screen.findByRole('table', { name: 'Volume by day' });
    const [head, ...rows] = within(table).getAllByRole('row');
    const textsOf = (row: HTMLElement | undefined) =>
      [...(row?.querySelectorAll('th, td') ?? [])].map((cell) => cell.textContent?.replace(/ · .*/, ''));
    expect(textsOf(head)).toEqual(['Day', 'Up', 'Down', 'provisional', 'previous period']);
    expect(textsOf(rows[2]).slice(1)).toEqual(['2\u00a0GB', '4\u00a0GB', '3\u00a0GB', '3\u00a0GB']);
  });

  test('link each mark to its records, preserving the filter', async () => {
    const { user } = renderScreen(<Screen />, '/?radio=4G&last=7d');
    expect(await linkIn('By country', 'Germany')).toHaveAttribute(
      'href',
      '/en-US/cdrCard?last=7d&radio=4G&country=DE',
    );
    expect(await linkIn('By country', 'Unknown')).toHaveAttribute(
      'href',
      expect.stringContaining('country=ZZ'),
    );
    expect(await linkIn('By operator', 'Operator 0 DE')).toHaveAttribute(
      'href',
      expect.stringContaining('operator=262-00'),
    );
    expect(await linkIn('By radio type', 'Unknown')).toHaveAttribute(
      'href',
      '/en-US/cdrCard?last=7d&radio=unknown',
    );
    const byDay = within(screen.getByRole('figure', { name: 'Volume by day' }));
    await user.click(byDay.getByRole('button', { name: 'Show as table' }));
    expect(screen.getByRole('link', { name: 'Nov 20, 2026' })).toHaveAttribute(
      'href',
      '/en-US/cdrCard?radio=4G&from=2026-11-20&to=2026-11-20',
    );
  });

  test('link bars of partial days to exactly the records they count', async () => {
    const { user } = renderScreen(
      <Screen />,
      '/?since=2026-11-20T16:00:00.000Z&until=2026-11-22T14:30:00.000Z',
    );
    await list('By country');
    const byDay = within(screen.getByRole('figure', { name: 'Volume by day' }));
    await user.click(byDay.getByRole('button', { name: 'Show as table' }));
    const hrefs = within(screen.getByRole('table', { name: 'Volume by day' }))
      .getAllByRole('link')
      .map((link) => decodeURIComponent(link.getAttribute('href') ?? ''));
    expect(hrefs).toEqual([
      '/en-US/cdrCard?since=2026-11-20T16:00:00.000Z&until=2026-11-21T00:00:00.000Z',
      '/en-US/cdrCard?from=2026-11-21&to=2026-11-21',
      '/en-US/cdrCard?since=2026-11-22T00:00:00.000Z&until=2026-11-22T14:30:00.000Z',
    ]);
  });

  test('link bars of partial hours to exactly the records they count', async () => {
    const hour = (key: string) => group(key, { records: 8 });
    const hours = [
      hour('2026-11-22T12:00:00.000Z'),
      hour('2026-11-22T13:00:00.000Z'),
      hour('2026-11-22T14:00:00.000Z'),
    ];
    const from = '2026-11-22T12:45:00.000Z';
    gateway.respond(path, () =>
      success({ ...sums, from, groups: { ...sums.groups, day: undefined, hour: hours } }),
    );
    const { user } = renderScreen(<Screen />, '/?last=24h&apn=iot');
    await list('By country');
    expect(screen.queryByRole('figure', { name: /radio type/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show as table' }));
    const hrefs = within(screen.getByRole('table', { name: 'Volume by hour' }))
      .getAllByRole('link')
      .map((link) => decodeURIComponent(link.getAttribute('href') ?? ''));
    expect(hrefs).toEqual([
      '/en-US/cdrCard?apn=iot&since=2026-11-22T12:45:00.000Z&until=2026-11-22T13:00:00.000Z',
      '/en-US/cdrCard?apn=iot&since=2026-11-22T13:00:00.000Z&until=2026-11-22T14:00:00.000Z',
      '/en-US/cdrCard?apn=iot&since=2026-11-22T14:00:00.000Z&until=2026-11-22T14:30:00.000Z',
    ]);
  });

  test.each([
    [25, '00:00'],
    [48, 'Nov 21, 00:00'],
  ])('name %i hours with their day only if they are of several days', async (count, name) => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
    const first = Date.parse('2026-11-21T00:00:00.000Z');
    const hour = Array.from({ length: count }, (_, index) =>
      group(new Date(first + index * hourMs).toISOString()),
    );
    gateway.respond(path, () => success({ ...sums, groups: { ...sums.groups, day: undefined, hour } }));
    renderScreen(<Screen />);
    const chart = within(await screen.findByRole('figure', { name: 'Volume by hour' }));
    expect(chart.getAllByText(name)).not.toHaveLength(0);
  });

  test('show the volume of each radio type by day', async () => {
    renderScreen(<Screen />);
    const table = await screen.findByRole('table', { name: 'Volume by day and radio type, as shares' });
    const rows = within(table).getAllByRole('row');
    expect(
      rows.map((row) =>
        [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.replace(/ · .*/, '')),
      ),
    ).toEqual([
      ['Day', '4G', 'Unknown'],
      ['Nov 20, 2026', '3\u00a0GB', '1\u00a0GB'],
      ['Nov 21, 2026', '0\u00a0B', '0\u00a0B'],
      ['Nov 22, 2026', '6\u00a0GB', '0\u00a0B'],
    ]);
  });

  test('have a different colour for each radio type', () => {
    expect(new Set(cdrRadioTypes.map(radioColour)).size).toBe(cdrRadioTypes.length);
  });

  test('link to the list of the same period', async () => {
    renderScreen(<Screen />);
    const views = within(await screen.findByRole('navigation', { name: 'List or charts' }));
    expect(views.getByRole('link', { name: 'List' })).toHaveAttribute('href', '/en-US/cdrCard?last=31d');
    expect(views.getByRole('link', { name: 'Charts' })).toHaveAttribute('aria-current', 'page');
  });

  test('show shares of the total, but none for SIMs, which may be in several countries', async () => {
    const { user, history } = renderScreen(<Screen />);
    expect(await list('By country')).toHaveTextContent('Germany12 GB66.7%Unknown6 GB33.3%');
    await user.click(screen.getByText('SIMs', { selector: '.ant-segmented-item-label' }));
    await waitFor(() => expect(history.location.search).toBe('?measure=sims'));
    expect((await list('By country')).textContent).toBe('Unknown5Germany3');
    expect(screen.getByRole('table', { name: 'SIMs by day' })).not.toHaveTextContent('previous period');
  });

  test('show the first operators, and the others on demand', async () => {
    const { user } = renderScreen(<Screen />);
    const shown = async () => within(await list('By operator')).getAllByRole('listitem').length;
    expect(await shown()).toBe(7);
    await user.click(screen.getByRole('button', { name: 'Show all 9' }));
    expect(await shown()).toBe(9);
  });

  test('reject a period of more than 31 natural days in the picker', async () => {
    const { user } = renderScreen(<Screen />, '/?from=2026-10-01&to=2026-10-31');
    await list('By country');
    await user.click(screen.getByRole('button', { name: /^Period/ }));
    const to = await screen.findByLabelText('To');
    await user.clear(to);
    await user.type(to, '2026-11-01');
    expect(await screen.findByRole('alert')).toHaveTextContent(/31 natural days/);
    expect(bodies()).toEqual([expect.objectContaining({ to: '2026-11-01T00:00:00.000Z' })]);
  });

  test('complete a first day of long ago to the longest period', async () => {
    const { user, history } = renderScreen(<Screen />);
    await list('By country');
    await user.click(screen.getByRole('button', { name: /^Period/ }));
    fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2026-09-01' } });
    expect(history.location.search).toBe('?from=2026-09-01&to=2026-10-01');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('report that no record matches', async () => {
    gateway.respond(path, () => success({ ...sums, total: figures({ records: 0 }) }));
    renderScreen(<Screen />, '/?country=FR');
    expect(await screen.findByText('No record matches')).toBeInTheDocument();
    expect(screen.queryByRole('list', { name: 'By country' })).toBeNull();
  });

  test('show the server’s error message', async () => {
    gateway.respond(path, () => errorResponse({ http: 404, code: 'CB-07-0029', message: 'It is not there' }));
    renderScreen(<Screen />);
    expect(await screen.findByRole('alert')).toHaveTextContent('It is not there');
  });
});
