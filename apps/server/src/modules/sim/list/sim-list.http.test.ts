import { endpoints, limits } from '@simcube/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, type TestApp, type TestClient, testApp } from '../../../testing/app.ts';
import { fleet, makeFleet } from '../../../testing/fleet.ts';

let test: TestApp;
let user: TestClient;

beforeAll(async () => {
  test = await testApp();
  ({ user } = await makeFleet(test));
});
afterAll(() => test.close());

const listed = async (body: Record<string, unknown>) => {
  const answer = await user.call(endpoints.sim.list, { body });
  expect(answer.http, JSON.stringify(answer.body.status)).toBe(200);
  return { ...answer.body, iccids: answer.body.data.map((row) => row.iccid) };
};

describe('SIM list', () => {
  it('shows the organisation’s SIMs and no others, with all columns', async () => {
    await test.database.pool.query(
      `update sims set delivery_note_number = 'DN-20419', shipment_on = '2026-02-14', chip_grade = 'industrial',
         technology = 'multi IMSI', sms_suspended = true where iccid = $1`,
      [fleet.truck],
    );
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
      network_overdue: null,
      data: { state: 'open', kbps: null, restrictions: [] },
      network: { country: 'DE', mcc: '262', mnc: '02', operator: 'Vodafone', radio: null },
      apn: null,
      ip: null,
      last_session_at: null,
      cycle_usage_bytes: 820,
      limit_bytes: 1000,
      uses_pool_limit: false,
      week_bytes: [15, 15, 15, 15, 15, 15, 15],
      bundle_name: 'EU5 bundle',
      cost: null,
      activated_at: '2026-03-01T00:00:00.000Z',
      expires_at: '2026-12-01T00:00:00.000Z',
      tags: ['fleet', 'eu'],
      notes: 'Depot 100% north_yard',
      delivery_note_number: 'DN-20419',
      shipment_on: '2026-02-14',
      chip_grade: 'industrial',
      technology: 'multi IMSI',
      sms_suspended: true,
    });
    expect(answer.data[1]).toMatchObject({
      notes: null,
      delivery_note_number: null,
      shipment_on: null,
      chip_grade: null,
      technology: null,
      sms_suspended: false,
    });
    expect(answer.data[4]?.activated_at).toBeNull();
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
    ['a phone number as it is written', '+49 1520 / 123-4567', ['truck']],
    ['the end of an ICCID', '12300000000003', ['camera']],
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
    ['lifecycle', ['spare', 'truck', 'kiosk', 'meter', 'camera']],
    ['-lifecycle', ['camera', 'meter', 'kiosk', 'truck', 'spare']],
    ['activated_at', ['camera', 'kiosk', 'spare', 'truck', 'meter']],
    ['-activated_at', ['meter', 'truck', 'spare', 'kiosk', 'camera']],
    ['expires_at', ['camera', 'truck', 'meter', 'kiosk', 'spare']],
    ['-expires_at', ['spare', 'kiosk', 'meter', 'truck', 'camera']],
    ['cycle_usage_bytes', ['spare', 'kiosk', 'meter', 'truck', 'camera']],
    ['-cycle_usage_bytes', ['camera', 'truck', 'meter', 'kiosk', 'spare']],
  ])('sorts by %s, page by page by number and by cursor', async (sort, expected) => {
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

  it('finds words of notes across lines, by the search and by the field alike', async () => {
    const set = (notes: string | null) =>
      test.database.pool.query('update sims set notes = $2 where iccid = $1', [fleet.spare, notes]);
    await set('Left at\nmast 7');
    for (const filter of [{ search: 'at mast' }, { notes: 'at mast' }, { notes: 'mast 7' }]) {
      expect((await listed(filter)).iccids).toEqual([fleet.spare]);
    }
    await set(null);
  });

  it('returns no rows for a page after the last', async () => {
    expect((await listed({ page_no: 100_000, page_size: 100 })).iccids).toEqual([]);
  });

  it('sorts by the last session, those without one first', async () => {
    const { pool } = test.database;
    const had = { truck: '2026-11-03', meter: '2026-11-01', camera: '2026-11-02', spare: '2026-11-02' };
    const set = (at: string | null, iccid: string) =>
      pool.query(
        `update sim_live l set last_session_at = $1 from sims s where s.id = l.sim_id and s.iccid = $2`,
        [at, iccid],
      );
    for (const [name, at] of Object.entries(had)) await set(at, fleet[name as keyof typeof had]);
    const up = ['kiosk', 'meter', 'camera', 'spare', 'truck'] as const;
    const wanted = up.map((name) => fleet[name]);
    const shortly = wanted.filter((iccid) => iccid !== fleet.kiosk && iccid !== fleet.meter);
    for (const [filter, found] of [
      [{}, wanted],
      [{ over_limit: false }, wanted.filter((iccid) => iccid !== fleet.camera)],
      [{ search: 'camera' }, [fleet.camera]],
      [{ empty: ['last_session_at'] }, [fleet.kiosk]],
      [{ last_session_from: '2026-11-02T00:00:00Z' }, shortly],
    ] as const) {
      expect((await listed({ ...filter, sort: 'last_session_at' })).iccids).toEqual(found);
      const down = [...found].reverse();
      expect((await listed({ ...filter, sort: '-last_session_at' })).iccids).toEqual(down);
      const first = await listed({ ...filter, sort: '-last_session_at', page_size: 1 });
      if (first.next_cursor === null) continue;
      const rest = { sort: '-last_session_at', cursor: first.next_cursor };
      expect((await listed({ ...filter, ...rest })).iccids).toEqual(down.slice(1));
    }
    for (const name of Object.keys(had)) await set(null, fleet[name as keyof typeof had]);
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
      ['lifecycle', bent({ s: 'lifecycle', v: '11', i: 1 })],
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

  it('requires a session', async () => {
    expect((await anonymous(test).call(endpoints.sim.list, { body: {} })).http).toBe(401);
  });

  it('never fails on random input', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 9 }),
      fc.constantFrom('\0', 'a\0bc', '%', '_a_', '\\', "'", '\ud800abc', '０１２', 'ﬃ', 'İİİ'),
    );
    // Occasionally of the wrong type; mostly right, so that it gets past the first check.
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
        sort: or(fc.constantFrom('iccid', '-expires_at', 'device_name', '-cycle_usage_bytes')),
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

describe('counts by status', () => {
  const counted = async (body: Record<string, unknown>) => {
    const answer = await user.call(endpoints.sim.listCounts, { body });
    expect(answer.http, JSON.stringify(answer.body.status)).toBe(200);
    return answer.body.data;
  };

  it('are of all SIMs without a filter', async () => {
    const { total, relation, lifecycle } = await counted({});
    expect({ total, relation }).toEqual({ total: 5, relation: 'eq' });
    for (const [name, count] of Object.entries(lifecycle))
      expect((await listed({ lifecycle: [name] })).total_count, name).toBe(count);
  });

  it('follow the search and every other filter, whichever status is shown', async () => {
    for (const filter of [{ search: 'truck' }, { connection: ['online', 'offline'] }, { search: '!' }]) {
      const { total, lifecycle } = await counted({ ...filter, lifecycle: ['paused'] });
      expect(total).toBe((await listed(filter)).total_count);
      for (const [name, count] of Object.entries(lifecycle))
        expect((await listed({ ...filter, lifecycle: [name] })).total_count, name).toBe(count);
    }
  });
});
