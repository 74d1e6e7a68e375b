import { endpoints } from '@simcube/contract';
import type { HeatmapMetric } from '@simcube/contract/heatmap';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { importRecords } from '../../testing/cdrs.ts';
import { makeSim } from '../../testing/inventory.ts';
import { refreshHeatmap } from './heatmap.service.ts';

let server: TestApp;
let client: TestClient;
let orgId = 0;
let iccids: string[] = [];
const { figures, hexagons } = endpoints.heatmap;
const world = { west: '-180', south: '-90', east: '180', north: '90' };
const query = (metric: HeatmapMetric) => ({ from: '2026-11-18', to: '2026-11-20', metric });
const figuresOf = async (metric: HeatmapMetric) =>
  (await client.call(figures, { query: query(metric) })).body;
const refresh = () =>
  refreshHeatmap({ pool: server.database.pool, clock: server.clock, signal: new AbortController().signal });

/** Two SIMs with 100 bytes each on the 18th and 19th, one on the 20th (UTC+8). */
beforeAll(async () => {
  server = await testApp();
  const { pool } = server.database;
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values (262002, '262', '02', 'Vodafone', 'DE')`,
  );
  const org = await makeOrganisation(server, { code: 'mapped' });
  orgId = org.id;
  client = await signedInAs(server, 'user', org);
  iccids = [(await makeSim(pool, org.id)).iccid, (await makeSim(pool, org.id)).iccid];
  await use(['18', '19'], iccids);
  await use(['20'], iccids.slice(0, 1));
  await refresh();
});
afterAll(() => server.close());

const use = (days: readonly string[], of: readonly string[], time = '03:00') =>
  importRecords(
    server,
    days.flatMap((day) =>
      of.map((iccid) => ({
        iccid,
        session_id: `s${day}`,
        ended_at: `2026-11-${day}T${time}:00Z`,
        up_bytes: 100,
        down_bytes: 0,
        mcc: '262',
        mnc: '02',
        rat: '4G',
      })),
    ),
  );

const forget = async (day: string) => {
  const { pool } = server.database;
  for (const table of ['heatmap_days', 'heatmap_counts', 'heatmap_hexagons'])
    await pool.query(`delete from ${table} where org_id = $1 and day_on = $2`, [orgId, day]);
};

test('a day that is not counted is named and has no SIMs and sessions, and the others are averaged', async () => {
  expect((await figuresOf('sims')).data).toMatchObject({ uncounted_days: [], days: [2, 2, 1] });
  await forget('2026-11-18');
  const { data, as_of } = await figuresOf('sims');
  expect(data).toMatchObject({
    uncounted_days: ['2026-11-18'],
    days: [null, 2, 1],
    total: { usage: 500, sims: 2, sessions: 3, compared: 2 },
    countries: [{ country: 'DE', sims: 2, sessions: 3, days: [null, 2, 1] }],
  });
  // Its business day begins at 16:00 UTC.
  expect(as_of).toBe('2026-11-17T16:00:00.000Z');
  expect((await figuresOf('sessions')).data.total).toMatchObject({ sessions: 3, compared: null });
  expect((await figuresOf('usage')).data).toMatchObject({ days: [200, 200, 100], total: { compared: 500 } });
});

test('hexagons and usage without a known location add up to the usage of the period, including days that are not counted', async () => {
  const hexagonsOf = async (metric: HeatmapMetric) =>
    (await client.call(hexagons, { query: { ...query(metric), ...world } })).body.data;
  expect(await hexagonsOf('usage')).toMatchObject({ hexagons: [], total: 500, unplaced: 500 });
  expect(await hexagonsOf('sims')).toMatchObject({ total: 2, unplaced: 2 });
});

test('a day that cannot be computed does not stop the others; the error is thrown at the end', async () => {
  const { pool } = server.database;
  await forget('2026-11-20');
  await pool.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`,
  );
  await pool.query(`create trigger refuse before insert on heatmap_days for each row
    when (new.day_on = '2026-11-20') execute function refuse()`);
  await expect(refresh()).rejects.toThrow('refused');
  expect((await figuresOf('sims')).data.uncounted_days).toEqual(['2026-11-20']);
  await pool.query('drop trigger refuse on heatmap_days');
  await refresh();
  expect((await figuresOf('sims')).data).toMatchObject({ uncounted_days: [], days: [2, 2, 1] });
});

test('a day is not fresh while rollups contain more records than it was computed from', async () => {
  const { pool } = server.database;
  // On a cluster, an organisation's rollups are committed before its records.
  await pool.query(
    `update org_usage_daily set records = records + 1 where org_id = $1 and day_on = '2026-11-19'`,
    [orgId],
  );
  server.clock.advance(60_000);
  const computedAt = server.clock.now().toISOString();
  await refresh();
  server.clock.advance(60_000);
  expect((await figuresOf('sims')).as_of).toBe(computedAt);
});
