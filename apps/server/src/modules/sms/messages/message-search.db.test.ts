import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, typed } from '../../../platform/db/index.ts';
import { readPage } from '../../../platform/lists/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { storeMessages } from '../../../testing/messages.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { messageList } from './message-list.views.ts';
import type { MessageFilter } from './message-rows.views.ts';

let database: Database;
let orgId: number;
let sims: { id: number; iccid: string }[];
const now = new Date('2026-11-21T12:00:00Z');
const at = '2026-11-20T10:00:00Z';
const many = 40_000;

/** One in twelve says "temperature", all say "level"; ten are different. */
beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  orgId = (await insertTestOrganisation(pool)).id;
  const stranger = (await insertTestOrganisation(pool)).id;
  sims = [await makeSim(pool, orgId, { deviceName: 'Meter Zürich' }), await makeSim(pool, orgId, {})];
  await pool.query(
    `with made as (
       insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
       select $1, $2, $3::timestamptz - i * interval '1 minute' / 60,
         'Level ' || i || case when i % 12 = 0 then ' temperature' else '' end, i % 2 = 0, 2, '4915', 0, 1
       from generate_series(1, $4) as i returning org_id, at, mobile_originated, content)
     insert into sms_contents (org_id, at, mobile_originated, content)
     select org_id, at, mobile_originated, sms_search_text(content) from made`,
    [sims[1]?.id, orgId, at, many],
  );
  const said = [
    '水位异常',
    '溫度過高',
    'Señal débil',
    '100% _sure_ \\o/',
    'line\none',
    'ＡＢＣ full',
    "it's -- ok; drop",
  ];
  for (const [index, content] of said.entries()) {
    const instant = new Date(Date.parse('2026-11-01T00:00:00Z') + index * 1000).toISOString();
    await storeMessages(pool, { simId: sims[0]?.id ?? 0, orgId, at: instant, content });
    await storeMessages(pool, { simId: sims[0]?.id ?? 0, orgId: stranger, at: instant, content });
  }
  await pool.query('vacuum analyze sms_messages, sms_contents');
});
afterAll(() => database.close());

const pageOf = (
  filter: MessageFilter,
  page: { page_no?: number; page_size?: number; cursor?: string } = {},
  simId?: number,
) => {
  const scope = { orgId, ...(simId === undefined ? {} : { simId }) };
  return readPage(typed(database.pool), messageList, {
    ...{ scope, filter, now },
    page: { page_no: 1, page_size: 20, ...page },
  });
};
const contents = async (search: string, filter: MessageFilter = {}) =>
  (await pageOf({ search, ...filter })).data.map(({ content }) => content);

describe('a search of messages', () => {
  it.each([
    ['水位', ['水位异常', '水位异常']],
    ['異常', []],
    ['過', ['溫度過高', '溫度過高']],
    ['señal DÉ', ['Señal débil', 'Señal débil']],
    ['100%', ['100% _sure_ \\o/', '100% _sure_ \\o/']],
    ['_sure_ \\', ['100% _sure_ \\o/', '100% _sure_ \\o/']],
    ['0%ure', []],
    ['line one', ['line\none', 'line\none']],
    ['abc', ['ＡＢＣ full', 'ＡＢＣ full']],
    ["'s -- ok; d", ["it's -- ok; drop", "it's -- ok; drop"]],
    ['%', []],
    ['Level 39999', ['Level 39999']],
  ])('finds %j by what it says', async (search, expected) => {
    expect(await contents(search)).toEqual(expected);
  });

  it('finds messages of a SIM by its name beside those that say it, each once, along the cursor', async () => {
    await storeMessages(database.pool, {
      ...{ simId: sims[1]?.id ?? 0, orgId, at: '2026-11-19T00:00:00Z', content: 'To Zürich, Zürich' },
    });
    const ids: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const page = await pageOf({ search: 'zürich' }, { page_size: 3, ...(cursor ? { cursor } : {}) });
      expect([page.total, page.relation]).toEqual([16, 'eq']);
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    }
    expect([ids.length, new Set(ids).size]).toEqual([16, 16]);
  });

  it('of two letters finds messages of a SIM by its name and by its tags', async () => {
    const { pool } = database;
    const named = await makeSim(pool, orgId, { deviceName: '水表 7' });
    const tagged = await makeSim(pool, orgId, {});
    await pool.query(`update sims set tags = '{北区}' where id = $1`, [tagged.id]);
    await pool.query(
      `insert into org_tags (org_id, tag, sims) values ($1, '北区', 1) on conflict (org_id, tag) do nothing`,
      [orgId],
    );
    const sent = { orgId, at: '2026-11-18T00:00:00Z' };
    await storeMessages(pool, { ...sent, simId: named.id, content: 'to the meter' });
    await storeMessages(pool, { ...sent, simId: tagged.id, content: 'to the north' });
    expect(await contents('水表')).toEqual(['to the meter', 'to the meter']);
    expect(await contents('北区')).toEqual(['to the north', 'to the north']);
    expect(await contents('区北')).toEqual([]);
  });

  it.each([
    ['what every message says', 'level', {}],
    ['what many say', 'temperature', { from: '2026-11-20T00:00:00Z' }],
    ['what some say', 'level 3999', {}],
    ['of a direction', 'temperature', { direction: 'mo' }],
    ['of a day, with a status', 'level 12', { status: ['delivered'], to: '2026-11-20T08:00:00Z' }],
  ] as const)('shows %s as a look at each message does', async (_, search, filter) => {
    const { data, total, relation } = await pageOf({ search, ...filter } as MessageFilter);
    const { from = '2000-01-01Z', to = '2100-01-01Z', direction, status } = filter as MessageFilter;
    const { rows } = await database.pool.query<{ content: string }>(
      `select content from sms_messages where org_id = $1 and at >= $3 and at < $4 and position($2 in lower(content)) > 0
         and ($5::bool is null or mobile_originated = $5) order by at desc, id desc`,
      [orgId, search, from, to, direction ? direction === 'mo' : status ? false : null],
    );
    expect(data.map(({ content }) => content)).toEqual(rows.slice(0, 20).map(({ content }) => content));
    expect([total, relation]).toEqual(rows.length > 3000 ? [3000, 'gte'] : [rows.length, 'eq']);
  });

  it('shows pages of what too many say as far as they are numbered, and beyond along the cursor', async () => {
    const { rows } = await database.pool.query<{ content: string }>(
      `select content from sms_messages where org_id = $1 and content like '%temperature' order by at desc, id desc`,
      [orgId],
    );
    const texts = rows.map(({ content }) => content);
    const last = await pageOf({ search: 'temperature' }, { page_no: 30, page_size: 100 });
    const beyond = await pageOf({ search: 'temperature' }, { page_size: 100, cursor: last.nextCursor ?? '' });
    expect(last.data.map(({ content }) => content)).toEqual(texts.slice(2900, 3000));
    expect(beyond.data.map(({ content }) => content)).toEqual(texts.slice(3000, 3100));
    expect([last.total, last.relation]).toEqual([3000, 'gte']);
  });

  it('of a conversation looks at that SIM alone', async () => {
    const { data } = await pageOf({ search: 'Level 4' }, {}, sims[0]?.id);
    expect(data).toEqual([]);
    const found = await pageOf({ search: 'débil' }, {}, sims[0]?.id);
    expect(found.data.map(({ content }) => content)).toEqual(['Señal débil', 'Señal débil']);
  });
});

describe('a list of messages of a few SIMs', () => {
  it.each<[string, MessageFilter]>([
    ['all', {}],
    ['of a time', { from: '2026-11-20T09:00:00Z', to: '2026-11-20T09:59:00Z' }],
    ['of a direction', { direction: 'mo' }],
    ['with a status', { status: ['delivered'], from: '2026-11-01T00:00:00Z' }],
    ['that say something', { search: 'temperature' }],
  ])('has %s in their order, along the cursor', async (_, filter) => {
    const { from = '2000-01-01Z', to = '2100-01-01Z', direction, status, search = '' } = filter;
    const { rows } = await database.pool.query<{ at: Date; content: string }>(
      `select at, content from sms_messages where sim_id = any($1) and org_id = $2 and at >= $3 and at < $4
         and ($5::bool is null or mobile_originated = $5) and position($6 in lower(content)) > 0
       order by at desc, id desc limit 40`,
      [
        sims.map(({ id }) => id),
        ...[orgId, from, to, direction ? direction === 'mo' : status ? false : null, search],
      ],
    );
    const iccids = sims.map(({ iccid }) => iccid);
    const first = await pageOf({ ...filter, iccids });
    const second = await pageOf({ ...filter, iccids }, { cursor: first.nextCursor ?? '' });
    const found = [...first.data, ...second.data].map(({ at: time, content }) => ({
      at: new Date(time),
      content,
    }));
    expect(found).toEqual(rows);
    expect(found.length).toBe(40);
  });
});
