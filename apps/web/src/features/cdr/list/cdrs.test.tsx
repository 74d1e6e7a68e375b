import type { Cdr, CdrDetail, CdrGroup, CdrSums } from '@simcube/contract/cdr';
import { hourMs } from '@simcube/contract/time';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorResponse, stubGateway, success } from '../../../testing/gateway.ts';
import { signedInAs } from '../../../testing/people.ts';
import { renderScreen, useAddress } from '../../../testing/render-screen.tsx';
import { CdrsScreen, cdrSearch } from '../index.ts';

const gateway = stubGateway();
const list = 'POST /cdr/distributor/ACME/stdcdrs';
const sums = 'POST /cdr/sum/distributor/ACME/stdcdrs';
const id = '8934070000023561120-1795357742000000-71';
const opened = `GET /cdr/stdcdrs/record/${id}`;
const exportAll = 'POST /cdr/export/distributor/ACME/csv/cdrs/export-all';
const exportChosen = 'POST /cdr/export/distributor/ACME/xlsx/cdrs/export';
const reverse = 'GET /cube/geocode/reverse';
const hamburg = { name: 'Hamburg, Germany', town: 'Hamburg', country: 'DE', attribution: 'GeoNames' };
const mb = 1024 ** 2;

const recordOf = (changes: Partial<Cdr> = {}): Cdr => ({
  id,
  started_at: '2026-11-22T14:24:02.000Z',
  ended_at: '2026-11-22T14:29:02.000Z',
  iccid: '8934070000023561120',
  imsi: '214070023561120',
  msisdn: null,
  device_name: 'Camera Hamburg 2',
  own: true,
  network: { mcc: '262', mnc: '02', operator: 'Vodafone', country: 'DE', radio: '5G' },
  radio: '5G',
  cell: '262-02-31F2-1A7C40',
  apn: 'iot.simcube',
  bundle: 'EU 40 GB Month',
  session: '8934070000023561120-12',
  source: 'radius',
  up_bytes: 2 * mb,
  down_bytes: 48 * mb,
  total_bytes: 50 * mb,
  provisional: true,
  ...changes,
});

const detailOf = (changes: Partial<CdrDetail> = {}): CdrDetail => ({
  ...recordOf(),
  network_side: {
    session_id: '5f1c-88a2-0e41',
    update: 9,
    updates: 12,
    seconds_after: 300,
    gateway: 'pgw-ham-2',
    place: { latitude: 53.55, longitude: 9.99 },
  },
  counted: {
    cycle: {
      started_at: '2026-10-31T16:00:00.000Z',
      ends_at: '2026-11-30T16:00:00.000Z',
      provisional: true,
    },
    order: { order_id: '7', bundle_name: 'EU 40 GB Month', sales_order_id: 'SO-22019' },
    used_after_bytes: 31 * 1024 * mb,
    limit_bytes: 40 * 1024 * mb,
  },
  rated: {
    tariff: 'Acme',
    tariff_from: '2026-10-01',
    zone: 'Europe',
    included: false,
    price_micros: 2_500,
    unit: 'MB',
    currency: 'EUR',
  },
  ...changes,
});

const sumsOf = (records: number): CdrSums => ({
  from: '2026-11-21T14:30:00.000Z',
  to: '2026-11-22T14:30:00.000Z',
  total: { records, up_bytes: 2 * mb, down_bytes: 48 * mb, sims: 388, sessions: 1702 },
  provisional: { records, up_bytes: 2 * mb, down_bytes: 48 * mb },
  provisional_from: '2026-11-20T14:00:00.000Z',
  counted_until: '2026-11-22T14:00:00.000Z',
  before: null,
  groups: { hour: [] },
});

const groupOf = (key: string): CdrGroup => {
  const none = { records: 0, up_bytes: 0, down_bytes: 0 };
  return { key, name: null, country: null, ...none, sims: 0, sessions: 0, provisional: none, before: null };
};

const Screen = () => <CdrsScreen {...useAddress(cdrSearch)} />;
const bodiesOf = (path: string) =>
  gateway.sent
    .filter((one) => `${one.method} ${one.path}` === path)
    .map(({ body }) => body as Record<string, unknown>);
const lastBody = (path: string) => bodiesOf(path).at(-1);
const record = () => screen.findByRole('row', { name: /Camera Hamburg 2/ });
const spanOf = (body: Record<string, unknown> | undefined): number =>
  Date.parse(String(body?.['to'])) - Date.parse(String(body?.['from']));

beforeEach(() => {
  signedInAs('user');
  gateway.respond(list, () => success([recordOf()], { total_count: 1, total_relation: 'eq' }));
  gateway.respond(sums, () => success(sumsOf(1)));
  gateway.respond(opened, () => success(detailOf()));
  gateway.respond(reverse, () => success(hamburg));
  gateway.respond('GET /cdr/info_country_areas', () => success([{ country: 'DE', operators: 2 }]));
  gateway.respond('GET /cdr/info_mnos/distinct', () =>
    success([{ operator: '262-02', name: 'Vodafone', country: 'DE' }]),
  );
});

describe('the list of CDRs', () => {
  test('shows records of the last 24 hours, and the sums of the same period', async () => {
    renderScreen(<Screen />);
    const row = await record();
    expect(row).toHaveTextContent('Vodafone DE');
    expect(row).toHaveTextContent('50 MB');
    expect(await screen.findByRole('region', { name: 'Sums of all records found' })).toHaveTextContent(
      'Records1Volume50 MBDown48 MBUp2 MBSIMs388Sessions1,702',
    );
    const [rows, total] = [lastBody(list), lastBody(sums)];
    expect(spanOf(rows)).toBe(24 * hourMs);
    expect([rows?.['from'], rows?.['to']]).toEqual([total?.['from'], total?.['to']]);
  });

  test('refetches rows and sums until they agree', async () => {
    gateway.respond(sums, () => success(sumsOf(bodiesOf(sums).length > 1 ? 1 : 2)));
    renderScreen(<Screen />);
    await record();
    await waitFor(() => expect(bodiesOf(sums).length).toBeGreaterThan(1));
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Sums of all records found' })).toHaveTextContent('Records1'),
    );
  });

  test('sends every filter in the URL with both requests', async () => {
    const search =
      '/?from=2026-11-01&to=2026-11-30&sims=8934070000023561120&sims=214070023561120&country=DE&operator=262-02' +
      '&radio=5G&radio=unknown&apn=iot&session=8934070000023561120-12&source=file';
    renderScreen(<Screen />, search);
    await record();
    const filter = {
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-12-01T00:00:00.000Z',
      identifiers: ['8934070000023561120', '214070023561120'],
      country: ['DE'],
      operator: ['262-02'],
      radio: ['5G', 'unknown'],
      apn: ['iot'],
      session: '8934070000023561120-12',
      source: ['file'],
    };
    expect(lastBody(list)).toMatchObject(filter);
    expect(lastBody(sums)).toMatchObject(filter);
    expect(await screen.findByRole('button', { name: /^Country\s*Germany/ })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /^Radio\s*5G, Unknown/ })).toBeInTheDocument();
  });

  test('uses instants in the URL until another period is chosen', async () => {
    const { history, user } = renderScreen(
      <Screen />,
      '/?since=2026-11-22T12:45:00.000Z&until=2026-11-22T13:00:00.000Z&radio=5G',
    );
    await record();
    expect(lastBody(list)).toMatchObject({
      from: '2026-11-22T12:45:00.000Z',
      to: '2026-11-22T13:00:00.000Z',
      radio: ['5G'],
    });
    await user.click(screen.getByRole('button', { name: /^Period.*Nov 22, 12:45 – 13:00/ }));
    await user.click(await screen.findByRole('button', { name: 'last 7 days' }));
    await waitFor(() => expect(history.location.href).toBe('/?radio=5G&last=7d'));
  });

  test('stores SIMs that exceed the URL in the tab, and requests nothing for another tab’s list', async () => {
    const many = Array.from({ length: 51 }, (_, index) => `89340700000235${10_000 + index}`);
    const { history, user } = renderScreen(<Screen />, '/?radio=5G');
    await record();
    await user.click(screen.getByRole('button', { name: '+ Filter' }));
    await user.click(await screen.findByRole('menuitem', { name: 'SIMs' }));
    await user.click(await screen.findByRole('combobox', { name: 'SIMs' }));
    await user.paste(many.join(' '));
    await waitFor(() => expect(history.location.search).toMatch(/^\?radio=5G&list=[a-z0-9]{8}$/));
    await waitFor(() => expect(lastBody(list)).toMatchObject({ identifiers: many, radio: ['5G'] }));
    expect(lastBody(sums)).toMatchObject({ identifiers: many });
    const asked = gateway.sent.length;
    sessionStorage.clear();
    history.replace('/?radio=5G&list=elsewhere1');
    expect(
      await screen.findByText('This list is not available in this tab', { selector: 'p, h2, h3, div' }),
    ).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /^Export/ })).toBeDisabled();
    expect(gateway.sent).toHaveLength(asked);
  });

  test('rejects a period of more than 31 natural days in the picker', async () => {
    const { history, user } = renderScreen(<Screen />, '/?from=2026-10-01&to=2026-10-31');
    await record();
    await user.click(screen.getByRole('button', { name: /^Period/ }));
    const to = await screen.findByLabelText('To');
    fireEvent.change(to, { target: { value: '2026-11-01' } });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The time span must not exceed 31 natural days',
    );
    expect(history.location.href).toBe('/?from=2026-10-01&to=2026-10-31');
    fireEvent.change(to, { target: { value: '2026-10-30' } });
    await waitFor(() => expect(history.location.href).toBe('/?from=2026-10-01&to=2026-10-30'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('shows missing network data as unknown, and does not link to SIMs of other organisations', async () => {
    const gone = recordOf({ network: null, radio: null, device_name: null, own: false });
    gateway.respond(list, () => success([gone], { total_count: 1, total_relation: 'eq' }));
    renderScreen(<Screen />);
    expect(await screen.findAllByText('Unknown')).toHaveLength(2);
    expect(screen.queryByRole('link', { name: /3561120/ })).not.toBeInTheDocument();
  });
});

describe('a record', () => {
  test('expands to network, counting, rating and links, and collapses', async () => {
    const { history, user } = renderScreen(<Screen />);
    await user.click(within(await record()).getByText('Vodafone DE'));
    expect(history.location.href).toBe(`/?record=${id}`);
    const part = (name: string) => screen.findByRole('region', { name });
    expect(await part('From the network')).toHaveTextContent(
      '9 of 12 of its session, 300 s after the previous one',
    );
    expect(await part('Counted')).toHaveTextContent('EU 40 GB Month, SO-22019');
    expect(await part('Counted')).toHaveTextContent(/Nov 1\s–\s30, 2026 \(provisional\)/);
    expect(await part('Counted')).toHaveTextContent('31 / 40 GB');
    expect(await part('Rated')).toHaveTextContent('€0.0025 per MB');
    const seeAlso = within(await part('See also'));
    expect(seeAlso.getByRole('link', { name: 'Camera Hamburg 2' })).toHaveAttribute(
      'href',
      '/en-US/simCard/8934070000023561120',
    );
    expect(seeAlso.getByRole('link', { name: 'This cell on the map' })).toHaveAttribute(
      'href',
      '/en-US/heatmap?from=2026-11-22&to=2026-11-23&at=53.55%2C9.99',
    );
    const link = within(await record()).getByRole('link', { expanded: true });
    await user.click(seeAlso.getByRole('link', { name: 'Records of this session' }));
    await waitFor(() => expect(lastBody(list)).toMatchObject({ session: '8934070000023561120-12' }));
    expect(link).toHaveAttribute('aria-expanded', 'false');
  });

  test('shows the place of its cell once it is loaded', async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    gateway.respond(reverse, async () => {
      await arrived;
      return success(hamburg);
    });
    renderScreen(<Screen />, `/?record=${id}`);
    const network = await screen.findByRole('region', { name: 'From the network' });
    expect(network).toHaveTextContent('Cell262-02-31F2-1A7C40Place');
    expect(network).not.toHaveTextContent('Hamburg');
    arrive();
    await waitFor(() => expect(network).toHaveTextContent('Cell262-02-31F2-1A7C40PlaceHamburg, Germany'));
    const [asked] = gateway.sent.filter(({ path }) => path === '/cube/geocode/reverse');
    expect([asked?.query.get('latitude'), asked?.query.get('longitude')]).toEqual(['53.55', '9.99']);
  });

  test('rounds the coordinates of its cell for the map and the place name', async () => {
    const place = { latitude: 53.55123456789, longitude: 1e-7 };
    const side = { ...detailOf().network_side, place };
    gateway.respond(opened, () => success(detailOf({ network_side: side })));
    renderScreen(<Screen />, `/?record=${id}`);
    const link = await screen.findByRole('link', { name: 'This cell on the map' });
    expect(link).toHaveAttribute('href', expect.stringContaining('at=53.55123%2C0'));
    await waitFor(() => expect(gateway.sent.map(({ path }) => path)).toContain('/cube/geocode/reverse'));
    const asked = gateway.sent.find(({ path }) => path === '/cube/geocode/reverse');
    expect([asked?.query.get('latitude'), asked?.query.get('longitude')]).toEqual(['53.55123', '0']);
  });

  test('retries a failed place name on demand, and reports when no town is nearby', async () => {
    const refused = errorResponse({ http: 403, code: 'CB-00-0403', message: 'No' });
    gateway.respond(reverse, () => refused);
    const { user } = renderScreen(<Screen />, `/?record=${id}`);
    expect(await screen.findByText('This could not be loaded.')).toBeInTheDocument();
    gateway.respond(reverse, () => success({ ...hamburg, name: '', town: null, country: null }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No town nearby')).toBeInTheDocument();
  });

  test('that is charged by the block shows the price of a block', async () => {
    const rated = { ...detailOf().rated, price_micros: 500_000, unit: 'block' } as CdrDetail['rated'];
    gateway.respond(opened, () => success(detailOf({ rated })));
    renderScreen(<Screen />, `/?record=${id}`);
    expect(await screen.findByRole('region', { name: 'Rated' })).toHaveTextContent('€0.50 per block');
  });

  test('reports when the location of its cell is unknown', async () => {
    const side = { ...detailOf().network_side, place: null };
    gateway.respond(opened, () => success(detailOf({ network_side: side })));
    renderScreen(<Screen />, `/?record=${id}`);
    expect(await screen.findByText('The location of this cell is unknown')).toBeInTheDocument();
  });

  test('opened by a link ends the period of list and sums', async () => {
    renderScreen(<Screen />, `/?record=${id}`);
    await screen.findByRole('region', { name: 'From the network' });
    const latest = { to: '2026-11-22T14:29:02.001Z' };
    expect([lastBody(list), lastBody(sums)]).toEqual([
      expect.objectContaining(latest),
      expect.objectContaining(latest),
    ]);
  });

  test('opened by a link is shown in a drawer when it is on another page', async () => {
    gateway.respond(list, () => success([recordOf({ id: `${id}2` })], { total_count: 120 }));
    renderScreen(<Screen />, `/?page=2&record=${id}`);
    const drawer = await screen.findByRole('dialog', { name: 'Camera Hamburg 2' });
    expect(await within(drawer).findByRole('region', { name: 'Rated' })).toBeInTheDocument();
  });

  test('opened by a link is reported when it does not exist', async () => {
    gateway.respond(list, () => success([recordOf({ id: `${id}2` })], { total_count: 1 }));
    gateway.respond(opened, () => errorResponse({ http: 404, code: 'CB-01-0031', message: 'Not there' }));
    renderScreen(<Screen />, `/?record=${id}`);
    expect(await screen.findByText('Not found')).toBeInTheDocument();
  });

  test('that can not be fetched shows the error and keeps its row', async () => {
    gateway.respond(opened, () => errorResponse({ http: 404, code: 'CB-01-0031', message: 'Not there' }));
    renderScreen(<Screen />, `/?record=${id}`);
    expect(await screen.findByText(/Not there/)).toBeInTheDocument();
    expect(await record()).toBeInTheDocument();
  });
});

describe('an export of CDRs', () => {
  const task = { reference_id: 'TSK-1', quantity: 1 };

  test('sends filter, period and columns of the list', async () => {
    gateway.respond(exportAll, () => success(task));
    const { user } = renderScreen(<Screen />, '/?country=DE');
    await record();
    await user.click(await screen.findByRole('button', { name: /^Export/ }));
    const form = within(await screen.findByRole('dialog', { name: 'Export these records' }));
    expect(form.getByText(/1 of at most 100,000 rows/)).toBeInTheDocument();
    await user.click(form.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(bodiesOf(exportAll)).toHaveLength(1));
    expect(lastBody(exportAll)).toMatchObject({
      filter: { country: ['DE'], from: lastBody(list)?.['from'], to: lastBody(list)?.['to'] },
      rows: 'record',
      columns: expect.arrayContaining(['started_at', 'ended_at', 'iccid', 'total_bytes']),
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('over 100,000 rows is disabled with advice, except for sums by SIM', async () => {
    gateway.respond(sums, () => success(sumsOf(100_001)));
    gateway.respond(list, () => success([recordOf()], { total_count: 3000, total_relation: 'gte' }));
    const { user } = renderScreen(<Screen />);
    // The list counts only up to 3,000; the sums have the exact number.
    expect(await screen.findByText('1–1 of 100,001')).toBeInTheDocument();
    await user.click(screen.getAllByRole('checkbox').at(-1) as HTMLElement);
    await user.click(screen.getByRole('button', { name: 'select all 100,001 that match' }));
    await user.click(screen.getByRole('button', { name: /^Export/ }));
    const form = within(await screen.findByRole('dialog', { name: 'Export these records' }));
    expect(form.getByRole('alert')).toHaveTextContent(
      'An export over 100,000 items is not supported. Choose a shorter period, or filter by SIM, country, or operator. About 1 day of these records fits into a file.',
    );
    expect(form.getByRole('button', { name: 'Export' })).toBeDisabled();
    await user.click(form.getByRole('radio', { name: /Sums by SIM/ }));
    expect(form.getByRole('button', { name: 'Export' })).toBeEnabled();
  });

  test('suggests unused filters, and shows the number of rows of sums by day and operator', async () => {
    gateway.respond(sums, () => {
      const byOperator = bodiesOf(sums).at(-1)?.['group_by'];
      const groups =
        String(byOperator) === 'day_operator'
          ? { day_operator: [groupOf('2026-11-22 262-02')] }
          : { day: [] };
      return success({ ...sumsOf(1_000_000), groups });
    });
    const { user } = renderScreen(<Screen />, '/?last=31d&country=DE&sims=214070023561120');
    await user.click(await screen.findByRole('button', { name: /^Export/ }));
    const form = within(await screen.findByRole('dialog', { name: 'Export these records' }));
    expect(await form.findByRole('radio', { name: 'Sums by day and operator · 1' })).toBeInTheDocument();
    expect(form.getByRole('alert')).toHaveTextContent(
      'Choose a shorter period, or filter by operator, radio type, or APN. About 3 days of these records fit into a file.',
    );
  });

  test('of selected records sends their ids', async () => {
    gateway.respond(exportChosen, () => success(task));
    const { user } = renderScreen(<Screen />);
    await user.click(within(await record()).getByRole('checkbox'));
    await user.click(screen.getByRole('button', { name: 'Export as XLSX' }));
    await waitFor(() => expect(lastBody(exportChosen)).toEqual({ records: [id] }));
  });
});
