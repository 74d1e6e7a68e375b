import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { importRecords } from '../../testing/cdrs.ts';
import { makeSim } from '../../testing/inventory.ts';
import { refreshHeatmap } from './heatmap.service.ts';

const day = '2026-11-18';
let server: TestApp;
let client: TestClient;

beforeAll(async () => {
  server = await testApp();
  const { pool } = server.database;
  const org = await makeOrganisation(server, { code: 'mapped' });
  client = await signedInAs(server, 'user', org);
  const german = { mcc: '262', mnc: '02', rat: '4G' };
  for (const sim of [await makeSim(pool, org.id), await makeSim(pool, org.id)]) {
    await importRecords(
      server,
      ['first', 'first', 'second', '', '', ''].map((session_id, minute) => ({
        iccid: sim.iccid,
        session_id,
        ended_at: `2026-11-18T03:0${minute}:00Z`,
        ...german,
      })),
    );
  }
  await refreshHeatmap({ pool, clock: server.clock, signal: new AbortController().signal });
});
afterAll(() => server.close());

test('sessions of a day are those of its usage records: each belongs to one SIM, and a record without a session adds none', async () => {
  const query = { from: day, to: day, metric: 'sessions' } as const;
  const { total, countries } = (await client.call(endpoints.heatmap.figures, { query })).body.data;
  const span = { from: dashboardDays.startOf(day).toISOString(), to: dashboardDays.endOf(day).toISOString() };
  const params = { partnerCode: 'mapped' };
  const records = (await client.call(endpoints.cdr.sums, { params, body: span })).body.data.total;
  expect([records.records, records.sessions]).toEqual([12, 4]);
  expect([total.sessions, countries.map(({ sessions }) => sessions)]).toEqual([4, [4]]);
  const world = { west: '-180', south: '-90', east: '180', north: '90' };
  const hexagons = (await client.call(endpoints.heatmap.hexagons, { query: { ...query, ...world } })).body
    .data;
  expect([hexagons.total, hexagons.unplaced]).toEqual([4, 4]);
});
