import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../../platform/files/index.ts';
import { signedInAs, type TestApp, type TestClient, testApp } from '../../../testing/app.ts';
import { type DetailedSim, makeDetailedSim } from '../../../testing/details.ts';

const { sim, bundle } = endpoints;
let test: TestApp;
let one: DetailedSim;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  one = await makeDetailedSim(test);
  ({ admin } = one);
});
afterAll(() => test.close());

const trace = (query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  test.app.inject({
    method: 'GET',
    url: `${sim.statusTraceDownload.path}?${new URLSearchParams({ iccid: one.iccid, ...query })}`,
    headers: { ...admin.headers, ...headers },
  });
const linesOf = (text: string): string[] => text.replace('\u{feff}', '').trimEnd().split('\r\n');

it('the card details show its type and country of issue', async () => {
  const { data } = (await admin.call(sim.spec, { params: { iccid: one.iccid } })).body;
  expect(data).toEqual({
    iccid: one.iccid,
    chip_grade: 'industrial',
    technology: 'one IMSI',
    delivery_note_number: 'DN-7',
    shipment_on: '2026-02-03',
    issuer_country: 'CN',
  });
});

it('a SIM shows its organisation, and the visible ones above it', async () => {
  const params = { iccid: one.iccid };
  const acme = { code: 'ACME', name: 'acme Limited' };
  const own = (await admin.call(sim.belongOrg, { params })).body.data.path;
  expect(own.map(({ name }) => name)).toEqual([acme.name]);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: one.parentAdmin.orgId,
    role: 'user',
    oversight: false,
  });
  const both = (await admin.call(sim.belongOrg, { params })).body.data.path;
  expect(both.map(({ name }) => name)).toEqual(['parent Limited', 'acme Limited']);
  // For the organisation above it still belongs to another organisation.
  expect((await one.parentAdmin.call(sim.belongOrg, { params })).http).toBe(404);
});

describe('the status trace', () => {
  it('shows changes of state only, newest first, page by page', async () => {
    const first = await admin.call(sim.statusTrace, { query: { iccid: one.iccid, page_size: 2 } });
    expect(first.body.total_count).toBe(4);
    expect(first.body.data.map(({ kind }) => kind)).toEqual(['bundle-started', 'imei-changed']);
    const rest = await admin.call(sim.statusTrace, {
      query: { iccid: one.iccid, cursor: first.body.next_cursor ?? '' },
    });
    expect(rest.body.data).toMatchObject([
      {
        kind: 'lifecycle-changed',
        at: '2026-10-01T10:00:00.000Z',
        facts: { from: 'pre-activated', to: 'active', reason: 'activation' },
        actor: 'Ada',
        task_id: 'T-1',
        trace_id: 'trace-1',
      },
      { kind: 'quota-reached' },
    ]);
    expect(rest.body.next_cursor).toBeNull();
    const wrong = await admin.call(sim.statusTrace, { query: { iccid: one.iccid, cursor: 'x' } });
    expect(wrong.body.status.code).toBe('CB-00-0406');
  });

  it('can be exported in the caller’s language and time zone', async () => {
    const english = await trace({}, { 'time-zone': 'Europe/Berlin' });
    expect(english.headers['content-disposition']).toContain(`status-trace-${one.iccid}.csv`);
    expect(linesOf(english.body)).toEqual([
      'Time (Europe/Berlin),Event,Details,By,Task,Trace ID',
      '2026-11-02 11:00:01,Bundle started,bundle: =More,,,',
      '2026-11-02 11:00:01,IMEI changed,from: 1; to: 2,,,',
      '2026-10-01 12:00:00,Status changed,from: Pre-activated; to: Active; reason: activation,Ada,T-1,trace-1',
      '2026-09-01 12:00:00,Quota used up,overage policy: Billing and slow down; used bytes: 500; limit in bytes: 500,,,',
    ]);
    const book = await trace({ format: 'xlsx' }, { 'accept-language': 'zh-TW' });
    const rows = await readTable({ name: 'a.xlsx', content: book.rawPayload }, { maxRows: 9 });
    expect(rows[0]?.slice(0, 2)).toEqual(['時間 (UTC)', '事件']);
  });
});

it('sessions are listed with their networks, newest first', async () => {
  const first = await admin.call(sim.sessions, { query: { iccid: one.iccid, page_size: 2 } });
  expect(first.body.total_count).toBe(3);
  expect(first.body.data.map(({ id }) => id)).toEqual(['S-2', 'S-1']);
  expect(first.body.data[1]).toEqual({
    id: 'S-1',
    started_at: '2026-11-01T10:00:00.000Z',
    updated_at: '2026-11-01T11:00:00.000Z',
    stopped_at: '2026-11-01T11:00:00.000Z',
    terminate_cause: 'User-Request',
    up_bytes: 1,
    down_bytes: 2,
    ip: '10.0.0.1',
    apn: 'iot',
    imei: '490154203237518',
    network: { country: 'FR', mcc: '208', mnc: '01', operator: 'Orange', radio: '4G' },
    cell: '208-01-1-1',
  });
  const rest = await admin.call(sim.sessions, {
    query: { iccid: one.iccid, cursor: first.body.next_cursor ?? '' },
  });
  expect(rest.body.data.map(({ id, network }) => [id, network])).toEqual([['S-0', null]]);
});

it('usage can be exported by hour, day and month, in UTC', async () => {
  const exported = (payload: object, headers = {}) =>
    test.app.inject({
      method: 'POST',
      url: sim.usageExport.path,
      headers: { ...admin.headers, 'time-zone': 'Asia/Tokyo', ...headers },
      payload: { iccid: one.iccid, from: '2026-11-01', to: '2026-11-02', ...payload },
    });
  expect(linesOf((await exported({})).body)).toEqual([
    'Period (UTC),Up (bytes),Down (bytes),Total (bytes)',
    '2026-11-01,0,0,0',
    '2026-11-02,100,700,800',
  ]);
  expect(
    linesOf((await exported({ granularity: 'hour' }, { 'accept-language': 'es' })).body).slice(0, 2),
  ).toEqual(['Periodo (UTC),Subida (bytes),Bajada (bytes),Total (bytes)', '2026-11-01 00:00,0,0,0']);
  expect(linesOf((await exported({ granularity: 'month', from: '2026-10-01' })).body)[1]).toBe(
    '2026-10,40,60,100',
  );
  const none = await exported({ from: '2020-01-01', to: '2020-01-02' });
  expect([none.statusCode, none.json().status.code]).toEqual([409, 'CB-09-0010']);
  expect((await exported({ from: '2026-11-03' })).statusCode).toBe(400);
});

it('the details of a SIM are readable for users', async () => {
  const { rows } = await test.database.pool.query(
    'select id, code, tenant_id from organisations where id = $1',
    [one.orgId],
  );
  const user = await signedInAs(test, 'user', {
    id: rows[0].id,
    code: rows[0].code,
    tenantId: rows[0].tenant_id,
  });
  expect((await user.call(bundle.simDetails, { query: { iccid: one.iccid } })).http).toBe(200);
  expect((await user.call(sim.sessions, { query: { iccid: one.iccid } })).http).toBe(200);
});
