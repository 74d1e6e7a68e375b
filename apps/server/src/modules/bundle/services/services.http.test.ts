import { endpoints } from '@simcube/contract';
import type { Service } from '@simcube/contract/bundle';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../../platform/files/index.ts';
import { type TestApp, type TestClient, testApp } from '../../../testing/app.ts';
import { type DetailedSim, makeDetailedSim } from '../../../testing/details.ts';
import { runJobs } from '../../../testing/jobs.ts';

const { bundle, sim } = endpoints;
let test: TestApp;
let one: DetailedSim;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  one = await makeDetailedSim(test);
  ({ admin } = one);
});
afterAll(() => test.close());

const slowedTo256 = {
  policy: 'billing and slow down',
  slow_kbps: 256,
  threshold_bytes: null,
  stop_after_bytes: null,
};
const ids = (services: readonly Service[]) => services.map(({ order_id }) => Number(order_id));

/** A file as it comes, without a word in between. */
const download = async (
  endpoint: { method: string; path: string },
  payload: Record<string, unknown>,
  headers: Record<string, string> = {},
) =>
  test.app.inject({
    method: endpoint.method as 'GET' | 'POST',
    url:
      endpoint.method === 'GET'
        ? `${endpoint.path}?${new URLSearchParams(payload as Record<string, string>)}`
        : endpoint.path,
    headers: { ...admin.headers, ...headers },
    ...(endpoint.method === 'POST' && { payload }),
  });
const linesOf = (text: string): string[] => text.replace('\u{feff}', '').trimEnd().split('\r\n');

describe('orders of one SIM', () => {
  it('are listed in use first, then pending, then ended, page by page', async () => {
    const { basic, before, next, extra } = one.orders;
    const whole = await admin.call(bundle.listServices, { query: { iccid: one.iccid } });
    expect(ids(whole.body.data)).toEqual([basic, extra, next, before]);
    expect(whole.body.total_count).toBe(4);
    expect(whole.body.data[0]).toEqual({
      order_id: String(basic),
      iccid: one.iccid,
      bundle: { name: 'Europe 1', code: 'EU1', sku: 'SKU-1', type: 'prepaid basic' },
      status: 'in use',
      quota_bytes: 1000,
      overage_policy: 'billing and slow down',
      overage: slowedTo256,
      out_of_coverage_policy: 'shut down',
      reset_cycle: 'month',
      sales_order_id: 'SO-1',
      ordered_at: '2026-09-01T00:00:00.000Z',
      activated_at: '2026-10-01T00:00:00.000Z',
      expires_at: '2026-12-31T00:00:00.000Z',
      cycle: {
        started_at: '2026-10-31T16:00:00.000Z',
        ends_at: '2026-11-30T16:00:00.000Z',
        used_bytes: 1300,
        limit_bytes: 1600,
      },
    });
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await admin.call(bundle.listServices, {
        query: { iccid: one.iccid, page_size: 1, ...(cursor && { cursor }) },
      });
      seen.push(...ids(body.data));
      cursor = body.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual([basic, extra, next, before]);
    const second = await admin.call(bundle.listServices, {
      query: { iccid: one.iccid, page_size: 3, page_no: 2 },
    });
    expect(ids(second.body.data)).toEqual([before]);
  });

  it('show the bundle, the details, and each bundle once', async () => {
    const inUse = (await admin.call(bundle.current, { query: { iccid: one.iccid } })).body.data;
    expect([inUse.basic?.order_id, ids(inUse.supplementary)]).toEqual([
      String(one.orders.basic),
      [one.orders.extra],
    ]);
    expect(inUse.supplementary[0]?.cycle).toBeNull();
    const params = { iccid: one.iccid, orderId: String(one.orders.basic), bundleCode: 'EU1' };
    const detail = await admin.call(bundle.detail, { params });
    expect(detail.body.data.coverage).toEqual({ countries: ['DE'], out_of_coverage_policy: 'shut down' });
    const wrong = await admin.call(bundle.detail, { params: { ...params, bundleCode: 'OLD' } });
    expect([wrong.http, wrong.body.status.code]).toEqual([404, 'CB-02-0001']);
    const packages = await admin.call(bundle.listPackages, { params: { iccid: one.iccid } });
    expect(packages.body.data).toEqual([
      { code: 'OLD', name: '=Old', type: 'prepaid basic', orders: 1 },
      { code: 'EU1', name: 'Europe 1', type: 'prepaid basic', orders: 2 },
      { code: 'EXTRA', name: 'More', type: 'prepaid supplementary', orders: 1 },
    ]);
  });

  it('show the usage of each', async () => {
    const { basic, before, next, extra } = one.orders;
    const answer = await admin.call(bundle.listOrders, { body: { iccid: one.iccid } });
    expect(
      Object.fromEntries(answer.body.data.map(({ order_id, used_bytes }) => [order_id, used_bytes])),
    ).toEqual({ [basic]: 2000, [extra]: 300, [next]: 0, [before]: 150 });
  });

  it('have cycles, the current one first', async () => {
    const answer = await admin.call(bundle.listCycles, { body: { iccid: one.iccid, page_size: 2 } });
    expect(answer.body.total_count).toBe(4);
    expect(answer.body.data).toEqual([
      {
        started_at: '2026-10-31T16:00:00.000Z',
        ends_at: '2026-11-30T16:00:00.000Z',
        used_bytes: 1300,
        limit_bytes: 1600,
        current: true,
        provisional: true,
        cost: null,
        cost_provisional: false,
      },
      {
        started_at: '2026-10-01T00:00:00.000Z',
        ends_at: '2026-10-31T16:00:00.000Z',
        used_bytes: 700,
        limit_bytes: 1000,
        current: false,
        provisional: false,
        cost: null,
        cost_provisional: false,
      },
    ]);
    const rest = await admin.call(bundle.listCycles, {
      body: { iccid: one.iccid, cursor: answer.body.next_cursor ?? '' },
    });
    expect(rest.body.data.map(({ used_bytes }) => used_bytes)).toEqual([50, 100]);
    expect(rest.body.next_cursor).toBeNull();
    expect(
      (await admin.call(bundle.listCycles, { body: { iccid: one.iccid, cursor: 'nonsense' } })).body.status
        .code,
    ).toBe('CB-00-0406');
  });

  it('have coverage, with the usage of the cycle by country, to the hour', async () => {
    const coverage = (await admin.call(bundle.coverage, { params: { iccid: one.iccid } })).body.data;
    expect(coverage).toEqual({
      countries: ['DE'],
      out_of_coverage_policy: 'shut down',
      usage: [
        { country: 'DE', bytes: 810, covered: true },
        { country: 'FR', bytes: 480, covered: false },
        { country: null, bytes: 10, covered: true },
      ],
    });
  });

  it('have an overage policy', async () => {
    const policy = await admin.call(bundle.overusePolicy, { params: { iccid: one.iccid } });
    expect(policy.body.data).toEqual({
      overage: slowedTo256,
      policy: 'billing and slow down',
      slow_kbps: 256,
      threshold_bytes: null,
      over_limit: false,
      data: { state: 'open', kbps: null, restrictions: [] },
      data_state: 'open',
    });
  });

  it('are part of the overview, with the location of the last session', async () => {
    const { data } = (await admin.call(bundle.simDetails, { query: { iccid: one.iccid } })).body;
    expect(data.basic.bundle?.code).toBe('EU1');
    expect(data.connection.session?.id).toBe('S-2');
    expect(ids(data.services)[0]).toBe(one.orders.basic);
    expect(data.location).toEqual({
      latitude: 52.5,
      longitude: 13.4,
      cell: '262-02-7-9',
      at: '2026-11-21T11:59:00.000Z',
    });
  });
});

describe('exports of one SIM', () => {
  it('contain the orders in the caller’s language and time zone', async () => {
    const english = await download(
      bundle.exportOrders,
      { iccid: one.iccid },
      { 'time-zone': 'Asia/Shanghai' },
    );
    expect(english.statusCode).toBe(200);
    expect(english.headers['content-type']).toContain('text/csv');
    expect(english.headers['content-disposition']).toContain(`bundles-${one.iccid}.csv`);
    const [heading, first, , , last] = linesOf(english.body);
    expect(heading).toContain('Ordered (Asia/Shanghai)');
    expect(first).toBe(
      `${one.orders.basic},${one.iccid},Europe 1,EU1,SKU-1,prepaid basic,In use,1000,Billing and slow down,` +
        'Shut down,Calendar month,SO-1,2026-09-01 08:00:00,2026-10-01 08:00:00,2026-12-31 08:00:00,2000,,,256,,',
    );
    // What a spreadsheet would run as a formula is text.
    expect(last).toContain(",'=Old,");
    const chinese = await download(bundle.exportOrders, { iccid: one.iccid }, { 'accept-language': 'zh-CN' });
    expect(linesOf(chinese.body)[0]).toContain('订购时间 (UTC)');
    expect(linesOf(chinese.body)[1]).toContain('使用中');
  });

  it('can be workbooks', async () => {
    const book = await download(bundle.exportCycles, { iccid: one.iccid, format: 'xlsx' });
    const rows = await readTable({ name: 'cycles.xlsx', content: book.rawPayload }, { maxRows: 10 });
    expect(rows[0]?.[2]).toBe('Used (bytes)');
    expect(rows[1]).toEqual(['2026-10-31 16:00:00', '2026-11-30 16:00:00', '1300', '1600', 'yes', 'yes']);
    expect(rows).toHaveLength(5);
  });

  it('contain the countries of a period, by name', async () => {
    const range = { from: '2026-11-01', to: '2026-11-21' };
    const spanish = await download(
      bundle.exportCoverage,
      { iccid: one.iccid, ...range },
      { 'accept-language': 'es-ES' },
    );
    expect(linesOf(spanish.body)).toEqual([
      'País,Código de país,Consumido (bytes),Con cobertura',
      'Alemania,DE,800,sí',
      'Francia,FR,480,no',
      'desconocido,,10,sí',
    ]);
    const none = await download(bundle.exportCoverage, {
      iccid: one.iccid,
      from: '2020-01-01',
      to: '2020-01-02',
    });
    expect([none.statusCode, none.json().status.code]).toEqual([409, 'CB-09-0010']);
  });

  it('contain the countries of the running cycle, with the figures of its page', async () => {
    const { usage } = (await admin.call(bundle.coverage, { params: { iccid: one.iccid } })).body.data;
    const file = await download(bundle.exportCoverage, { iccid: one.iccid });
    expect(file.headers['content-disposition']).toContain(`countries-${one.iccid}.csv`);
    expect(
      linesOf(file.body)
        .slice(1)
        .map((line) => Number(line.split(',')[2])),
    ).toEqual(usage.map(({ bytes }) => bytes));
    const half = await download(bundle.exportCoverage, { iccid: one.iccid, to: '2026-11-21' });
    expect([half.statusCode, half.json().status.detail.issues]).toEqual([
      400,
      [expect.objectContaining({ path: 'from', key: 'required' })],
    ]);
  });
});

describe('orders of all SIMs', () => {
  const listed = async (body: Record<string, unknown>) => {
    const answer = await admin.call(bundle.list, { body });
    expect(answer.http, JSON.stringify(answer.body.status)).toBe(200);
    return { ...answer.body, ids: ids(answer.body.data) };
  };

  it('are those of the organisation, newest first', async () => {
    const { basic, before, next, extra } = one.orders;
    const answer = await listed({});
    expect([answer.ids, answer.total_count, answer.total_relation]).toEqual([
      [extra, next, basic, before],
      4,
      'eq',
    ]);
    expect(answer.data[0]?.device_name).toBe('=cmd()');
    expect(answer.as_of).toBe('2026-11-21T12:00:00.000Z');
  });

  it.each<[Record<string, unknown>, (keyof DetailedSim['orders'])[]]>([
    [{ status: ['in use'] }, ['extra', 'basic']],
    [{ status: ['cancelled'] }, []],
    [{ type: ['prepaid supplementary'] }, ['extra']],
    [{ bundle: ['EU1', 'NONE'] }, ['next', 'basic']],
    [{ bundle: ['europe 1'] }, ['next', 'basic']],
    [{ bundle: ['EU1'], type: ['prepaid supplementary'] }, []],
    [{ ordered_from: '2026-09-01T00:00:00Z', ordered_to: '2026-11-01T00:00:00Z' }, ['next', 'basic']],
    [{ expires_from: '2026-01-01T00:00:00Z' }, ['basic', 'before']],
    [{ expires_to: '2026-11-01T00:00:00Z' }, ['before']],
    [{ search: 'so-1' }, ['basic']],
    [{ search: 'CMD' }, ['extra', 'next', 'basic', 'before']],
    [{ search: '0000011' }, ['extra', 'next', 'basic', 'before']],
    [{ search: 'SO-', status: ['pending'] }, ['next']],
    [{ search: '8986 0123 0000 0000 011' }, ['extra', 'next', 'basic', 'before']],
    [{ search: '%' }, []],
    [{ search: '89' }, ['extra', 'next', 'basic', 'before']],
    [{ search: 'so' }, ['extra', 'next', 'basic', 'before']],
    [{ search: 'md' }, []],
    [{ search: '' }, ['extra', 'next', 'basic', 'before']],
  ])('are filtered by %j', async (filter, wanted) => {
    const answer = await listed(filter);
    expect(answer.ids).toEqual(wanted.map((name) => one.orders[name]));
    expect(answer.total_count).toBe(wanted.length);
  });

  it('are exported as a task, in the order of creation', async () => {
    const started = await admin.call(bundle.exportList, {
      body: { filter: { status: ['in use', 'expired'] }, format: 'csv' },
    });
    expect(started.body.data.quantity).toBe(3);
    await runJobs(test.database, test.wiring.task.jobs);
    const { rows } = await test.database.pool.query<{ content: Buffer }>(
      `select f.content from task_files f join tasks t on t.id = f.task_id where t.type = 'service-export' order by part`,
    );
    const lines = linesOf(Buffer.concat(rows.map(({ content }) => content)).toString());
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('Device name');
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual([
      one.orders.before,
      one.orders.basic,
      one.orders.extra,
    ]);
    expect(lines[2]).toContain("'=cmd(),2026-10-31 16:00:00,2026-11-30 16:00:00,1300,1600,,");
    const none = await admin.call(bundle.exportList, { body: { filter: { search: 'nothing at all' } } });
    expect([none.http, none.body.status.code]).toEqual([409, 'CB-09-0010']);
  });
});

it('the response for another organisation’s SIM is that for an unknown one', async () => {
  const { iccid } = one.foreign;
  const params = { iccid, orderId: String(one.orders.basic), bundleCode: 'EU1' };
  const range = { from: '2026-11-01', to: '2026-11-02' };
  const answers = [
    ...[bundle.simDetails, bundle.listServices, bundle.current, sim.statusTrace, sim.sessions].map(
      (endpoint) => admin.call(endpoint, { query: { iccid } } as never),
    ),
    ...[
      bundle.listPackages,
      bundle.detail,
      bundle.coverage,
      bundle.overusePolicy,
      sim.belongOrg,
      sim.spec,
    ].map((endpoint) => admin.call(endpoint, { params } as never)),
    ...[bundle.listOrders, bundle.listCycles].map((endpoint) =>
      admin.call(endpoint, { body: { iccid } } as never),
    ),
  ];
  for (const { http, body } of await Promise.all(answers)) {
    expect([http, body.status.code]).toEqual([404, 'CB-01-0001']);
  }
  const ranged = new Set<string>([bundle.exportCoverage.id, sim.usageExport.id]);
  for (const endpoint of [
    bundle.exportOrders,
    bundle.exportCycles,
    bundle.exportCoverage,
    sim.usageExport,
    sim.statusTraceDownload,
  ]) {
    const answer = await download(endpoint, { iccid, ...(ranged.has(endpoint.id) && range) });
    expect([answer.statusCode, answer.json().status.code], endpoint.id).toEqual([404, 'CB-01-0001']);
  }
});
