import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { importRecords } from '../../testing/cdrs.ts';
import { makeSim } from '../../testing/inventory.ts';
import { refreshHeatmap } from './heatmap.service.ts';

const calls = endpoints.heatmap;
const day = '2026-11-18';
const unknown = { from: day, to: day, country: 'ZZ' };
let server: TestApp;
let client: TestClient;

beforeAll(async () => {
  server = await testApp();
  const { pool } = server.database;
  const org = await makeOrganisation(server, { code: 'mapped' });
  client = await signedInAs(server, 'user', org);
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values (262002, '262', '02', 'Vodafone', 'DE')
     on conflict (plmn) do update set country = excluded.country`,
  );
  const { iccid } = await makeSim(pool, org.id);
  const record = (minute: number, more: object) => ({
    iccid,
    session_id: `s${minute}`,
    ended_at: `${day}T03:0${minute}:00Z`,
    rat: '4G',
    down_bytes: 1000,
    ...more,
  });
  await importRecords(server, [
    record(1, { mcc: '262', mnc: '02', cell: '262-02-1' }),
    record(2, { mcc: '', mnc: '' }),
    record(3, { mcc: '999', mnc: '99', cell: '999-99-7' }),
    record(4, { mcc: '310', mnc: '260', cell: '310-260-8', rat: 'other' }),
  ]);
  await refreshHeatmap({ pool, clock: server.clock, signal: new AbortController().signal });
});
afterAll(() => server.close());

test.each(['usage', 'sims', 'sessions'] as const)(
  '%s of no known country are found by ZZ',
  async (metric) => {
    const all = (await client.call(calls.figures, { query: { from: day, to: day, metric } })).body.data;
    const { total, countries } = (await client.call(calls.figures, { query: { ...unknown, metric } })).body
      .data;
    const without = all.countries.filter(({ country }) => country === null);
    expect(countries).toEqual(without);
    expect([total.usage, total.sims, total.sessions, total.cells]).toEqual([
      ...without.map(({ usage }) => usage),
      ...[1, 3, 2],
    ]);
  },
);

test('hexagons of the unknown country contain only networks without a country', async () => {
  const world = { west: '-180', south: '-90', east: '180', north: '90' };
  const { body } = await client.call(calls.hexagons, { query: { ...unknown, ...world } });
  const { body: figures } = await client.call(calls.figures, { query: unknown });
  expect([body.data.total, body.data.unplaced]).toEqual([figures.data.total.usage, figures.data.total.usage]);
});

test('cells of the unknown country are listed, even if their network is unlisted', async () => {
  const { body } = await client.call(calls.cells, { query: unknown });
  expect(body.data.cells).toMatchObject([
    { cell: '310-260-8', mcc: '310', mnc: '260', operator: null, sims: 1 },
    { cell: '999-99-7', mcc: '999', mnc: '99', operator: null, sims: 1 },
  ]);
  const own = await client.call(calls.cells, { query: { ...unknown, network: '310-260' } });
  expect(own.body.data.cells.map(({ cell }) => cell)).toEqual(['310-260-8']);
  const german = await client.call(calls.cells, { query: { ...unknown, country: 'DE' } });
  expect(german.body.data.cells.map(({ cell }) => cell)).toEqual(['262-02-1']);
});

test('a file of cells has the radio type “other” in the language of the person', async () => {
  const file = await server.app.inject({
    url: `${calls.cellsFile.path}?${new URLSearchParams(unknown)}`,
    headers: { ...client.headers, 'accept-language': 'es-ES' },
  });
  expect(file.body).toContain('310-260,Otro,1001');
});
