import type { Heatmap } from '@simcube/contract/heatmap';
import { dayMs } from '@simcube/contract/time';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { now } from '../../lib/time/index.ts';
import { errorResponse, stubGateway, success } from '../../testing/gateway.ts';
import { signedInAs } from '../../testing/people.ts';
import { renderScreen, useAddress } from '../../testing/render-screen.tsx';
import { HeatmapScreen } from './index.ts';
import { daysOfSuggestion, periodOf } from './period.ts';
import { heatmapSearchSchema } from './search.ts';

const gateway = stubGateway();
const figures = 'GET /cube/dashboard/heatmap';
const hexagons = 'GET /cube/dashboard/heatmap/hexagons';
const gb = 1024 ** 3;
const german = { usage: 6 * gb, sims: 5, sessions: 30, compared: 6 * gb, before: 3 * gb };

const ofQuery = (query: URLSearchParams): Heatmap => {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  const days = Array.from({ length: count }, () => gb);
  return {
    period: { from, to },
    compared: { from, to },
    before: { from: '2026-10-01', to: '2026-10-04' },
    provisional_from: '2026-11-03T00:00:00.000Z',
    uncounted_days: [],
    total: { usage: 10 * gb, sims: 7, sessions: 40, compared: 10 * gb, before: 8 * gb, cells: 14 },
    days,
    countries: [
      { country: 'DE', ...german, cells: 9, days },
      { country: 'FR', usage: 3 * gb, sims: 3, sessions: 8, compared: 3 * gb, before: 0, cells: 5, days },
      { country: null, usage: gb, sims: 1, sessions: 2, compared: gb, before: gb, cells: 0, days },
    ],
    operators: [{ country: 'DE', mcc: '262', mnc: '02', operator: 'Vodafone', ...german }],
  };
};

const Screen = () => {
  const address = useAddress(heatmapSearchSchema);
  return <HeatmapScreen {...address} />;
};

const show = (address = '/en-US/heatmap?from=2026-11-01&to=2026-11-04') => {
  signedInAs('user', {});
  gateway.respond(figures, ({ query }) => success(ofQuery(query)));
  gateway.respond(hexagons, () =>
    success({
      resolution: 4,
      hexagons: [
        [13400, 52500, -180, 95, 20, 150, 5 * gb],
        [2350, 48860, -180, 95, 20, 150, gb / 1024],
      ],
      total: 7 * gb,
      unplaced: gb,
    }),
  );
  return renderScreen(<Screen />, address);
};
const asked = (call: string) =>
  gateway.sent.filter(({ method, path }) => `${method} ${path}` === call).map(({ query }) => query);

test('the heatmap lists countries and operators in tables, by usage', async () => {
  show();
  await screen.findByRole('button', { name: 'Germany' });
  const countries = screen.getByRole('region', { name: 'By country' });
  const rows = within(countries).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Germany6\sGB\+100%530$/),
    expect.stringMatching(/^France3\sGB–38$/),
    expect.stringMatching(/^Unknown country1\sGB0%12$/),
  ]);
  expect(countries).toHaveTextContent('vs Oct 1 – Oct 4');
  const operators = screen.getByRole('region', { name: 'By operator' });
  expect(within(operators).getByRole('row', { name: /Vodafone DE/ })).toBeVisible();
  expect(await screen.findByText(/2 areas with cells/)).toHaveTextContent(
    '1 GB in cells with no known location',
  );
});

test('a country chosen in the list opens on the map, with links, and in the URL', async () => {
  const { user, history } = show();
  await user.click(await screen.findByRole('button', { name: 'Germany' }));
  expect(history.location.search).toContain('open=DE');
  const card = await screen.findByRole('region', { name: 'Germany' });
  expect(card).toHaveTextContent('Cells seen9');
  expect(card).toHaveTextContent('60% of usage');
  expect(card).toHaveTextContent('Vodafone 100%');
  expect(within(card).getByRole('link', { name: 'SIMs' })).toHaveAttribute(
    'href',
    '/en-US/simCard?country=DE',
  );
  await user.click(within(card).getByRole('button', { name: 'Close Germany' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Germany' })).toBeNull());
  expect(history.location.search).not.toContain('open');
});

test.each([
  [
    'from=2026-11-01&to=2026-11-04&network=262-02&radio=4G',
    // Days of the map begin at 16:00 UTC.
    'since=2026-10-31T16:00:00.000Z&until=2026-11-04T16:00:00.000Z&country=DE&operator=262-02&radio=4G',
  ],
  ['from=2026-10-01&to=2026-10-31', 'from=2026-10-01&to=2026-10-31&country=DE'],
])('the CDR link of a country has the same period, network and radio type: %s', async (address, records) => {
  show(`/en-US/heatmap?${address}&open=DE`);
  const card = await screen.findByRole('region', { name: 'Germany' });
  const href = within(card).getByRole('link', { name: 'CDRs' }).getAttribute('href') ?? '';
  expect(decodeURIComponent(href)).toBe(`/en-US/cdrCard?${records}`);
});

test('the period can be changed to a suggested one and cleared, but has no cross', async () => {
  const { user } = show('/en-US/heatmap');
  const period = await screen.findByRole('button', { name: /^Period/ });
  const [thisMonth, lastMonth] = [periodOf({}, now()), daysOfSuggestion('lastMonth', now())];
  expect(screen.queryByRole('button', { name: 'Remove filter Period' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Clear all' })).not.toBeInTheDocument();
  await user.click(period);
  expect(await screen.findByRole('button', { name: 'This month' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByRole('button', { name: 'Last month' }));
  await waitFor(() =>
    expect(Object.fromEntries(asked(figures).at(-1) ?? [])).toMatchObject({ ...lastMonth }),
  );
  await user.click(await screen.findByRole('button', { name: 'Clear all' }));
  await waitFor(() =>
    expect(Object.fromEntries(asked(figures).at(-1) ?? [])).toMatchObject({ ...thisMonth }),
  );
});

test('a period that is too long is rejected in the picker', async () => {
  const { user, history } = show();
  await user.click(await screen.findByRole('button', { name: /^Days|^Period/ }));
  fireEvent.change(screen.getByLabelText(/^From/), { target: { value: '2026-09-01' } });
  expect(await screen.findByRole('alert')).toHaveTextContent('31');
  expect(history.location.search).toContain('from=2026-11-01');
});

test('playing requests each day by itself', async () => {
  const { user } = show();
  const last = await screen.findByRole('slider', { name: 'Last day' });
  await waitFor(() => expect(last).toHaveAttribute('aria-valuetext', 'Nov 4: 1\u00a0GB'));
  await user.click(screen.getByRole('button', { name: 'Play day by day' }));
  const single = (day: string) =>
    asked(figures).some((query) => query.get('from') === day && query.get('to') === day);
  await waitFor(() => expect(single('2026-11-01')).toBe(true));
  await waitFor(() => expect(single('2026-11-02')).toBe(true), { timeout: 4000 });
  await user.click(screen.getByRole('button', { name: 'Pause' }));
});

test('metric and filter are in the URL, and sent to the server', async () => {
  const { history, user } = show(
    '/en-US/heatmap?from=2026-11-01&to=2026-11-04&country=DE&radio=4G&metric=sims',
  );
  await screen.findByRole('region', { name: 'By country' });
  expect(Object.fromEntries(asked(figures)[0] ?? [])).toEqual({
    from: '2026-11-01',
    to: '2026-11-04',
    metric: 'sims',
    country: 'DE',
    radio: '4G',
  });
  await waitFor(() => expect(asked(hexagons).length).toBeGreaterThan(0));
  await user.click(screen.getByText('Sessions', { selector: '.ant-segmented-item-label' }));
  await waitFor(() => expect(history.location.search).toContain('metric=sessions'));
  const list = screen.getByRole('region', { name: 'By country' });
  await waitFor(() => expect(list).toHaveTextContent('Sessions (sum of days)'));
  expect(screen.getByText(/^Sessions per day/)).toBeInTheDocument();
});

test('the map zooms by button, moves by arrow keys, and requests what is visible', async () => {
  const { user } = show();
  const nearer = await screen.findByRole('button', { name: 'Zoom in' });
  await waitFor(() => expect(asked(hexagons).length).toBeGreaterThan(0));
  const widthOf = (query: URLSearchParams | undefined) =>
    Number(query?.get('east')) - Number(query?.get('west'));
  const before = asked(hexagons).at(-1);
  await user.click(nearer);
  await waitFor(() => expect(widthOf(asked(hexagons).at(-1))).toBeLessThan(widthOf(before)));
  const zoomed = asked(hexagons).at(-1);
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  await waitFor(() =>
    expect(Number(asked(hexagons).at(-1)?.get('west'))).toBeLessThan(Number(zoomed?.get('west'))),
  );
});

test('a cell in the URL is marked and visible; a hexagon under the pointer shows its usage and nearest town', async () => {
  gateway.respond('GET /cube/geocode/reverse', () =>
    success({ name: 'Berlin, Germany', town: 'Berlin', country: 'DE' }),
  );
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 1000, 740));
  show('/en-US/heatmap?from=2026-11-01&to=2026-11-04&at=52.5,13.4');
  await screen.findByText(/2 areas with cells/);
  const map = screen.getByRole('img', { name: /^World map/ });
  expect(map.querySelector('[data-mark]')).toBeInTheDocument();
  const box = asked(hexagons).at(-1);
  const side = (name: string) => Number(box?.get(name));
  expect(side('west') < 13.4 && side('east') > 13.4 && side('east') - side('west') < 10).toBe(true);
  // The searched place is in the middle.
  fireEvent.pointerMove(map, { clientX: 500, clientY: 370 });
  const card = await screen.findByRole('region', { name: 'Area with cells' });
  expect(card).toHaveTextContent('5 GB Usage71.4% of usage');
  await waitFor(() => expect(card).toHaveTextContent('Berlin, Germany'));
  fireEvent.pointerMove(map, { clientX: 10, clientY: 10 });
  await waitFor(() => expect(card).not.toBeInTheDocument());
});

const cellsCall = 'GET /cube/dashboard/heatmap/cells';
const cell = {
  cell: '262-02-31F2-1A7C40',
  mcc: '262',
  mnc: '02',
  operator: 'Vodafone',
  radios: ['4G', 'other'],
  usage: 5 * gb,
  sims: 1200,
  last_seen_at: '2026-11-04T10:00:00.000Z',
  latitude: 53.55,
  longitude: 9.99,
  town: 'Hamburg',
};
const unplaced = { ...cell, cell: '262-02-7', radios: [], latitude: null, longitude: null, town: null };
const inGermany = '/en-US/heatmap?from=2026-11-01&to=2026-11-04&country=DE&radio=4G';

test('the unknown country can be chosen as a filter, and is named', async () => {
  gateway.respond('GET /cube/dashboard/heatmap/cells', () => success({ total: 0, cells: [] }));
  const { user, history } = show();
  await screen.findByRole('region', { name: 'By country' });
  await user.click(screen.getByRole('button', { name: '+ Filter' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Country' }));
  await user.click(await screen.findByRole('combobox', { name: 'Country' }));
  await user.click(await screen.findByTitle('Unknown country'));
  await waitFor(() => expect(history.location.search).toContain('country=ZZ'));
  await waitFor(() => expect(asked(figures).at(-1)?.get('country')).toBe('ZZ'));
  expect(await screen.findByRole('region', { name: 'Cells in Unknown country' })).toBeInTheDocument();
});

test('a chosen country lists its cells in pages, with links to their places on the map', async () => {
  const more = Array.from({ length: 10 }, (_, number) => ({ ...unplaced, cell: `262-02-${number}` }));
  gateway.respond(cellsCall, () => success({ total: 12_345, cells: [cell, ...more] }));
  const { user } = show(inGermany);
  const card = await screen.findByRole('region', { name: 'Cells in Germany' });
  const row = await within(card).findByRole('row', { name: /262-02-31F2-1A7C40/ });
  expect(row).toHaveTextContent(/HamburgVodafone4G, Other5 GB1,200/i);
  const link = within(row).getByRole('link', { name: 'Hamburg: cell 262-02-31F2-1A7C40 on the map' });
  expect(link.getAttribute('href')).toContain('at=53.55%2C9.99');
  await screen.findByText(/areas with cells/);
  const map = () => screen.getByRole('img', { name: /^World map/ });
  const before = map().getAttribute('viewBox');
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  await user.click(link);
  // The map is centred at the place, and scrolled into view.
  await waitFor(() => expect(map().getAttribute('viewBox')).not.toBe(before));
  const mark = map().querySelector('[data-mark]');
  const [x = 0, , width = 0] = map().getAttribute('viewBox')?.split(' ').map(Number) ?? [];
  expect(Number(mark?.getAttribute('cx'))).toBeCloseTo(x + width / 2, 3);
  expect(scrolled.mock.contexts.at(-1)).toContainElement(map());
  // The same place can be chosen again after the map was moved.
  const atPlace = map().getAttribute('viewBox');
  await user.click(screen.getByRole('button', { name: 'Zoom out' }));
  expect(map().getAttribute('viewBox')).not.toBe(atPlace);
  await user.click(link);
  await waitFor(() => expect(map().getAttribute('viewBox')).toBe(atPlace));
  expect(Object.fromEntries(asked(cellsCall)[0] ?? [])).toEqual({
    from: '2026-11-01',
    to: '2026-11-04',
    country: 'DE',
    radio: '4G',
  });
  await user.click(within(card).getByRole('button', { name: 'Next page' }));
  expect(await within(card).findByRole('row', { name: /262-02-9/ })).toHaveTextContent('location unknown');
  expect(card).toHaveTextContent('The 11 cells with the most usage, of 12,345');
});

test('a country without cells has its own text, and a failure to fetch cells can be retried', async () => {
  gateway.respond(cellsCall, () => errorResponse({ http: 403, code: 'CB-00-0403', message: 'No' }));
  const { user } = show(inGermany);
  const card = await screen.findByRole('region', { name: 'Cells in Germany' });
  gateway.respond(cellsCall, () => success({ total: 0, cells: [] }));
  await user.click(await within(card).findByRole('button', { name: 'Try again' }));
  expect(await within(card).findByText('No cell is known here')).toBeVisible();
  expect(within(card).getByRole('button', { name: /^Export/ })).toBeDisabled();
});

test('today alone is not compared', async () => {
  show();
  gateway.respond(figures, ({ query }) => success({ ...ofQuery(query), compared: null }));
  await screen.findByRole('button', { name: 'Germany' });
  expect(screen.getByRole('region', { name: 'By country' })).not.toHaveTextContent(/vs|%/);
});

test('a period without usage has its own text', async () => {
  show();
  gateway.respond(figures, ({ query }) =>
    success({
      ...ofQuery(query),
      countries: [],
      operators: [],
      total: { usage: 0, sims: 0, sessions: 0, compared: 0, before: 0 },
    }),
  );
  expect(await screen.findByText('No usage in this period')).toBeVisible();
});

test('a failure to fetch hexagons is shown, and can be retried', async () => {
  const { user } = show();
  gateway.respond(hexagons, () => errorResponse({ http: 403, code: 'CB-00-0403', message: 'No' }));
  const retry = await screen.findByRole('button', { name: 'Try again' });
  gateway.respond(hexagons, () => success({ resolution: 4, hexagons: [], total: 0, unplaced: 0 }));
  await user.click(retry);
  await waitFor(() => expect(retry).not.toBeInTheDocument());
});

test('a failure to fetch the whole period is shown next to the chosen days', async () => {
  const { history } = show();
  fireEvent.change(await screen.findByRole('slider', { name: 'Last day' }), { target: { value: '2' } });
  gateway.respond(figures, ({ query }) =>
    query.get('to') === '2026-11-04'
      ? errorResponse({ http: 403, code: 'CB-00-0403', message: 'No' })
      : success(ofQuery(query)),
  );
  act(() => history.replace('/en-US/heatmap?from=2026-11-01&to=2026-11-04&radio=4G'));
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Germany' })).toBeVisible();
});

test('either end of the days can be moved past the other, and takes it along', async () => {
  show();
  const [first, last] = [
    await screen.findByRole('slider', { name: 'First day' }),
    screen.getByRole('slider', { name: 'Last day' }),
  ];
  const move = (end: Element, value: string) => fireEvent.change(end, { target: { value } });
  move(first, '3');
  move(last, '1');
  expect([first, last].map((end) => (end as HTMLInputElement).value)).toEqual(['1', '1']);
  move(first, '2');
  expect([first, last].map((end) => (end as HTMLInputElement).value)).toEqual(['2', '2']);
});

test('the first view shows the countries with the most SIMs, however few', async () => {
  show('/en-US/heatmap?from=2026-11-01&to=2026-11-04&metric=sims');
  await screen.findByRole('button', { name: 'Germany' });
  const map = await screen.findByRole('img', { name: /^World map/ });
  const width = () => Number(map.getAttribute('viewBox')?.split(' ')[2]);
  await waitFor(() => expect(width()).toBeLessThan(200));
});

test('a chosen country can be replaced by another one', async () => {
  gateway.respond('GET /cube/dashboard/heatmap/cells', () => success({ total: 0, cells: [] }));
  const { user, history } = show(inGermany);
  gateway.respond(figures, ({ query }) => {
    const all = ofQuery(query);
    const country = query.get('country');
    return success({ ...all, countries: all.countries.filter((one) => !country || one.country === country) });
  });
  await user.click(await screen.findByRole('button', { name: /^Country/ }));
  await user.click(await screen.findByRole('combobox', { name: 'Country' }));
  await user.click(await screen.findByTitle('France'));
  await waitFor(() => expect(history.location.search).toContain('country=FR'));
});

test('figures of another metric are not shown in the unit of the new one', async () => {
  const { user } = show();
  await screen.findByText(/2 areas with cells/);
  await screen.findByRole('button', { name: 'Germany' });
  gateway.respond(hexagons, () => new Promise(() => undefined));
  gateway.respond(figures, () => new Promise(() => undefined));
  await user.click(screen.getByText('SIMs with usage', { selector: '.ant-segmented-item-label' }));
  await waitFor(() => expect(screen.queryByText(/areas with cells/)).not.toBeInTheDocument());
  expect(screen.queryByRole('button', { name: 'Germany' })).not.toBeInTheDocument();
  // The days stay where they are, without amounts.
  expect(screen.getByRole('slider', { name: 'First day' })).not.toHaveAttribute(
    'aria-valuetext',
    expect.stringContaining(':'),
  );
});

test('figures that could not be fetched leave no empty tables or numbers, and can be retried', async () => {
  const { user } = show();
  const refused = () => errorResponse({ http: 403, code: 'CB-00-0403', message: 'No' });
  gateway.respond(figures, refused);
  gateway.respond(hexagons, refused);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByRole('region', { name: 'By country' })).not.toBeInTheDocument();
  expect(await screen.findByRole('toolbar')).toBeVisible();
  expect(screen.queryByText(/countries/)).not.toBeInTheDocument();
  gateway.respond(figures, ({ query }) => success(ofQuery(query)));
  await user.click(retry);
  expect(await screen.findByRole('button', { name: 'Germany' })).toBeInTheDocument();
});
