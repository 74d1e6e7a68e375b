import { limits } from '@simcube/contract';
import { type ServiceFilter, serviceSorts } from '@simcube/contract/bundle';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { type PageQuery, readPage } from '../../../platform/lists/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeBundle } from '../../../testing/inventory.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { orgServiceList } from './service-list.views.ts';

type ServiceSort = (typeof serviceSorts)[number];

/** More orders than are counted, and more than one window by ICCID walks. */
const orders = 7000;
let database: Database;
let org: { id: number };

beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  org = await insertTestOrganisation(pool);
  const other = await insertTestOrganisation(pool);
  const bundle = await makeBundle(pool, { code: 'EU5' });
  const rare = await makeBundle(pool, { code: 'RARE' });
  for (const [owner, name] of [
    [org.id, '1'],
    [other.id, '2'],
  ] as const) {
    await pool.query(
      `with made as (
         insert into sims (org_id, iccid, imsi, device_name)
         select $1, '898600' || $2 || lpad(i::text, 12, '0'), $2 || lpad(i::text, 14, '0'), 'Pump ' || i
         from generate_series(1, 500) i returning id, org_id)
       insert into sim_live (sim_id, org_id) select id, org_id from made`,
      [owner, name],
    );
    await pool.query(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, sales_order_id, ordered_at, activated_at, expires_at)
       select s.id, $1, case when i % 1000 = 0 then $4::bigint else $3 end,
         case when i < 100 then 'cancelled' when i % 7 = 0 then 'pending' else 'in use' end, 'SO-' || i / 10,
         timestamptz '2026-01-01' + make_interval(mins => i / 3),
         case when i % 7 > 0 then timestamptz '2026-02-01' + make_interval(mins => i * 31 % 997) end,
         case when i % 5 > 0 then timestamptz '2027-01-01' + make_interval(hours => i * 17 % 701) end
       from generate_series(0, $2 - 1) i
       join (select id, row_number() over (order by id) - 1 as n from sims where org_id = $1) s on s.n = i * 13 % 500`,
      [owner, orders, bundle, rare],
    );
  }
  await pool.query('analyze');
});
afterAll(() => database.close());

const keys: Record<ServiceSort, string> = {
  ordered_at: 'o.ordered_at',
  activated_at: `coalesce(o.activated_at, '-infinity')`,
  expires_at: `coalesce(o.expires_at, 'infinity')`,
  iccid: 's.iccid',
};

const wantedIds = async (sort: ServiceSort, descending: boolean, where: string): Promise<number[]> => {
  const direction = descending ? 'desc' : 'asc';
  const { rows } = await database.pool.query<{ id: number }>(
    `select o.id from bundle_orders o join sims s on s.id = o.sim_id join bundles b on b.id = o.bundle_id
     where o.org_id = $1 and ${where} order by ${keys[sort]} ${direction}, o.id ${direction}`,
    [org.id],
  );
  return rows.map(({ id }) => id);
};

type Question = Omit<PageQuery<{ orgId: number }, ServiceFilter, ServiceSort>, 'scope' | 'now'>;

const ask = (question: Question) =>
  readPage(database.db, orgServiceList, { scope: { orgId: org.id }, now: new Date(0), ...question });

const walked = async (filter: ServiceFilter, sort: ServiceSort | `-${ServiceSort}`, pages: number) => {
  const found: number[] = [];
  let cursor: string | undefined;
  let first: { total: number; relation: string } | undefined;
  for (let page = 0; page < pages; page += 1) {
    const answer = await ask({
      filter,
      sort,
      page: { page_no: 1, page_size: 1000, ...(cursor && { cursor }) },
    });
    first ??= { total: answer.total, relation: answer.relation };
    found.push(...answer.data.map(({ order_id }) => Number(order_id)));
    if (!answer.nextCursor) break;
    cursor = answer.nextCursor;
  }
  return { found, ...first };
};

const sorts = serviceSorts.flatMap((sort) => [
  [sort, false],
  [sort, true],
]) as [ServiceSort, boolean][];

describe.each(sorts)('orders by %s, descending %s', (sort, descending) => {
  const named = descending ? (`-${sort}` as const) : sort;

  it.each<[string, ServiceFilter, string]>([
    ['all', {}, 'true'],
    ['many that are everywhere', { status: ['in use'] }, `o.status = 'in use'`],
    ['many by search', { search: 'pump' }, 'true'],
    [
      'a thousand',
      { status: ['pending'], ordered_from: '2026-01-01T00:30:00Z' },
      `o.status = 'pending' and o.ordered_at >= '2026-01-01T00:30:00Z'`,
    ],
    ['few', { bundle: ['RARE'] }, `b.code = 'RARE'`],
    ['few by search', { search: 'SO-12' }, `o.sales_order_id like 'SO-12%'`],
    ['few at one end', { status: ['cancelled'] }, `o.status = 'cancelled'`],
  ])('come page by page, each once: %s', async (_, filter, where) => {
    const wanted = await wantedIds(sort, descending, where);
    const { found, total, relation } = await walked(filter, named, 10);
    expect(found).toEqual(wanted);
    expect([total, relation]).toEqual(
      wanted.length > limits.countedTotal ? [limits.countedTotal, 'gte'] : [wanted.length, 'eq'],
    );
  });

  it('have pages by number, as far as is counted', async () => {
    const page = { page_no: 3, page_size: 100 };
    const answer = await ask({ filter: {}, sort: named, page });
    expect(answer.data.map(({ order_id }) => Number(order_id))).toEqual(
      (await wantedIds(sort, descending, 'true')).slice(200, 300),
    );
    const deep = ask({
      filter: {},
      sort: named,
      page: { page_no: 31, page_size: 100 },
    });
    await expect(deep).rejects.toMatchObject({ code: 'CB-00-0400' });
  });

  it('refuse the cursor of another order', async () => {
    const page = { page_no: 1, page_size: 10 };
    const { nextCursor } = await ask({
      filter: {},
      sort: named,
      page,
    });
    const other = sort === 'iccid' ? 'ordered_at' : 'iccid';
    const wrong = ask({
      filter: {},
      sort: other,
      page: { ...page, cursor: nextCursor ?? '' },
    });
    await expect(wrong).rejects.toMatchObject({ code: 'CB-00-0406' });
  });
});
