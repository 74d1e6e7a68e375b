import { endpoints, limits } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { upload } from '../../../testing/upload.ts';

const { sim } = endpoints;
let test: TestApp;
let user: TestClient;
let foreign: { iccid: string };
const known = 9000;
const iccidOf = (index: number) => `8986001${String(index).padStart(12, '0')}`;
const imsiOf = (index: number) => `26201${String(index).padStart(10, '0')}`;
const msisdnOf = (index: number) => `4915${String(index).padStart(9, '0')}`;

let acme: { id: number; code: string; tenantId: string };

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  user = await signedInAs(test, 'user', acme);
  const other = await makeOrganisation(test, { code: 'other' });
  foreign = await makeSim(test.database.pool, other.id, { iccid: iccidOf(999_999), imsi: imsiOf(999_999) });
  await test.database.pool.query(
    `with made as (
       insert into sims (org_id, iccid, imsi, msisdn, lifecycle)
       select $1, '8986001' || lpad(i::text, 12, '0'), '26201' || lpad(i::text, 10, '0'),
         '4915' || lpad(i::text, 9, '0'), 23 from generate_series(0, $2 - 1) i returning id, org_id)
     insert into sim_live (sim_id, org_id) select id, org_id from made`,
    [acme.id, known],
  );
  await test.database.pool.query('analyze sims');
});
afterAll(() => test.close());

/**
 * The maximum number, mixed: most are known, some repeated in other spellings, some unknown, one another
 * organisation's.
 */
const mixed = (): string[] => {
  const named = Array.from(
    { length: known },
    (_, index) => [iccidOf, imsiOf, msisdnOf][index % 3]?.(index) ?? '',
  );
  const again = Array.from({ length: 500 }, (_, index) => iccidOf(index));
  const unknown = Array.from({ length: 499 }, (_, index) => iccidOf(100_000 + index));
  return [...named, ...again, ...unknown, foreign.iccid];
};

/** The fastest of three: other tests may use the machine at the same time. */
const quickest = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return Math.min(...times);
};

it('bulk search finds the SIMs of 10,000 identifiers within a second', async () => {
  const identifiers = mixed();
  expect(identifiers).toHaveLength(limits.bulkSearch);
  const resolve = () => user.call(sim.resolveIdentifiers, { body: { identifiers } });
  expect(await quickest(resolve)).toBeLessThan(1000);
  const { data } = (await resolve()).body;
  expect(data.iccids).toEqual(Array.from({ length: known }, (_, index) => iccidOf(index)));
  expect(data.duplicates).toBe(500);
  expect(data.not_found).toHaveLength(500);
  expect(data.not_found).toContain(foreign.iccid);
});

it('bulk search lists them with an exact total, to the last page, together with other filters', async () => {
  const identifiers = mixed();
  const list = () => user.call(sim.list, { body: { identifiers, sort: 'iccid', page_size: 100 } });
  expect(await quickest(list)).toBeLessThan(1000);
  const first = await list();
  expect([first.body.total_count, first.body.total_relation]).toEqual([known, 'eq']);
  const last = await user.call(sim.list, {
    body: { identifiers, sort: 'iccid', page_size: 100, page_no: 90 },
  });
  expect(last.body.data.at(-1)?.iccid).toBe(iccidOf(known - 1));
  expect(last.body.next_cursor).toBeNull();
  const more = await user.call(sim.list, { body: { identifiers, lifecycle: ['paused'] } });
  expect(more.body.total_count).toBe(0);
});

it('bulk search, searches and operations take ICCIDs in either case; phone numbers with the prefix of calls abroad are found', async () => {
  const { pool } = test.database;
  const card = { iccid: '8986F0000000000000AB', imsi: '001010123456789', msisdn: '34590000112345' };
  await makeSim(pool, acme.id, card);
  const admin = await signedInAs(test, 'admin', acme);
  const lower = card.iccid.toLowerCase();
  const found = async (body: object) =>
    (await user.call(sim.list, { body })).body.data.map(({ iccid, matched }) => [iccid, matched?.[0]?.field]);
  expect(await found({ identifiers: [lower] })).toEqual([[card.iccid, undefined]]);
  expect(await found({ identifiers: ['0034590000112345'] })).toEqual([[card.iccid, undefined]]);
  expect(await found({ search: '0034 590 000 112 345' })).toEqual([[card.iccid, 'msisdn']]);
  expect(await found({ search: card.imsi })).toEqual([[card.iccid, 'imsi']]);
  const body = { selection: { iccids: [lower, card.iccid] }, preview: true };
  expect((await admin.call(sim.suspend, { body })).body.data.preview).toMatchObject({
    selected: 1,
    changing: 1,
  });
  const others = { filter: { search: card.imsi }, except: [lower] };
  const excepted = await admin.call(sim.suspend, { body: { selection: others, preview: true } });
  expect(excepted.body.status.code).toBe('CB-01-0010');
  expect((await user.call(sim.basic, { query: { iccid: lower } })).body.data.iccid).toBe(card.iccid);
  expect((await user.call(sim.connection, { query: { iccid: lower } })).http).toBe(200);
  const scope = { kind: 'manual' as const, iccids: [lower] };
  const { data } = (await admin.call(endpoints.autoflow.validateScope, { body: { scope } })).body;
  expect(data).toMatchObject({ sims: 1, wrong_rows: 0 });
  const file = { name: 'info.csv', content: `ICCID,Notes\n${lower},x\n${card.iccid},y` };
  const parsed = await upload(test, admin, { endpoint: sim.parseInfo, params: { orgCode: 'acme' }, ...file });
  expect(parsed.body.data).toMatchObject({
    preview: { changing: 1 },
    errors: [{ row: 3, code: 'CB-01-0020' }],
  });
});

it('bulk search rejects longer lists', async () => {
  const identifiers = [...mixed(), iccidOf(1)];
  expect((await user.call(sim.resolveIdentifiers, { body: { identifiers } })).http).toBe(400);
  expect((await user.call(sim.list, { body: { identifiers } })).http).toBe(400);
});

it('bulk search reads the column with the identifiers of a file', async () => {
  const read = (name: string, content: string) =>
    upload(test, user, { endpoint: sim.readIdentifiers, params: {}, name, content });
  expect(
    (await read('list.csv', `ICCID,name\n${iccidOf(1)},x\n\n${imsiOf(2)},\n`)).body.data.identifiers,
  ).toEqual([iccidOf(1), imsiOf(2)]);
  expect((await read('one.csv', iccidOf(1))).body.data.identifiers).toEqual([iccidOf(1)]);
  const many = (count: number) => Array.from({ length: count }, (_, i) => iccidOf(i)).join('\n');
  const most = limits.bulkSearch;
  expect((await read('most.csv', many(most))).body.data.identifiers).toHaveLength(most);
  expect((await read('most.csv', `ICCID\n${many(most)}`)).body.data.identifiers).toHaveLength(most);
  expect((await read('many.csv', many(most + 1))).body.status).toMatchObject({
    code: 'CB-09-0005',
    message: expect.stringContaining('10000'),
  });
  expect((await read('many.csv', `ICCID\n${many(most + 1)}`)).body.status.code).toBe('CB-09-0005');
  expect((await read('list.txt', iccidOf(1))).body.status.code).toBe('CB-09-0001');
  expect((await read('list.csv', '')).body.status.code).toBe('CB-09-0007');
  expect((await read('list.csv', '=1+1')).body.status.code).toBe('CB-09-0008');
  expect((await read('list.csv', `Name;ICCID\nx;${iccidOf(1)}`)).body.data.identifiers).toEqual([iccidOf(1)]);
  expect((await read('list.csv', `${iccidOf(1)},${iccidOf(2)}`)).body.status).toMatchObject({
    code: 'CB-09-0038',
    message: expect.stringContaining('ICCID'),
  });
  expect((await read('list.csv', 'ICCID\n')).body.status.code).toBe('CB-09-0007');
});
