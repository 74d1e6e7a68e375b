import { endpoints } from '@simcube/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log/index.ts';
import { type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { fleet, makeFleet } from '../../testing/fleet.ts';

let test: TestApp;
let user: TestClient;
let foreign: { iccid: string };

beforeAll(async () => {
  test = await testApp();
  ({ user, foreign } = await makeFleet(test));
});
afterAll(() => test.close());

describe('one SIM', () => {
  it('shows its overview', async () => {
    const answer = await user.call(endpoints.sim.basic, { query: { iccid: fleet.truck } });
    expect(answer.body.data).toMatchObject({
      iccid: fleet.truck,
      organisation: { code: 'acme' },
      bundle: { code: 'EU5', pending_orders: 0, expires_at: null },
      cycle: { usage_bytes: 820, limit_bytes: 1000, uses_pool_limit: false, projected_bytes: null },
      data_state: 'open',
      status: 23,
    });
  });

  const sweepConnections = async () => {
    const job = test.wiring.jobs.find((one) => one.job.name === 'aaa.sweep-connections');
    const log = createLog({ level: 'silent', format: 'json' });
    await job?.handle({}, { signal: new AbortController().signal, log, attempt: 1 });
  };

  it('shows its connection as time passes, consistently on its page, in the list and in the filter', async () => {
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
    // Until it is swept, both the list and the page show it as online.
    const listed = async () =>
      (await user.call(endpoints.sim.list, { body: { search: fleet.truck, connection: ['connected'] } })).body
        .data;
    const before = await user.call(endpoints.sim.connectionStatus, { query });
    expect([before.body.data.connection, await listed()]).toEqual(['online', []]);
    await sweepConnections();
    expect(await listed()).toMatchObject([{ iccid: fleet.truck, connection: 'connected' }]);
    const later = await user.call(endpoints.sim.connectionStatus, { query });
    expect(later.body.data).toEqual({
      iccid: fleet.truck,
      connection: 'connected',
      network_overdue: null,
      since: '2026-11-21T12:15:00.000Z',
      last_seen_at: '2026-11-21T11:59:00.000Z',
    });
    test.clock.set('2026-11-21T12:00:00Z');
    const spare = await user.call(endpoints.sim.connection, { query: { iccid: fleet.spare } });
    expect(spare.body.data).toMatchObject({ connection: 'unknown', session: null });
  });

  it('has the address that the list shows: the fixed one, until a session has another', async () => {
    const shown = async () => {
      const listed = await user.call(endpoints.sim.list, { body: { search: fleet.spare } });
      const basic = await user.call(endpoints.sim.basic, { query: { iccid: fleet.spare } });
      return [listed.body.data[0]?.ip, basic.body.data.ip];
    };
    const { pool } = test.database;
    expect(await shown()).toEqual([null, null]);
    await pool.query("update sims set fixed_ip = '10.64.3.4' where iccid = $1", [fleet.spare]);
    expect(await shown()).toEqual(['10.64.3.4', '10.64.3.4']);
    const spare = '(select id from sims where iccid = $1)';
    await pool.query(`update sim_live set ip = '10.64.9.9' where sim_id = ${spare}`, [fleet.spare]);
    expect(await shown()).toEqual(['10.64.9.9', '10.64.9.9']);
    await pool.query(`update sim_live set ip = null where sim_id = ${spare}`, [fleet.spare]);
    await pool.query('update sims set fixed_ip = null where iccid = $1', [fleet.spare]);
  });

  it('shows its usage by day and network, including days without usage', async () => {
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

  it('rejects too long or impossible periods of usage', async () => {
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

  it('lists its events page by page, newest first', async () => {
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

  it('names the networks of its events, as far as they are known', async () => {
    await test.database.pool.query(
      `insert into sim_events (sim_id, at, org_id, kind, facts)
       select id, timestamptz '2026-11-20', org_id, 'network-changed', '{"from": "262-02", "to": "999-99"}' from sims
       where iccid = $1`,
      [fleet.truck],
    );
    const names = { '262-02': { operator: 'Vodafone', country: 'DE' } };
    for (const endpoint of [endpoints.sim.events, endpoints.sim.statusTrace]) {
      const { body } = await user.call(endpoint, { query: { iccid: fleet.truck } });
      const moved = body.data.find(({ kind }) => kind === 'network-changed');
      expect(moved).toMatchObject({ facts: { from: '262-02', to: '999-99' }, networks: names });
    }
  });

  it('does not exist for other organisations', async () => {
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

  it('never fails on an invalid query', async () => {
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
