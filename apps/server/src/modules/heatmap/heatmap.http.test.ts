import { Readable } from 'node:stream';
import { endpoints } from '@simcube/contract';
import type { HeatmapMetric, Hexagons } from '@simcube/contract/heatmap';
import { radioTypes } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import { latLngToCell } from 'h3-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { sourceOf } from '../../testing/usage-records.ts';
import { importCells } from '../place/index.ts';
import { addToPools } from '../pool/index.ts';
import { createUpcomingPartitions, importCdrs } from '../usage/index.ts';
import { refreshHeatmap } from './heatmap.service.ts';

// The app's clock is at 2026-11-21 12:00 UTC, which is 20:00 in UTC+8.
let server: TestApp;
let client: TestClient;
let stranger: TestClient;
const calls = endpoints.heatmap;

interface TestRecord {
  iccid: string;
  org: number;
  at: number;
  bytes: number;
  mnc: string;
  mcc: string;
  radio: number;
  cell: string;
  session: string;
}
const records: TestRecord[] = [];
const places = [
  { cell: '262-02-1', latitude: 52.52, longitude: 13.4, name: 'Berlin' },
  { cell: '262-02-2', latitude: 52.53, longitude: 13.42, name: 'Berlin' },
  { cell: '262-02-3', latitude: 48.14, longitude: 11.58, name: 'Munich' },
  { cell: '208-01-4', latitude: 48.86, longitude: 2.35, name: 'Paris' },
  { cell: '530-01-5', latitude: -16.8, longitude: 179.99, name: 'Fiji, at the date line' },
] as const;
const cells = [...places.map(({ cell }) => cell), '262-02-999', ''];
const sims: { iccid: string; id: number; org: number }[] = [];
const refresh = () =>
  refreshHeatmap({ pool: server.database.pool, clock: server.clock, signal: new AbortController().signal });

/** Usage around the turns of days, in several networks and cells, some of it in the previous month. */
const make = (from: number, count: number): TestRecord[] =>
  Array.from({ length: count }, (_, number) => {
    const index = from + number;
    const sim = sims[index % sims.length] ?? { iccid: '', org: 0 };
    const cell = cells[(index * 5) % cells.length] ?? '';
    const [mcc = '262', mnc = '02'] = cell === '' ? [] : cell.split('-');
    return {
      iccid: sim.iccid,
      org: sim.org,
      at: Date.parse('2026-11-21T11:59:00Z') - ((index * 7919) % 1200) * hourMs - (index % 3) * 60_000,
      bytes: 1 + index * 1000,
      mcc,
      mnc,
      radio: 3 + (index % 2),
      cell,
      session: `s${index % 40}`,
    };
  });
const textOf = (made: readonly TestRecord[]) =>
  [
    'identifier,record_id,session_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat,cell',
    ...made.map(
      ({ iccid, at, bytes, mcc, mnc, radio, cell, session }) =>
        `${iccid},${session}-${at}-${bytes},${session},${new Date(at).toISOString()},1,${bytes - 1},${mcc},${mnc},${radioTypes[radio - 1]},${cell}`,
    ),
  ].join('\n');
const importRecords = async (made: readonly TestRecord[]) => {
  const { pool } = server.database;
  const report = await importCdrs({
    countForPools: addToPools,
    pool,
    clock: server.clock,
    source: sourceOf(`${textOf(made)}\n`, 4096),
  });
  expect([report.refused]).toEqual([0]);
};
const dayOf = ({ at }: TestRecord) => dashboardDays.dayOf(new Date(at));
const mine = () => records.filter(({ org }) => org === client.orgId);
const sum = (made: readonly TestRecord[]) => made.reduce((all, { bytes }) => all + bytes, 0);
const distinct = (made: readonly TestRecord[], key: (one: TestRecord) => string) =>
  new Set(made.map(key)).size;
const period = { from: '2026-11-01', to: '2026-11-21' };
const inPeriod = ({ from, to } = period) => mine().filter((one) => dayOf(one) >= from && dayOf(one) <= to);
const everywhere = { west: '-180', south: '-90', east: '180', north: '90' };
const shownIn = ({ hexagons }: Hexagons) => hexagons.reduce((all, one) => all + one[6], 0);

beforeAll(async () => {
  server = await testApp();
  const { pool } = server.database;
  await createUpcomingPartitions(pool, server.clock.now());
  await createUpcomingPartitions(pool, new Date('2026-09-15T00:00:00Z'));
  client = await signedInAs(server, 'user', await makeOrganisation(server, { code: 'mapped' }));
  stranger = await signedInAs(server, 'admin', await makeOrganisation(server, { code: 'others' }));
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values (262002, '262', '02', 'Vodafone', 'DE'),
       (208001, '208', '01', 'Orange', 'FR'), (530001, '530', '01', 'Vodafone Fiji', 'FJ')
     on conflict (plmn) do update set country = excluded.country, operator = excluded.operator`,
  );
  for (let index = 0; index < 7; index += 1) {
    const org = index === 6 ? stranger.orgId : client.orgId;
    const { id, iccid } = await makeSim(pool, org, {});
    sims.push({ id, iccid, org });
  }
  records.push(...make(0, 400));
  await importRecords(records);
  await refresh();
});
afterAll(() => server.close());

describe.each<HeatmapMetric>(['usage', 'sims', 'sessions'])('the heatmap of %s', (metric) => {
  const getHeatmap = async (query = {}) =>
    (await client.call(calls.figures, { query: { ...period, metric, ...query } })).body.data;
  /** The figure, computed directly from the records. */
  const plain = (made: readonly TestRecord[], days: number) => {
    if (metric === 'usage') return sum(made);
    if (metric === 'sessions') return distinct(made, (one) => `${dayOf(one)} ${one.session} ${one.iccid}`);
    const daily = distinct(made, (one) => `${dayOf(one)} ${one.iccid}`);
    return daily === 0 ? 0 : Math.max(1, Math.round(daily / days));
  };

  test('matches the records, in total and by day, and those of the same days of the previous month', async () => {
    const { total, days, compared, before } = await getHeatmap();
    // The 21st is still running.
    expect(compared).toEqual({ from: '2026-11-01', to: '2026-11-20' });
    expect(before).toEqual({ from: '2026-10-01', to: '2026-10-20' });
    expect(total[metric]).toBe(plain(inPeriod(), 21));
    expect([total.compared, total.before]).toEqual([
      plain(inPeriod(compared ?? before), 20),
      plain(inPeriod(before), 20),
    ]);
    expect(days).toHaveLength(21);
    expect(days[3]).toBe(plain(inPeriod({ from: '2026-11-04', to: '2026-11-04' }), 1));
  });

  test('matches the records by country and operator, including those without a cell', async () => {
    const { countries, operators } = await getHeatmap();
    for (const [country, mcc] of [
      ['DE', '262'],
      ['FR', '208'],
      ['FJ', '530'],
    ] as const) {
      const own = inPeriod().filter((one) => one.mcc === mcc);
      const found = countries.find((one) => one.country === country);
      expect(found?.[metric]).toBe(plain(own, 21));
      expect(operators.find((one) => one.mcc === mcc)?.[metric]).toBe(plain(own, 21));
    }
    expect(countries.map((one) => one[metric])).toEqual(
      countries.map((one) => one[metric]).toSorted((a, b) => b - a),
    );
  });

  test.each([
    [{ country: 'DE' }, (one: TestRecord) => one.mcc === '262'],
    [{ network: '208-01' }, (one: TestRecord) => one.mcc === '208'],
    [{ radio: '4G' }, (one: TestRecord) => one.radio === 3],
    [{ country: 'DE', radio: 'NB-IoT' }, (one: TestRecord) => one.mcc === '262' && one.radio === 5],
    [{ country: 'FR', network: '262-02' }, () => false],
  ])('filtered by %j is that of those records', async (filter, isMeant) => {
    const { total, countries } = await getHeatmap(filter);
    const own = inPeriod().filter(isMeant);
    expect(total[metric]).toBe(plain(own, 21));
    expect(countries.length).toBe(distinct(own, ({ mcc }) => mcc));
  });
});

type HeatmapFilter = Partial<Record<'from' | 'to' | 'country' | 'network', string>> & { radio?: '4G' | '5G' };

test.each<[HeatmapFilter, (one: TestRecord) => boolean]>([
  [{}, () => true],
  [{ country: 'DE' }, (one) => one.mcc === '262'],
  [{ radio: '4G' }, (one) => one.radio === 3],
  [{ network: '262-02', radio: '5G' }, (one) => one.mcc === '262' && one.radio === 4],
  [{ from: '2026-10-30', to: '2026-11-02' }, () => true],
  [{ from: '2026-11-18', to: '2026-11-18' }, () => true],
])('cells seen, asked by %j, are those of the records, each once', async (conditions, isMeant) => {
  const query = { ...period, ...conditions };
  const { total, countries } = (await client.call(calls.figures, { query })).body.data;
  const own = inPeriod(query).filter((one: TestRecord) => one.cell !== '' && isMeant(one));
  expect(own.length).toBeGreaterThan(0);
  expect(total.cells).toBe(distinct(own, ({ cell }) => cell));
  for (const { country, cells } of countries) {
    const mcc = { DE: '262', FR: '208', FJ: '530' }[country ?? ''];
    expect(cells).toBe(
      distinct(
        own.filter((one) => one.mcc === mcc),
        ({ cell }) => cell,
      ),
    );
  }
});

describe('cells of a country', () => {
  const getHeatmap = async (query = {}) =>
    (await client.call(calls.cells, { query: { ...period, country: 'DE', ...query } })).body.data;
  /** Computed from the records, most usage first. */
  const plain = (made: readonly TestRecord[]) =>
    [...new Set(made.map(({ cell }) => cell))]
      .map((cell) => ({ cell, own: made.filter((one) => one.cell === cell) }))
      .map(({ cell, own }) => ({
        cell,
        usage: sum(own),
        sims: distinct(own, ({ iccid }) => iccid),
        radios: [...new Set(own.map(({ radio }) => radio))].sort().map((radio) => radioTypes[radio - 1]),
        last_seen_at: new Date(Math.max(...own.map(({ at }) => at))).toISOString(),
      }))
      .sort((a, b) => b.usage - a.usage);

  test.each<[HeatmapFilter, (one: TestRecord) => boolean]>([
    [{}, ({ mcc }) => mcc === '262'],
    [{ country: 'FR' }, ({ mcc }) => mcc === '208'],
    [{ radio: '5G' }, ({ mcc, radio }) => mcc === '262' && radio === 4],
    [{ network: '262-02', from: '2026-11-18', to: '2026-11-20' }, ({ mcc }) => mcc === '262'],
  ])('asked by %j are those of the records, and as many as were seen', async (conditions, isMeant) => {
    const own = inPeriod({ ...period, ...conditions }).filter((one) => one.cell !== '' && isMeant(one));
    const { cells: found, total: count } = await getHeatmap(conditions);
    expect(found).toMatchObject(plain(own));
    expect(count).toBe(plain(own).length);
    const query = { ...period, country: 'DE', ...conditions };
    expect((await client.call(calls.figures, { query })).body.data.total.cells).toBe(count);
  });

  test('are exported as a file with the same rows, without those of other organisations', async () => {
    const { cells: found } = await getHeatmap();
    const query = new URLSearchParams({ ...period, country: 'DE' });
    const file = await server.app.inject({
      url: `${calls.cellsFile.path}?${query}`,
      headers: client.headers,
    });
    const lines = file.body.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).toEqual(found.map(({ cell }) => cell));
    const { body } = await stranger.call(calls.cells, { query: { ...period, country: 'FJ' } });
    const theirs = records.filter(({ org, mcc, cell }) => org === stranger.orgId && mcc === '530' && cell);
    expect(body.data.cells.reduce((all, { usage }) => all + usage, 0)).toBe(
      sum(theirs.filter((one) => dayOf(one) >= period.from && dayOf(one) <= period.to)),
    );
    const none = await client.call(calls.cells, { query: { ...period, country: 'JP' } });
    expect(none.body.data).toEqual({ cells: [], total: 0 });
  });

  test('have a nearest town once their location is known', async () => {
    const { pool } = server.database;
    const file = () => Readable.from(['cell,lat,lon,name\n262-02-1,53.55,9.99,"Harbour"\n']);
    const placeOf = async () => (await getHeatmap()).cells.find(({ cell }) => cell === '262-02-1');
    expect(await placeOf()).toMatchObject({ latitude: null, longitude: null, town: null });
    await importCells({ pool, file: file(), onRefused: ({ reason }) => expect(reason).toBe('') });
    expect(await placeOf()).toMatchObject({ latitude: 53.55, longitude: 9.99, town: 'Hamburg' });
    await pool.query('delete from cells');
  });
});

describe('hexagons', () => {
  const getHeatmap = async (query = {}) =>
    (await client.call(calls.hexagons, { query: { ...period, ...everywhere, ...query } })).body.data;

  test('and usage without a known location add up to the total, at any zoom', async () => {
    const unplaced = sum(inPeriod());
    expect(await getHeatmap()).toMatchObject({ hexagons: [], total: unplaced, unplaced });
    const lines = places.map(
      ({ cell, latitude, longitude, name }) => `${cell},${latitude},${longitude},"${name}"`,
    );
    await importCells({
      pool: server.database.pool,
      file: Readable.from([`cell,lat,lon,name\n${lines.join('\n')}\n`]),
      onRefused: ({ reason }) => expect(reason).toBe(''),
    });
    for (const consumer of server.wiring.consumers.filter(({ name }) => name === 'heatmap.forget-places')) {
      const tx = await server.database.pool.connect();
      await consumer.handle(tx, {
        topic: 'place.cells-imported',
        orgId: null,
        payload: { cells: 5 },
        createdAt: server.clock.now(),
      });
      tx.release();
    }
    // They were just computed, and are not computed again for ten times as long as that took.
    await refresh();
    expect(await getHeatmap()).toMatchObject({ hexagons: [] });
    server.clock.advance(60_000);
    await refresh();
    const world = await getHeatmap();
    const known = inPeriod().filter(({ cell }) => places.some((place) => place.cell === cell));
    expect(world.resolution).toBe(2);
    expect(shownIn(world)).toBe(sum(known));
    expect([world.total, world.unplaced]).toEqual([sum(inPeriod()), sum(inPeriod()) - sum(known)]);
    const near = await getHeatmap({ west: '5', south: '45', east: '16', north: '55' });
    expect(near.resolution).toBe(5);
    expect(shownIn(near)).toBe(sum(known.filter(({ cell }) => cell.startsWith('262'))));
  });

  test('cross the date line', async () => {
    const { hexagons } = await getHeatmap({ west: '170', south: '-30', east: '-170', north: '0' });
    expect(hexagons).toHaveLength(1);
    const [longitude = 0, latitude = 0] = hexagons[0] ?? [];
    expect(latLngToCell(latitude / 1000, longitude / 1000, 4)).toBe(latLngToCell(-16.8, 179.99, 4));
  });

  test('of SIMs and sessions count each once a day, wherever in the hexagon it was', async () => {
    const from = '2026-11-17';
    const world = await getHeatmap({ from, to: from, metric: 'sims' });
    const inWorld = inPeriod({ from, to: from }).filter(({ cell }) =>
      places.some((place) => place.cell === cell),
    );
    const byHexagon = new Set(
      inWorld.map(({ cell, iccid }) => {
        const place = places.find((one) => one.cell === cell);
        return `${latLngToCell(place?.latitude ?? 0, place?.longitude ?? 0, 2)} ${iccid}`;
      }),
    );
    expect(shownIn(world)).toBe(byHexagon.size);
  });

  test('match the records when filtered by country, network and radio type', async () => {
    const paris = inPeriod().filter(({ cell }) => cell === '208-01-4');
    expect(shownIn(await getHeatmap({ country: 'FR' }))).toBe(sum(paris));
    expect(shownIn(await getHeatmap({ network: '208-01' }))).toBe(sum(paris));
    const lte = paris.filter(({ radio }) => radio === 3);
    expect(shownIn(await getHeatmap({ country: 'FR', radio: '4G' }))).toBe(sum(lte));
    expect((await getHeatmap({ country: 'XX' })).total).toBe(0);
  });
});

describe('a computed day', () => {
  const getHeatmap = async () => {
    const { body } = await client.call(calls.hexagons, { query: { ...period, ...everywhere } });
    return { asOf: body.as_of, total: body.data.total };
  };

  test('shows its age once more records arrive, and includes them after the next run: late, repeated, of a former owner', async () => {
    const before = server.clock.now();
    const { asOf, total } = await getHeatmap();
    expect(asOf).toBe(before.toISOString());
    server.clock.advance(240_000);
    const [moved] = sims;
    await server.database.pool.query('update sims set org_id = $2 where id = $1', [
      moved?.id,
      stranger.orgId,
    ]);
    await server.database.pool.query('update sim_live set org_id = $2 where sim_id = $1', [
      moved?.id,
      stranger.orgId,
    ]);
    const late = make(1000, 60).map((one) =>
      one.iccid === moved?.iccid ? { ...one, org: stranger.orgId } : one,
    );
    await importRecords([...late.toReversed(), ...records.slice(0, 50)]);
    records.push(...late);
    expect(await getHeatmap()).toEqual({ asOf: before.toISOString(), total });
    await refresh();
    await refresh();
    expect(await getHeatmap()).toEqual({ asOf: server.clock.now().toISOString(), total: sum(inPeriod()) });
    const { body } = await stranger.call(calls.hexagons, { query: { ...period, ...everywhere } });
    const theirs = records.filter(({ org }) => org === stranger.orgId);
    expect(body.data.total).toBe(sum(theirs.filter((one) => dayOf(one) >= period.from)));
  });
});

test.each([
  [{ from: '2026-11-02', to: '2026-11-01' }, 'to', 'endBeforeStart'],
  [{ from: '2026-10-01', to: '2026-11-01' }, 'to', 'spanTooLong'],
  [{ from: '1999-12-31', to: '2000-01-02' }, 'from', 'tooSmall'],
  [{ from: '2026-02-29', to: '2026-03-01' }, 'from', 'invalidDate'],
])('a period of %j is refused', async (query, path, key) => {
  const { http, body } = await client.call(calls.figures, { query });
  expect([http, body.status.code]).toEqual([400, 'CB-00-0400']);
  expect(body.status.detail?.issues?.[0]).toMatchObject({ path, key });
});

test('a box whose north is south of its south is refused; one whose east is west of its west crosses the date line', async () => {
  const period = { from: '2026-11-20', to: '2026-11-21' };
  const getHeatmap = (south: string, north: string) =>
    client.call(calls.hexagons, { query: { ...period, west: '179', south, east: '-179', north } });
  const refused = await getHeatmap('-10', '-20');
  expect(refused.http).toBe(400);
  expect(refused.body.status.detail?.issues?.[0]).toMatchObject({ path: 'north', key: 'tooSmall' });
  expect((await getHeatmap('-20', '-10')).http).toBe(200);
});
