import { limits } from '@simcube/contract';
import type { SimFilter } from '@simcube/contract/sim';
import { type Lifecycle, lifecycleNumbers, lifecycles } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { PageBookmarks, type PageQuery, readPage } from '../../platform/lists/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { makeSim } from '../../testing/inventory.ts';
import { insertTestOrganisation } from '../../testing/organisations.ts';
import { type SimListScope, type SimSort, simList } from './list/sim-list.views.ts';
import { canTransition } from './sim.rules.ts';
import { changeLifecycle } from './sim.service.ts';

let database: Database;
let orgId: number;
const at = new Date('2026-11-21T12:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query(
    `insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id`,
  );
  orgId = rows[0].id;
});
afterAll(() => database.close());

const change = (simIds: number[], to: Lifecycle) =>
  inTransaction(database.pool, (tx) =>
    changeLifecycle(tx, { simIds, to, reason: 'suspend', actor: 'Tester', at, traceId: 'trace-1' }),
  );

const counts = async (): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query('select lifecycle, sims from org_sim_counts where org_id = $1', [
    orgId,
  ]);
  return Object.fromEntries(rows.map((row) => [row.lifecycle, row.sims]));
};
const counted = async (): Promise<Record<string, number>> => {
  const { rows } = await database.pool.query(
    'select lifecycle, count(*) as sims from sims where org_id = $1 group by 1',
    [orgId],
  );
  return Object.fromEntries(rows.map((row) => [row.lifecycle, row.sims]));
};

describe('lifecycle changes', () => {
  it('happen exactly where the table allows them, with count, SIM event and outbox event', async () => {
    for (const from of lifecycles) {
      for (const to of lifecycles) {
        const sim = await makeSim(database.pool, orgId, { lifecycle: from });
        const changed = await change([sim.id], to);
        expect(changed.length, `${from} → ${to}`).toBe(canTransition(from, to) ? 1 : 0);
        const { rows } = await database.pool.query(
          `select s.lifecycle, e.kind, e.facts, e.actor, e.trace_id, o.topic, o.payload
           from sims s left join sim_events e on e.sim_id = s.id
           left join outbox o on o.payload @> jsonb_build_object('sims', jsonb_build_array(jsonb_build_object('simId', s.id))) where s.id = $1`,
          [sim.id],
        );
        expect(rows).toHaveLength(1);
        if (!canTransition(from, to)) {
          expect(rows[0]).toMatchObject({ lifecycle: lifecycleNumbers[from], kind: null, topic: null });
          continue;
        }
        expect(rows[0]).toMatchObject({
          lifecycle: lifecycleNumbers[to],
          kind: 'lifecycle-changed',
          facts: { from, to, reason: 'suspend' },
          actor: 'Tester',
          trace_id: 'trace-1',
          topic: 'sim.lifecycle-changed',
          payload: { sims: [{ simId: sim.id, iccid: sim.iccid, from, at: at.toISOString() }], to },
        });
      }
    }
    const now = await counts();
    for (const [lifecycle, sims] of Object.entries(await counted())) expect(now[lifecycle]).toBe(sims);
  });

  it('store the first activation', async () => {
    const sim = await makeSim(database.pool, orgId, { lifecycle: 'pre-activated' });
    await change([sim.id], 'active');
    await change([sim.id], 'paused');
    await inTransaction(database.pool, (tx) =>
      changeLifecycle(tx, { simIds: [sim.id], to: 'active', reason: 'resume', actor: null, at: new Date() }),
    );
    const { rows } = await database.pool.query('select activated_at from sims where id = $1', [sim.id]);
    expect(rows[0].activated_at).toEqual(at);
  });

  it('happen once for concurrent requests', async () => {
    const sims = await Promise.all(Array.from({ length: 20 }, () => makeSim(database.pool, orgId)));
    const ids = sims.map(({ id }) => id);
    const outcomes = await Promise.all([
      change(ids, 'paused'),
      change([...ids].reverse(), 'paused'),
      change(ids, 'expired'),
      change([...ids].reverse(), 'expired'),
    ]);
    expect(outcomes.slice(2).flat()).toHaveLength(ids.length);
    const now = await counts();
    for (const [lifecycle, sims_] of Object.entries(await counted())) expect(now[lifecycle]).toBe(sims_);
  });

  it('leave no trace when the transaction fails', async () => {
    const sim = await makeSim(database.pool, orgId);
    const before = await counts();
    await expect(
      inTransaction(database.pool, async (tx) => {
        await changeLifecycle(tx, { simIds: [sim.id], to: 'paused', reason: 'suspend', actor: null, at });
        throw new Error('too late');
      }),
    ).rejects.toThrow('too late');
    expect(await counts()).toEqual(before);
    const { rows } = await database.pool.query('select count(*) from sim_events where sim_id = $1', [sim.id]);
    expect(rows[0].count).toBe(0);
  });
});

describe('lists larger than the counted total', () => {
  // More than an organisation whose matches are all counted may have.
  const size = 42_000;
  const rangeDays = 19;
  const rangeEnd = new Date(at.getTime() + rangeDays * dayMs).toISOString();
  let bigOrg: number;

  beforeAll(async () => {
    const made = await database.pool.query(
      `insert into organisations (code, name, country) values ('big', 'Big Customer', 'DE') returning id`,
    );
    bigOrg = made.rows[0].id;
    // Trucks are the later half of the SIMs; every fourth SIM is tagged; the last ones and a few of the first
    // have notes.
    await database.pool.query(
      `insert into sims (org_id, iccid, imsi, device_name, notes, tags, lifecycle, expires_at)
       select $1, '8999' || lpad(n::text, 15, '0'), '99901' || lpad(n::text, 10, '0'),
         case when n > $2 / 2 then 'Truck ' else 'Meter ' end || lpad((n * 7919 % 100000)::text, 5, '0'),
         case when n < 10 or n > $2 - 5000 then 'Depot ' || n % 7 end, case when n % 4 = 0 then '{fleet}'::text[] else '{}' end, case when n % 10 = 0 then 30 else 23 end,
         timestamptz '2026-12-01' + n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [bigOrg, size],
    );
    await database.pool.query(
      `insert into sim_live (sim_id, org_id, connection) select id, org_id, id % 2 from sims where org_id = $1`,
      [bigOrg],
    );
    await database.pool.query(
      `insert into org_sim_counts select org_id, lifecycle, count(*) from sims where org_id = $1 group by 1, 2`,
      [bigOrg],
    );
    await database.pool.query('analyze sims, sim_live');
  });

  const ask = (
    question: Partial<PageQuery<SimListScope, SimFilter, SimSort>> & { size?: number; number?: number },
  ) =>
    readPage(database.db, simList, {
      scope: { orgId: bigOrg },
      filter: {},
      sort: undefined,
      page: { page_no: question.number ?? 1, page_size: question.size ?? 20, ...question.page },
      now: at,
      ...question,
    });

  /** The expected list: read completely, without any of the list's ways. */
  const expected = async (where: string, order: string): Promise<string[]> => {
    const { rows } = await database.pool.query<{ iccid: string }>(
      `select s.iccid from sims s join sim_live l on l.sim_id = s.id where s.org_id = $1 and ${where} order by ${order}`,
      [bigOrg],
    );
    return rows.map(({ iccid }) => iccid);
  };

  it.each<[string, Parameters<typeof ask>[0], string, string]>([
    ['everything', {}, 'true', 's.id'],
    [
      'a lifecycle',
      { filter: { lifecycle: ['active'] }, sort: '-device_name' },
      'lifecycle = 23',
      'name_key desc, s.id desc',
    ],
    ['many, everywhere', { filter: { search: '99901' } }, 'true', 's.id'],
    ['many, all far away', { filter: { search: 'truck' } }, `device_name like 'Truck%'`, 's.id'],
    [
      'many, far away in the order',
      { filter: { search: 'truck' }, sort: 'device_name' },
      `device_name like 'Truck%'`,
      'name_key, s.id',
    ],
    [
      'many by the other table',
      { filter: { connection: ['online'] }, sort: 'expires_at' },
      'l.connection = 1',
      'expires_key, s.id',
    ],
    [
      'many by both tables, far away in the order',
      { filter: { search: 'truck', connection: ['online'] }, sort: 'device_name' },
      `device_name like 'Truck%' and l.connection = 1`,
      'name_key, s.id',
    ],
    [
      'many by name, far away in the order of names',
      { filter: { device_name: 'truck' }, sort: 'device_name' },
      `device_name like 'Truck%'`,
      'name_key, s.id',
    ],
    [
      'many by name, far away from the end of the order',
      { filter: { search: 'meter' }, sort: '-device_name' },
      `device_name like 'Meter%'`,
      'name_key desc, s.id desc',
    ],
    [
      'some near and many far away',
      { filter: { notes: 'depot' }, sort: 'expires_at' },
      'notes is not null',
      'expires_key, s.id',
    ],
    [
      'some near and many far away, by both tables',
      { filter: { notes: 'de', over_limit: false }, sort: 'iccid' },
      'notes is not null',
      's.iccid, s.id',
    ],
    [
      'with a name, from the end where those without would be',
      { filter: { not_empty: ['device_name'], empty: ['msisdn'] }, sort: '-device_name' },
      'true',
      'name_key desc, s.id desc',
    ],
    [
      'a range of the order',
      { filter: { expires_within_days: rangeDays }, sort: '-expires_at' },
      `expires_at > '${at.toISOString()}' and expires_at <= '${rangeEnd}'`,
      'expires_key desc, s.id desc',
    ],
    [
      'a range of the order, and more',
      { filter: { expires_within_days: rangeDays, tags: ['fleet'], over_limit: false }, sort: 'expires_at' },
      `expires_at > '${at.toISOString()}' and expires_at <= '${rangeEnd}' and tags @> '{fleet}'`,
      'expires_key, s.id',
    ],
    [
      'few of a long list',
      { filter: { tags: ['fleet'], search: 'meter' }, sort: '-expires_at' },
      `tags @> '{fleet}' and device_name like 'Meter%'`,
      'expires_key desc, s.id desc',
    ],
    ['none', { filter: { tags: ['fleet'], search: 'zeppelin' } }, 'false', 's.id'],
  ])('are the same by page number, by cursor and read whole: %s', async (_, question, where, order) => {
    const all = await expected(where, order);
    const first = await ask(question);
    expect(first.relation === 'eq' ? first.total === all.length : first.total < all.length).toBe(true);
    let cursor: string | undefined;
    for (let number = 1; number <= 4; number += 1) {
      const wanted = all.slice((number - 1) * 20, number * 20);
      const byNumber = await ask({ ...question, number });
      const byCursor = await ask({ ...question, page: { page_no: 1, page_size: 20, cursor } });
      expect(byNumber.data.map(({ iccid }) => iccid)).toEqual(wanted);
      expect(byCursor.data.map(({ iccid }) => iccid)).toEqual(wanted);
      cursor = byCursor.nextCursor ?? undefined;
      if (!cursor) break;
    }
  });

  it.each<[string, Parameters<typeof ask>[0], string, string]>([
    [
      'everywhere',
      { filter: { search: '99901' }, sort: '-expires_at' },
      'true',
      'expires_key desc, s.id desc',
    ],
    [
      'everywhere, by the other table',
      { filter: { over_limit: false, not_empty: ['tags'] } },
      `tags <> '{}'`,
      's.id',
    ],
    [
      'all far away in the order',
      { filter: { search: 'meter' }, sort: '-device_name' },
      `device_name like 'Meter%'`,
      'name_key desc, s.id desc',
    ],
  ])('are numbered up to the counted total: %s', async (_, question, where, order) => {
    const all = await expected(where, order);
    for (const number of [1, 50, 51, 100, limits.countedTotal / 20]) {
      const answer = await ask({ ...question, number });
      expect(answer.data.map(({ iccid }) => iccid)).toEqual(all.slice((number - 1) * 20, number * 20));
      expect(answer.relation).toBe('gte');
      expect(answer.total).toBeGreaterThanOrEqual(number * 20);
      expect(answer.total).toBeLessThanOrEqual(limits.countedTotal);
    }
  });

  it.each(['truck', 'ruck 2', 'fleet'])(
    'are another organisation’s own, few as they are: %s',
    async (search) => {
      const smallOrg = (await insertTestOrganisation(database.pool)).id;
      const made = await database.pool.query<{ iccid: string }>(
        `with made as (
         insert into sims (org_id, iccid, imsi, device_name, tags)
         select $1::bigint, '8998' || lpad(($1::bigint * 100 + n)::text, 15, '0'), '99902' || lpad(($1::bigint * 100 + n)::text, 10, '0'),
           'Truck 2' || lpad(n::text, 2, '0'), '{fleet}'
         from generate_series(1, 30) n returning id, org_id, iccid),
       live as (insert into sim_live (sim_id, org_id) select id, org_id from made)
       select iccid from made order by id`,
        [smallOrg],
      );
      const answer = await readPage(database.db, simList, {
        scope: { orgId: smallOrg },
        filter: { search },
        sort: '-device_name',
        page: { page_no: 1, page_size: 50 },
        now: at,
      });
      expect(answer.data.map(({ iccid }) => iccid)).toEqual(made.rows.map(({ iccid }) => iccid).reverse());
      expect(answer.total).toBe(30);
    },
  );

  it('are read backwards in the second half, to the same end', async () => {
    const all = await expected('true', 'name_key, s.id');
    for (const number of [size / 20 / 2 + 1, size / 20 - 1, size / 20]) {
      const answer = await ask({ sort: 'device_name', number });
      expect(answer.data.map(({ iccid }) => iccid)).toEqual(all.slice((number - 1) * 20, number * 20));
      expect(answer.nextCursor === null).toBe(number === size / 20);
    }
    expect((await ask({ sort: 'device_name', number: size / 20 + 1 })).data).toEqual([]);
    const odd = await ask({ sort: 'device_name', size: 900, number: Math.ceil(size / 900) });
    expect(odd.data.map(({ iccid }) => iccid)).toEqual(all.slice(Math.floor(size / 900) * 900));
    expect(odd.nextCursor).toBeNull();
  });

  it('are reached from a page that was read shortly before', async () => {
    const marks = new PageBookmarks();
    const all = await expected('true', 'name_key, s.id');
    const pageOf = async (number: number, now = at) =>
      (await ask({ sort: 'device_name', number, bookmarks: marks, now })).data.map(({ iccid }) => iccid);
    // From both ends: the same page again, the next, the one before, and far ahead.
    for (const number of [1001, 1001, 1002, 1001, 1049, 1050, 1075, 1076, 1060, 1060, 1099, 1098]) {
      expect(await pageOf(number)).toEqual(all.slice((number - 1) * 20, number * 20));
    }
    // A SIM that moves in the order shifts all others by one, which shows once the known positions have
    // expired.
    await database.pool.query(`update sims set device_name = 'Zebra' where iccid = $1`, [all[0]]);
    expect(await pageOf(1002)).toEqual(all.slice(20_020, 20_040));
    expect(await pageOf(1002, new Date(at.getTime() + 31_000))).toEqual(all.slice(20_021, 20_041));
    // A SIM that leaves the list shows immediately.
    await database.pool.query(
      `update org_sim_counts set sims = sims - 1 where org_id = $1 and lifecycle = 23`,
      [bigOrg],
    );
    expect(await pageOf(1003)).toEqual(all.slice(20_041, 20_061));
    await database.pool.query(
      `update org_sim_counts set sims = sims + 1 where org_id = $1 and lifecycle = 23`,
      [bigOrg],
    );
    await database.pool.query(`update sims set device_name = $1 where iccid = $2`, ['Meter 00000', all[0]]);
  });

  it('give every SIM once along the cursor', async () => {
    const all = await expected('lifecycle = 23', 'expires_key desc, s.id desc');
    const met: string[] = [];
    let cursor: string | undefined;
    do {
      const page = { page_no: 1, page_size: 1000, cursor };
      const answer = await ask({ filter: { lifecycle: ['active'] }, sort: '-expires_at', page });
      met.push(...answer.data.map(({ iccid }) => iccid));
      cursor = answer.nextCursor ?? undefined;
    } while (cursor);
    expect(met).toEqual(all);
  });
});
