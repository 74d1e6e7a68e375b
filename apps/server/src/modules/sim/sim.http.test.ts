import { endpoints, limits } from '@simcube/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anonymous,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../testing/app.ts';
import { makeBundle, makeSim } from '../../testing/inventory.ts';

let test: TestApp;
let user: TestClient;
let acme: { id: number; code: string; tenantId: string };
let foreign: { iccid: string };

/** One SIM for each thing that a filter can tell apart. */
const fleet = {
  truck: '8986012300000000001',
  meter: '8986012300000000002',
  camera: '8986012300000000003',
  kiosk: '8986012300000000004',
  spare: '8986012300000000005',
};

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  const other = await makeOrganisation(test, { code: 'other' });
  user = await signedInAs(test, 'user', acme);
  const { pool } = test.database;
  await pool.query(
    `insert into networks values (262002, '262', '02', 'Vodafone', 'DE') on conflict do nothing`,
  );
  const bundleId = await makeBundle(pool, { code: 'EU5' });
  const live = { lastSeenAt: '2026-11-21T11:59:00Z', limitBytes: 1000 };
  await makeSim(pool, acme.id, {
    ...live,
    iccid: fleet.truck,
    imsi: '262021234518823',
    msisdn: '4915201234567',
    imei: '490154203237518',
    deviceName: 'Truck 2204',
    notes: 'Depot 100% north_yard',
    tags: ['fleet', 'eu'],
    connection: 'online',
    plmn: 262002,
    usedBytes: 820,
    bundleId,
    activatedAt: '2026-03-01T00:00:00Z',
    expiresAt: '2026-12-01T00:00:00Z',
  });
  await makeSim(pool, acme.id, {
    ...live,
    iccid: fleet.meter,
    deviceName: 'meter 91-A',
    tags: ['meter'],
    lifecycle: 'paused',
    connection: 'connected',
    usedBytes: 799,
    activatedAt: '2026-04-01T00:00:00Z',
    expiresAt: '2027-11-21T12:00:00Z',
  });
  await makeSim(pool, acme.id, {
    ...live,
    iccid: fleet.camera,
    deviceName: 'Camera dock 7',
    tags: ['fleet'],
    lifecycle: 'expired',
    connection: 'offline',
    usedBytes: 1400,
    overLimit: true,
    expiresAt: '2026-11-20T00:00:00Z',
  });
  await makeSim(pool, acme.id, {
    iccid: fleet.kiosk,
    deviceName: 'Kiosk Madrid',
    plmn: 999077,
    usedBytes: 5,
  });
  await makeSim(pool, acme.id, { iccid: fleet.spare, lifecycle: 'pre-activated' });
  await pool.query(
    `insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     select id, day::date, 262002, 3, 10, 5, 1 from sims, generate_series(timestamp '2026-11-10', '2026-11-21', '1 day') day
     where iccid = $1`,
    [fleet.truck],
  );
  foreign = await makeSim(pool, other.id, { deviceName: 'Truck of another' });
});

afterAll(() => test.close());

const listed = async (body: Record<string, unknown>) => {
  const answer = await user.call(endpoints.sim.list, { body });
  expect(answer.http, JSON.stringify(answer.body.status)).toBe(200);
  return { ...answer.body, iccids: answer.body.data.map((row) => row.iccid) };
};

describe('SIM list', () => {
  it('shows the organisation’s SIMs and no others, with all that a row has', async () => {
    const answer = await listed({});
    expect(answer.total_count).toBe(5);
    expect(answer.total_relation).toBe('eq');
    expect(answer.next_cursor).toBeNull();
    expect(answer.iccids).toEqual(Object.values(fleet));
    expect(answer.data[0]).toEqual({
      iccid: fleet.truck,
      imsi: '262021234518823',
      msisdn: '4915201234567',
      last_imei: '490154203237518',
      device_name: 'Truck 2204',
      lifecycle: 'active',
      status: 23,
      connection: 'online',
      network: { country: 'DE', mcc: '262', mnc: '02', operator: 'Vodafone', radio: null },
      apn: null,
      ip: null,
      last_session_at: null,
      cycle_usage_bytes: 820,
      limit_bytes: 1000,
      week_bytes: [15, 15, 15, 15, 15, 15, 15],
      bundle_name: 'EU5 bundle',
      expires_at: '2026-12-01T00:00:00.000Z',
      tags: ['fleet', 'eu'],
    });
    expect(answer.data[3]?.network).toMatchObject({ mcc: '999', mnc: '77', operator: null, country: null });
  });

  it.each<[string, Record<string, unknown>, (keyof typeof fleet)[]]>([
    ['one lifecycle', { lifecycle: ['paused'] }, ['meter']],
    ['several lifecycles', { lifecycle: ['active', 'pre-activated'] }, ['truck', 'kiosk', 'spare']],
    ['connection', { connection: ['online', 'connected'] }, ['truck', 'meter']],
    ['a tag', { tags: ['fleet'] }, ['truck', 'camera']],
    ['all tags', { tags: ['fleet', 'eu'] }, ['truck']],
    ['a tag nobody has', { tags: ['nobody'] }, []],
    ['bundle', { bundle: ['EU5', 'NONE'] }, ['truck']],
    ['an unknown bundle', { bundle: ['NONE'] }, []],
    ['usage over whole tenths', { usage_percent_min: 80 }, ['truck', 'camera']],
    ['usage between tenths', { usage_percent_min: 79.9 }, ['truck', 'meter', 'camera']],
    ['usage over the limit', { usage_percent_min: 101 }, ['camera']],
    ['any share of a limit', { usage_percent_min: 0 }, ['truck', 'meter', 'camera']],
    ['end within days', { expires_within_days: 45 }, ['truck']],
    ['end within a year', { expires_within_days: 365 }, ['truck', 'meter']],
    ['over the limit', { over_limit: true }, ['camera']],
    ['not over the limit', { over_limit: false }, ['truck', 'meter', 'kiosk', 'spare']],
    [
      'several at once',
      { over_limit: false, tags: ['fleet'], lifecycle: ['active'], search: 'truck' },
      ['truck'],
    ],
    ['several that exclude each other', { connection: ['online'], lifecycle: ['expired'] }, []],
    [
      'empty lists',
      { lifecycle: [], connection: [], tags: [], bundle: [] },
      ['truck', 'meter', 'camera', 'kiosk', 'spare'],
    ],
  ])('filters by %s', async (_, filter, expected) => {
    const answer = await listed(filter);
    expect(answer.iccids).toEqual(expected.map((name) => fleet[name]));
    expect(answer.total_count).toBe(expected.length);
    expect(answer.total_relation).toBe('eq');
  });

  it.each<[string, string, (keyof typeof fleet)[]]>([
    ['a whole ICCID', fleet.camera, ['camera']],
    ['the end of an ICCID', '0000003', ['camera']],
    ['the middle of an IMSI', '1234518', ['truck']],
    ['the start of an MSISDN', '49152', ['truck']],
    ['an IMEI', '490154203237518', ['truck']],
    ['a name in another case', 'CAMERA DOCK', ['camera']],
    ['part of a name', 'adri', ['kiosk']],
    ['part of the notes', 'north', ['truck']],
    ['part of a tag', 'fle', ['truck', 'camera']],
    ['two letters at the start of a field', 'me', ['meter']],
    ['two letters elsewhere', 'ck', []],
    ['characters that LIKE would read', '100% north_', ['truck']],
    ['a wildcard that is none', 'dep_t', []],
    ['a part that runs over two fields', '8823 4915', []],
    ['punctuation alone', '%%%', []],
    ['a backslash', 'a\\b\\', []],
    ['a foreign SIM', 'another', []],
  ])('finds %s', async (_, search, expected) => {
    expect((await listed({ search })).iccids).toEqual(expected.map((name) => fleet[name]));
  });

  it.each<[string, (keyof typeof fleet)[]]>([
    ['iccid', ['truck', 'meter', 'camera', 'kiosk', 'spare']],
    ['-iccid', ['spare', 'kiosk', 'camera', 'meter', 'truck']],
    ['device_name', ['camera', 'kiosk', 'meter', 'truck', 'spare']],
    ['-device_name', ['spare', 'truck', 'meter', 'kiosk', 'camera']],
    ['activated_at', ['camera', 'kiosk', 'spare', 'truck', 'meter']],
    ['-activated_at', ['meter', 'truck', 'spare', 'kiosk', 'camera']],
    ['expires_at', ['camera', 'truck', 'meter', 'kiosk', 'spare']],
    ['-expires_at', ['spare', 'kiosk', 'meter', 'truck', 'camera']],
  ])('sorts by %s, a page at a time by number and by cursor', async (sort, expected) => {
    const wanted = expected.map((name) => fleet[name]);
    const filters: Record<string, unknown>[] = [{}, { over_limit: false }];
    for (const filter of filters) {
      const rest = 'over_limit' in filter ? wanted.filter((iccid) => iccid !== fleet.camera) : wanted;
      const byNumber: string[] = [];
      const byCursor: string[] = [];
      let cursor: string | null | undefined;
      for (let number = 1; number <= rest.length; number += 1) {
        byNumber.push(...(await listed({ ...filter, sort, page_no: number, page_size: 1 })).iccids);
        const answer = await listed({ ...filter, sort, page_size: 1, ...(cursor && { cursor }) });
        byCursor.push(...answer.iccids);
        cursor = answer.next_cursor;
      }
      expect(byNumber).toEqual(rest);
      expect(byCursor).toEqual(rest);
      expect(cursor).toBeNull();
    }
  });

  it('answers a page after the last with no rows', async () => {
    expect((await listed({ page_no: 100_000, page_size: 100 })).iccids).toEqual([]);
  });

  it('refuses a page number of a filtered list that only a cursor can reach', async () => {
    const body = { search: 'truck', page_no: limits.countedTotal / 100 + 1, page_size: 100 };
    const answer = await user.call(endpoints.sim.list, { body });
    expect(answer.http).toBe(400);
    expect(answer.body.status.detail?.issues?.[0]).toMatchObject({ path: 'page_no', key: 'tooBig' });
  });

  it('refuses a cursor that is not one of this list', async () => {
    const { next_cursor } = await listed({ sort: 'iccid', page_size: 1 });
    const bent = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');
    const wrong: [string | undefined, string][] = [
      [undefined, 'rubbish'],
      ['-iccid', next_cursor ?? ''],
      ['expires_at', bent({ s: 'expires_at', v: '2026-02-30 00:00:00+00', i: 1 })],
      ['expires_at', bent({ s: 'expires_at', v: 'yesterday', i: 1 })],
      ['device_name', bent({ s: 'device_name', v: 'a\u0000b', i: 1 })],
      ['iccid', bent({ s: 'iccid', v: '1', i: 1e300 })],
      [undefined, bent({ s: '', v: null, i: -1 })],
    ];
    for (const [sort, cursor] of wrong) {
      const answer = await user.call(endpoints.sim.list, {
        body: { ...(sort && { sort: sort as 'iccid' }), cursor },
      });
      expect([answer.http, answer.body.status.code], cursor).toEqual([400, 'CB-00-0406']);
    }
  });

  it('asks for a sign-in', async () => {
    expect((await anonymous(test).call(endpoints.sim.list, { body: {} })).http).toBe(401);
  });

  it('never fails on rubbish', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 9 }),
      fc.constantFrom('\0', 'a\0bc', '%', '_a_', '\\', "'", '\ud800abc', '０１２', 'ﬃ', 'İİİ'),
    );
    // Now and then not even the right kind; mostly right, so that it gets past the first check.
    const or = <T>(valid: fc.Arbitrary<T>) => fc.oneof({ weight: 30, arbitrary: valid }, fc.anything());
    const anything = fc.record(
      {
        search: or(text),
        tags: or(fc.array(text, { maxLength: 4 })),
        bundle: or(fc.array(text, { maxLength: 4 })),
        lifecycle: or(fc.array(fc.constantFrom('active', 'paused'), { maxLength: 5 })),
        connection: or(fc.array(fc.constantFrom('online', 'unknown'), { maxLength: 4 })),
        usage_percent_min: or(fc.double({ min: 0, max: 10_000, noNaN: true })),
        expires_within_days: or(fc.integer({ min: 0, max: 365 })),
        over_limit: or(fc.boolean()),
        sort: or(fc.constantFrom('iccid', '-expires_at', 'device_name')),
        cursor: or(
          fc.oneof(
            text,
            fc.json().map((json) => Buffer.from(json).toString('base64url')),
          ),
        ),
        page_no: or(fc.integer({ min: 1, max: 1000 })),
        page_size: or(fc.integer({ min: 1, max: 1000 })),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        const answer = await user.call(
          endpoints.sim.list,
          {},
          { raw: { body: JSON.parse(JSON.stringify(body)) } },
        );
        expect([200, 400, 401]).toContain(answer.http);
        expect(answer.body.trace_id).toBeTruthy();
      }),
      { numRuns: 400 },
    );
  });
});

describe('one SIM', () => {
  it('shows its overview', async () => {
    const answer = await user.call(endpoints.sim.basic, { query: { iccid: fleet.truck } });
    expect(answer.body.data).toMatchObject({
      iccid: fleet.truck,
      organisation: { code: 'acme' },
      bundle: { code: 'EU5', pending_orders: 0, expires_at: null },
      cycle: { usage_bytes: 820, limit_bytes: 1000, projected_bytes: null },
      data_state: 'open',
      status: 23,
    });
  });

  it('shows its connection as time passes', async () => {
    const { pool } = test.database;
    await pool.query(
      `insert into radius_clients (name, network, sealed_secret) values ('gw', '127.0.0.1', '\\x00') on conflict do nothing`,
    );
    await pool.query(
      `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id, started_at,
         updated_at, up_bytes, down_bytes, ip, plmn, radio, imei, cell)
       select s.id, 7, s.org_id, c.id, 'ggsn-1', '10.1.0.1', 'A1B2', '2026-11-21T11:00:00Z', '2026-11-21T11:59:00Z', 3, 4,
         '10.64.12.9', 262002, 3, '490154203237518', '26202-31F2-1A7C40' from sims s, radius_clients c where iccid = $1`,
      [fleet.truck],
    );
    const query = { iccid: fleet.truck };
    const now = await user.call(endpoints.sim.connection, { query });
    expect(now.body.data).toMatchObject({
      connection: 'online',
      session: {
        id: 'A1B2',
        gateway: 'ggsn-1',
        ip: '10.64.12.9',
        network: { operator: 'Vodafone', radio: '4G' },
        up_bytes: 3,
        stopped_at: null,
      },
    });
    test.clock.advance(15 * 60_000);
    const later = await user.call(endpoints.sim.connectionStatus, { query });
    expect(later.body.data).toEqual({
      iccid: fleet.truck,
      connection: 'connected',
      since: null,
      last_seen_at: '2026-11-21T11:59:00.000Z',
    });
    test.clock.set('2026-11-21T12:00:00Z');
    const spare = await user.call(endpoints.sim.connection, { query: { iccid: fleet.spare } });
    expect(spare.body.data).toMatchObject({ connection: 'unknown', session: null });
  });

  it('shows its usage by day and network, days without any included', async () => {
    const query = { iccid: fleet.truck, granularity: 'day', from: '2026-11-08', to: '2026-11-12' } as const;
    const { data } = (await user.call(endpoints.sim.usage, { query })).body;
    expect(data.points.map((point) => [point.at, point.up_bytes, point.down_bytes])).toEqual([
      ['2026-11-08', 0, 0],
      ['2026-11-09', 0, 0],
      ['2026-11-10', 10, 5],
      ['2026-11-11', 10, 5],
      ['2026-11-12', 10, 5],
    ]);
    expect(data.total_bytes).toBe(45);
    expect(data.by_network).toEqual([
      { country: 'DE', mcc: '262', mnc: '02', operator: 'Vodafone', radio: '4G', bytes: 45 },
    ]);
    const months = {
      iccid: fleet.truck,
      granularity: 'month',
      from: '2026-09-01',
      to: '2026-11-30',
    } as const;
    const byMonth = (await user.call(endpoints.sim.usage, { query: months })).body.data;
    expect(byMonth.points.map(({ at, up_bytes }) => [at, up_bytes])).toEqual([
      ['2026-09', 0],
      ['2026-10', 0],
      ['2026-11', 120],
    ]);
  });

  it('refuses usage over too long or impossible spans', async () => {
    const spans = [
      ['hour', '2026-01-01', '2026-03-01'],
      ['day', '2026-02-01', '2026-01-01'],
      ['day', '0000-01-01', '0000-01-02'],
      ['month', '9999-01-01', '9999-12-31'],
    ] as const;
    for (const [granularity, from, to] of spans) {
      const query = { iccid: fleet.truck, granularity, from, to };
      expect((await user.call(endpoints.sim.usage, { query })).http).toBe(400);
    }
  });

  it('pages its events, newest first', async () => {
    await test.database.pool.query(
      `insert into sim_events (sim_id, at, org_id, kind, facts, actor)
       select id, timestamptz '2026-11-01' + n * interval '1 hour', org_id, 'imei-changed',
         jsonb_build_object('from', n, 'to', 'x'), 'intake' from sims, generate_series(1, 25) n where iccid = $1`,
      [fleet.meter],
    );
    const seen: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { iccid: fleet.meter, page_size: 10, ...(cursor && { cursor }) };
      const { body } = await user.call(endpoints.sim.events, { query });
      expect(body.total_count).toBe(25);
      seen.push(...body.data.map((event) => event.facts['from']));
      cursor = body.next_cursor;
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
    const bent = await user.call(endpoints.sim.events, { query: { iccid: fleet.meter, cursor: 'e30' } });
    expect(bent.body.status.code).toBe('CB-00-0406');
  });

  it('does not exist for others', async () => {
    const span = { from: '2026-11-01', to: '2026-11-02', granularity: 'day' } as const;
    const { basic, connection, connectionStatus, usage, events } = endpoints.sim;
    for (const iccid of [foreign.iccid, '8900000000000000000']) {
      for (const endpoint of [basic, connection, connectionStatus, events]) {
        const answer = await user.call(endpoint, { query: { iccid } });
        expect([answer.http, answer.body.status.code]).toEqual([404, 'CB-01-0001']);
      }
      const answer = await user.call(usage, { query: { iccid, ...span } });
      expect([answer.http, answer.body.status.code]).toEqual([404, 'CB-01-0001']);
    }
  });

  it('never fails on a rubbish query', async () => {
    const { basic, usage, events } = endpoints.sim;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(basic, usage, events),
        fc.array(
          fc.tuple(
            fc.constantFrom('iccid', 'from', 'to', 'granularity', 'cursor', 'page_no', 'page_size', 'x'),
            fc.oneof(
              fc.string({ unit: 'binary' }),
              fc.constantFrom(fleet.truck, '2026-01-01', '9999-12-31', 'e30', 'NaN'),
            ),
          ),
        ),
        async (endpoint, pairs) => {
          const query = pairs
            .map(([key, value]) => `${key}=${encodeURIComponent(Buffer.from(value).toString())}`)
            .join('&');
          const answer = await user.call(endpoint, {}, { raw: { query } });
          expect(answer.http).toBeLessThan(500);
        },
      ),
      { numRuns: 400 },
    );
  });
});
