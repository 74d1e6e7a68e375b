import { endpoints, headers as names, type RequestOf, type ResponseOf } from '@simcube/contract';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../platform/files/index.ts';
import { expectFailure } from '../../testing/accounts.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { importRecords } from '../../testing/cdrs.ts';
import { makeBundle, makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';
import { syncNetworks } from '../sim/index.ts';

const { cdr, task } = endpoints;
type ListBody = RequestOf<typeof cdr.list>['body'];
type SumsBody = RequestOf<typeof cdr.sums>['body'];

let test: TestApp;
let user: TestClient;
let stranger: TestClient;
let pump: { id: number; iccid: string; imsi: string };
let meter: { id: number; iccid: string; imsi: string };
let foreign: { id: number; iccid: string; imsi: string };
const params = { partnerCode: 'acme' };
const november = { from: '2026-11-01T00:00:00Z', to: '2026-11-21T12:00:00Z' };

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  const acme = await makeOrganisation(test, { code: 'acme' });
  const other = await makeOrganisation(test, { code: 'other' });
  user = await signedInAs(test, 'user', acme);
  stranger = await signedInAs(test, 'admin', other);
  await syncNetworks(pool);
  pump = await makeSim(pool, acme.id, { deviceName: 'Pump' });
  meter = await makeSim(pool, acme.id, { msisdn: '4915112345678' });
  foreign = await makeSim(pool, other.id);
  const german = { mcc: '262', mnc: '02', rat: '4G' };
  const iot = { apn: 'iot', ...german };
  await importRecords(test, [
    { iccid: pump.iccid, ended_at: '2026-11-19T10:00:00Z', session_id: 'a', ...iot, cell: 'C1' },
    { iccid: pump.iccid, ended_at: '2026-11-19T11:00:00Z', session_id: 'a', ...iot, cell: 'C2' },
    {
      iccid: pump.iccid,
      ended_at: '2026-11-20T09:30:00Z',
      session_id: 'b',
      mcc: '208',
      mnc: '01',
      rat: '5G',
    },
    { iccid: meter.iccid, ended_at: '2026-11-20T09:30:00Z', up_bytes: 100, down_bytes: 50, ...german },
    { iccid: meter.iccid, ended_at: '2026-11-21T08:00:00Z' },
    { iccid: foreign.iccid, ended_at: '2026-11-21T08:00:00Z', ...german },
  ]);
});
afterAll(() => test.close());

const listed = async (body: ListBody = {}) => (await user.call(cdr.list, { params, body })).body;
const endsOf = (rows: ResponseOf<typeof cdr.list>) => rows.map(({ ended_at }) => ended_at.slice(8, 16));
const summed = async (body: SumsBody = november) => (await user.call(cdr.sums, { params, body })).body.data;

describe('the list of CDRs', () => {
  it('has the records of the organisation, the latest first', async () => {
    const { data, total_count } = await listed();
    expect(total_count).toBe(5);
    expect(endsOf(data)).toEqual(['21T08:00', '20T09:30', '20T09:30', '19T11:00', '19T10:00']);
    expect(data[3]).toMatchObject({
      iccid: pump.iccid,
      imsi: pump.imsi,
      device_name: 'Pump',
      own: true,
      network: { country: 'DE', mcc: '262', mnc: '02', radio: '4G' },
      radio: '4G',
      cell: 'C2',
      apn: 'iot',
      source: 'file',
      up_bytes: 1,
      down_bytes: 2,
      total_bytes: 3,
      provisional: false,
    });
    expect(data[0]).toMatchObject({ network: null, radio: null, apn: null, session: null });
  });

  it('finds by every filter, alone and together', async () => {
    const session = (await listed()).data[3]?.session ?? '';
    const filters: [ListBody, number][] = [
      [{ session }, 2],
      [{ from: '2026-11-19T11:00:00Z', to: '2026-11-20T09:30:00Z' }, 1],
      [{ identifiers: [pump.iccid] }, 3],
      [{ identifiers: [pump.imsi, '4915112345678'] }, 5],
      [{ identifiers: ['+49 151 12345678'] }, 2],
      [{ identifiers: ['00000000'] }, 0],
      [{ identifiers: [] }, 0],
      [{ country: ['DE'] }, 3],
      [{ country: ['ZZ'] }, 1],
      [{ country: ['FR', 'ZZ'] }, 2],
      [{ operator: ['262-02'] }, 3],
      [{ operator: ['000-00'] }, 1],
      [{ operator: ['262-02'], country: ['FR'] }, 0],
      [{ radio: ['5G'] }, 1],
      [{ radio: ['unknown', '4G'] }, 4],
      [{ apn: ['IoT'] }, 2],
      [{ session: `${pump.iccid}-1` }, 0],
      [{ source: ['file'] }, 5],
      [{ source: ['radius'] }, 0],
      [{ country: ['DE'], radio: ['4G'], apn: ['iot'], source: ['file'], identifiers: [pump.iccid] }, 2],
      [{ country: ['DE'], identifiers: [foreign.iccid] }, 0],
    ];
    for (const [filter, count] of filters) {
      const { data, total_count } = await listed(filter);
      expect([filter, data.length, total_count]).toEqual([filter, count, count]);
      expect([filter, (await summed({ ...november, ...filter })).total.records]).toEqual([filter, count]);
    }
  });

  it('of one SIM has only its records', async () => {
    const { body } = await user.call(cdr.listOfSim, {
      params: { iccid: pump.iccid },
      query: { radio: '4G' },
    });
    expect(endsOf(body.data)).toEqual(['19T11:00', '19T10:00']);
    const elsewhere = await user.call(cdr.listOfSim, { params: { iccid: foreign.iccid }, query: {} });
    expect([elsewhere.http, elsewhere.body.status.code]).toEqual([404, 'CB-01-0001']);
  });

  it('is restricted to the caller’s organisation', async () => {
    const responses = [
      await stranger.call(cdr.list, { params, body: {} }),
      await stranger.call(cdr.sums, { params, body: {} }),
      await stranger.call(cdr.exportAll, { params: { ...params, format: 'csv' }, body: { filter: {} } }),
    ];
    for (const { http, body } of responses) expect([http, body.status.code]).toEqual([404, 'CB-07-0029']);
  });

  it('refuses a span of more than 31 natural days, and keys that it does not know', async () => {
    const { http, body } = await user.call(cdr.list, {
      params,
      body: { from: '2026-10-01T23:59:59Z', to: '2026-11-01T00:00:01Z' },
    });
    expect(http).toBe(400);
    expect(body.status.detail?.issues).toMatchObject([
      { path: 'to', key: 'spanTooLong', message: 'The time span must not exceed 31 natural days' },
    ]);
    // Without an end, it extends to now.
    const open = { from: '2026-10-21T23:59:59Z' };
    const all = { params: { ...params, format: 'csv' as const }, body: { filter: open } };
    for (const [response, path] of [
      [await user.call(cdr.list, { params, body: open }), 'from'],
      [await user.call(cdr.listOfSim, { params: { iccid: pump.iccid }, query: open }), 'from'],
      [await user.call(cdr.sums, { params, body: open }), 'from'],
      [await user.call(cdr.sumsOfSim, { params: { ...params, iccid: pump.iccid }, query: open }), 'from'],
      [await user.call(cdr.listCells, { query: open }), 'from'],
      [await user.call(cdr.exportAll, all), 'filter.from'],
    ] as const) {
      const { issues } = response.body.status.detail ?? {};
      expect([response.http, issues]).toMatchObject([
        400,
        [{ path, key: 'spanTooLong', values: { max: 31 } }],
      ]);
    }
    for (const from of ['2026-10-22T00:00:00Z', '2027-01-01T00:00:00Z']) {
      const { http, body: found } = await user.call(cdr.sums, { params, body: { from } });
      expect([http, found.data.total.records]).toEqual([200, from < '2027' ? 5 : 0]);
    }
    const whole = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' };
    expect((await user.call(cdr.list, { params, body: whole })).http).toBe(200);
    const unknown = await user.call(cdr.sums, { params, body: { ...whole, countries: ['DE'] } as SumsBody });
    expect(unknown.body.status.detail?.issues).toMatchObject([{ path: 'countries', key: 'unknownField' }]);
  });
});

describe('one CDR', () => {
  it('shows its position in its session, and how it was counted', async () => {
    const { pool } = test.database;
    await pool.query(`insert into cells (cell, latitude, longitude) values ('C2', 52.5, 13.4)`);
    await pool.query(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, activated_at, expires_at)
       values ($1, (select org_id from sims where id = $1), $2, 'expired', '2026-11-19T10:30:00Z', '2026-11-20T09:30:00Z')`,
      [pump.id, await makeBundle(pool, { code: 'FLEET' })],
    );
    const { data } = await listed();
    expect(data.map(({ bundle }) => bundle)).toEqual([null, null, null, 'FLEET bundle', null]);
    const [, , , second] = data;
    const { body } = await user.call(cdr.detail, { params: { recordId: second?.id ?? '' } });
    expect(body.data).toMatchObject({
      ...second,
      network_side: {
        session_id: null,
        update: 2,
        updates: 2,
        seconds_after: 3600,
        place: { latitude: 52.5, longitude: 13.4 },
      },
      counted: {
        order: { bundle_name: 'FLEET bundle' },
        cycle: {
          started_at: '2026-10-31T16:00:00.000Z',
          ends_at: '2026-11-30T16:00:00.000Z',
          provisional: true,
        },
        used_after_bytes: 6,
      },
      rated: null,
    });
    const foreigner = await stranger.call(cdr.detail, { params: { recordId: second?.id ?? '' } });
    expect([foreigner.http, foreigner.body.status.code]).toEqual([404, 'CB-01-0031']);
  });
});

describe('the sums of CDRs', () => {
  it('match the rows, in total and in groups', async () => {
    const sums = await summed({ ...november, group_by: ['day', 'country', 'operator', 'radio', 'sim'] });
    expect(sums.total).toEqual({ records: 5, up_bytes: 104, down_bytes: 58, sims: 2, sessions: 2 });
    expect(sums.provisional).toEqual({ records: 3, up_bytes: 102, down_bytes: 54 });
    expect(sums.groups.country).toMatchObject([
      { key: 'DE', records: 3, sims: 2, sessions: 1 },
      { key: 'FR', records: 1 },
      { key: 'ZZ', records: 1 },
    ]);
    expect(sums.groups.operator?.map(({ key }) => key)).toEqual(['262-02', '000-00', '208-01']);
    expect(sums.groups.radio?.map(({ key, records }) => [key, records])).toEqual([
      ['4G', 3],
      ['5G', 1],
      ['unknown', 1],
    ]);
    expect(sums.groups.sim?.map(({ key, name }) => [key, name])).toEqual([
      [meter.iccid, null],
      [pump.iccid, 'Pump'],
    ]);
    expect(sums.groups.day).toHaveLength(21);
    expect(sums.groups.day?.slice(18).map(({ key, records }) => [key, records])).toEqual([
      ['2026-11-19', 2],
      ['2026-11-20', 2],
      ['2026-11-21', 1],
    ]);
  });

  it('include those of the previous period', async () => {
    const early = { from: '1000-01-01T00:00:00Z', to: '1000-01-02T00:00:00Z', before: true };
    expectFailure(await user.call(cdr.sums, { params, body: early }), 'CB-00-0400');
    const days = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
    const { before, groups } = await summed({ ...days, before: true, group_by: ['day', 'hour'] });
    expect(before).toMatchObject({ from: '2026-11-19T00:00:00.000Z', total: { records: 2, sims: 1 } });
    expect(groups.day).toMatchObject([{ key: '2026-11-20', records: 2, before: { records: 2 } }]);
    expect(groups.hour?.[10]).toMatchObject({ before: { records: 1 } });
  });

  it('of one SIM include only its own records', async () => {
    const { body } = await user.call(cdr.sumsOfSim, {
      params: { ...params, iccid: meter.iccid },
      query: november,
    });
    expect(body.data.total).toMatchObject({ records: 2, up_bytes: 101, sims: 1, sessions: 0 });
  });
});

describe('the place of records', () => {
  it('is named by country, operator and cell', async () => {
    const countries = await user.call(cdr.listCountries, {});
    expect(countries.body.data.map(({ country }) => country)).toEqual(['DE', 'FR', 'ZZ']);
    const operators = await user.call(cdr.listOperators, {});
    expect(operators.body.data.map(({ operator }) => operator)).toEqual(['000-00', '208-01', '262-02']);
    const cells = await user.call(cdr.listCells, { query: { iccid: pump.iccid } });
    expect(cells.body.data).toMatchObject([
      { cell: 'C1', records: 1, sims: 1, latitude: null },
      { cell: 'C2', last_seen_at: '2026-11-19T11:00:00.000Z' },
    ]);
  });
});

describe('an export of CDRs', () => {
  const downloadFile = async (reference: string) => {
    await runJobs(test.database, test.wiring.jobs);
    const { body } = await user.call(task.getMine, { params: { taskReference: reference } });
    const { rows } = await test.database.pool.query<{ content: Buffer }>(
      'select content from task_files where task_id = $1 order by part',
      [Number(reference.slice(1))],
    );
    return { task: body.data, content: Buffer.concat(rows.map(({ content }) => content)) };
  };
  const csv = { ...params, format: 'csv' } as const;
  const headers = { 'accept-language': 'es-ES', [names.timeZone]: 'Europe/Madrid' };

  it('has the matching records, in the chosen columns and the person’s time zone', async () => {
    await test.database.pool.query(`update sims set device_name = '=1+1' where id = $1`, [pump.id]);
    const body = {
      filter: { identifiers: [pump.iccid] },
      columns: ['device_name', 'ended_at', 'plmn'] as const,
    };
    const ordered = await user.call(
      cdr.exportAll,
      { params: csv, body: { ...body, columns: [...body.columns] } },
      { headers },
    );
    // Records that arrive after the order are not in its file.
    await importRecords(test, [{ iccid: pump.iccid, ended_at: '2026-11-21T12:00:30Z' }]);
    const { task: done, content } = await downloadFile(ordered.body.data.reference_id);
    expect(done).toMatchObject({ type: 'cdr-export', status: 'done', quantity: 3 });
    expect(done.report?.file_name).toBe('cdrs-2026-11-21.csv');
    const [heading, ...rows] = parse(content, { bom: true }) as string[][];
    expect(heading).toEqual(['Fin (Europe/Madrid)', 'Nombre del dispositivo', 'MCC-MNC']);
    expect(rows).toEqual([
      ['2026-11-20 10:30:00', "'=1+1", '208-01'],
      ['2026-11-19 12:00:00', "'=1+1", '262-02'],
      ['2026-11-19 11:00:00', "'=1+1", '262-02'],
    ]);
  });

  it('matches the list in every column, as text and as a workbook', async () => {
    const filter = { to: november.to };
    const shown = (await listed(filter)).data.map((row) => [
      row.iccid,
      row.network?.country ?? '',
      row.network ? `${row.network.mcc}-${row.network.mnc}` : '',
      row.radio ?? '',
      row.cell ?? '',
      row.apn ?? '',
      row.bundle ?? '',
      row.session ?? '',
      String(row.up_bytes),
      String(row.total_bytes),
    ]);
    const columnNames = ['iccid', 'country', 'plmn', 'radio', 'cell', 'apn', 'bundle', 'session'] as const;
    const columns = [...columnNames, 'up_bytes' as const, 'total_bytes' as const];
    for (const format of ['csv', 'xlsx'] as const) {
      const ordered = await user.call(cdr.exportAll, {
        params: { ...params, format },
        body: { filter, columns },
      });
      const { content } = await downloadFile(ordered.body.data.reference_id);
      const [, ...rows] = await readTable({ name: `all.${format}`, content }, { maxRows: 10 });
      expect(rows).toEqual(shown);
    }
  });

  it('has those of the chosen records that belong to the organisation', async () => {
    const foreigners = await stranger.call(cdr.list, { params: { partnerCode: 'other' }, body: {} });
    const columnNames = [...(await listed({ radio: ['5G'] })).data, ...foreigners.body.data].map(
      ({ id }) => id,
    );
    expect(columnNames).toHaveLength(2);
    const body = { records: columnNames, columns: ['iccid' as const] };
    const { content } = await downloadFile(
      (await user.call(cdr.exportSelected, { params: csv, body })).body.data.reference_id,
    );
    expect(parse(content, { bom: true })).toEqual([['ICCID'], [pump.iccid]]);
  });

  it.each([
    ['sim', 2, 'cdrs-by-sim-2026-11-21.xlsx'],
    ['day_operator', 4, 'cdrs-by-day-and-operator-2026-11-21.xlsx'],
  ] as const)('can be of sums by %s', async (rows, count, name) => {
    const body = { filter: { source: ['file' as const], to: november.to }, rows };
    const { data } = (await user.call(cdr.exportAll, { params: { ...params, format: 'xlsx' }, body })).body;
    expect(data.quantity).toBe(count);
    const { task: done, content } = await downloadFile(data.reference_id);
    expect(done.report?.file_name).toBe(name);
    const [heading = [], ...cells] = await readTable({ name: 'sums.xlsx', content }, { maxRows: 10 });
    expect(cells).toHaveLength(count);
    const records = cells.map((row) => Number(row[heading.indexOf('Records')]));
    expect(records.reduce((sum, one) => sum + one, 0)).toBe(5);
  });

  it('of more than 100,000 records is refused, naming the fields that can be narrowed', async () => {
    await test.database.pool.query(
      `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, up_bytes, down_bytes, source, apn, session_key)
       select $1, '2026-11-05', n, '2026-11-05', org_id, 1, 1, 1, 'many', n / 2 from sims, generate_series(1, 100001) n
       where id = $1`,
      [meter.id],
    );
    const filter = { apn: ['many'], from: '2026-11-05T00:00:00Z', to: '2026-11-06T00:00:00Z' };
    const { http, body } = await user.call(cdr.exportAll, { params: csv, body: { filter } });
    expect([http, body.status.code]).toEqual([409, 'CB-09-0011']);
    expect(body.status.detail?.issues?.map(({ path, message }) => [path, message])).toEqual(
      ['from', 'identifiers', 'country', 'operator', 'radio'].map((name) => [
        `filter.${name}`,
        'Narrow this filter to find fewer items',
      ]),
    );
    // Their sums are read in pieces.
    const counted = { records: 100_001, up_bytes: 100_001, down_bytes: 100_001, sims: 1, sessions: 50_001 };
    const { total, groups } = await summed({ ...filter, group_by: ['day', 'hour'] });
    expect([total, groups.hour?.find(({ records }) => records > 0)]).toMatchObject([counted, counted]);
    await test.database.pool.query(`delete from cdrs where apn = 'many'`);
  });

  it('of nothing is refused', async () => {
    const { http, body } = await user.call(cdr.exportAll, {
      params: csv,
      body: { filter: { apn: ['none'] } },
    });
    expect([http, body.status.code]).toEqual([409, 'CB-09-0010']);
  });
});
