import type { Page } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database, typed } from '../../../platform/db/index.ts';
import { countRows, readPage } from '../../../platform/lists/index.ts';
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

/** One in twelve contains "temperature", all contain "level"; ten are different. */
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
    scope,
    filter,
    now,
    page: { page_no: 1, page_size: 20, ...page },
  });
};
const storeCampaign = ({ at, content, messages }: { at: string; content: string; messages: number }) =>
  database.pool.query(
    `with said as (
       insert into sms_contents (org_id, at, mobile_originated, content) values ($2, $3, false, sms_search_text($4)))
     insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
     select $1, $2, $3::timestamptz, $4, false, 2, '4915', 0, 1 from generate_series(1, $5)`,
    [sims[0]?.id, orgId, at, content, messages],
  );
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

  it('finds messages of a SIM by its name and messages that contain it, each once, along the cursor', async () => {
    await storeMessages(database.pool, {
      simId: sims[1]?.id ?? 0,
      orgId,
      at: '2026-11-19T00:00:00Z',
      content: 'To Zürich, Zürich',
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

  const said = (messages: readonly { content: string }[]) => new Set(messages.map(({ content }) => content));

  it('among replies skips other messages, however rare replies are', async () => {
    const replies = `content like 'Level%' and mobile_originated and id % 3000 = 0`;
    const { rows } = await database.pool.query(
      `update sms_messages set reply_to_at = at, reply_to_id = 1 where org_id = $1 and ${replies} returning content`,
      [orgId],
    );
    expect(rows.length).toBeGreaterThan(5);
    const listed = await pageOf({ kind: 'reply', from: '2026-11-19T12:00:00Z' });
    const found = await pageOf({ kind: 'reply', search: 'level' });
    for (const page of [listed, found]) expect(said(page.data)).toEqual(said(rows));
    expect([listed.total, listed.relation]).toEqual([rows.length, 'eq']);
    expect((await pageOf({ kind: 'reply', direction: 'mt' })).total).toBe(0);
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
    expect([total, relation]).toEqual(rows.length > 1000 ? [1000, 'gte'] : [rows.length, 'eq']);
  });

  it('pages through a very frequent text by number up to the limit, and beyond it by cursor', async () => {
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

  it('finds each part of a long text, whatever its letters', async () => {
    const said = `${'0123456789 '.repeat(12)}Größe: 17.1%; Öl?! 油位 end`;
    await storeMessages(database.pool, {
      simId: sims[0]?.id ?? 0,
      orgId,
      at: '2026-10-31T00:00:00Z',
      content: said,
    });
    for (let from = 0; from + 9 <= said.length; from += 5)
      expect(await contents(said.slice(from, from + 9).trim())).toContain(said);
    expect(await contents('gr\u00F6\u00DFe: 17.1%')).toEqual([said, said]);
    expect(await contents('gro\u0308sse')).toEqual([said, said]);
    expect(await contents('17.2%')).toEqual([]);
  });

  it('shows messages of one instant, each once, along the cursor', async () => {
    await storeCampaign({ at: '2026-11-10T10:00:00Z', content: 'Campaign one', messages: 250 });
    await storeCampaign({ at: '2026-11-10T09:00:00Z', content: 'Campaign two', messages: 250 });
    const ids: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const page = await pageOf({ search: 'campaign' }, { page_size: 70, ...(cursor ? { cursor } : {}) });
      expect([page.total, page.relation]).toEqual([500, 'eq']);
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    }
    expect([ids.length, new Set(ids).size]).toEqual([500, 500]);
    expect((await pageOf({ search: 'campaign' }, { page_no: 3, page_size: 100 })).data).toHaveLength(100);
  });

  it('counts many messages of few texts only up to the limit', async () => {
    await storeCampaign({ at: '2026-11-09T10:00:00Z', content: 'Newsletter', messages: 3500 });
    const { data, total, relation } = await pageOf({ search: 'newsletter' }, { page_no: 30, page_size: 100 });
    expect([data.length, total, relation]).toEqual([100, 3000, 'gte']);
    const question = { scope: { orgId }, filter: { search: 'newsletter' }, now };
    expect(await countRows(typed(database.pool), messageList, { ...question, most: 100_000 })).toBe(3500);
  });

  it('finds a text that was only used long ago, and one that is only used now', async () => {
    await storeMessages(database.pool, {
      simId: sims[0]?.id ?? 0,
      orgId,
      at: '2026-11-20T11:00:00Z',
      content: 'Level up',
    });
    expect(await contents('level up')).toEqual(['Level up', 'Level up']);
    // Only the texts of the last 1,000 contain it.
    await database.pool.query(
      `with made as (
         insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
         select $1, $2, $3::timestamptz + i * interval '1 second', 'Reboot ' || i, false, 2, '4915', 0, 1
         from generate_series(1, 1000) as i returning org_id, at, mobile_originated, content)
       insert into sms_contents (org_id, at, mobile_originated, content)
       select org_id, at, mobile_originated, sms_search_text(content) from made`,
      [sims[1]?.id, orgId, '2026-11-20T11:10:00Z'],
    );
    const last = await pageOf({ search: 'reboot' }, { page_no: 10, page_size: 100 });
    expect([last.data.length, last.total, last.relation, last.nextCursor]).toEqual([100, 1000, 'eq', null]);
    expect(last.data.at(-1)?.content).toBe('Reboot 1');
    expect(await contents('temperature', { to: '2026-11-20T00:00:00Z' })).toHaveLength(20);
  });

  it.each([
    ['a status that most have', { status: ['delivered'] }],
    ['a status that few have', { status: ['failed'] }],
    ['SIMs', { iccids: 2 }],
  ] as const)('that many say shows those of %s', async (_, given) => {
    await database.pool.query(
      `update sms_messages set status = 3 where org_id = $1 and content like 'Level %001' and not mobile_originated`,
      [orgId],
    );
    const filter =
      'iccids' in given ? { iccids: sims.map(({ iccid }) => iccid) } : { status: [...given.status] };
    const status = 'iccids' in given ? null : given.status[0] === 'failed' ? 3 : 2;
    const { rows } = await database.pool.query<{ content: string }>(
      `select content from sms_messages where org_id = $1 and content ilike '%level%'
         and ($2::int is null or status = $2 and not mobile_originated) order by at desc, id desc`,
      [orgId, status],
    );
    const { data, total, relation, nextCursor } = await pageOf({ search: 'level', ...filter });
    expect(data.map(({ content }) => content)).toEqual(rows.slice(0, 20).map(({ content }) => content));
    const counted = rows.length > 1000 ? [1000, 'gte'] : [rows.length, 'eq'];
    expect([total, relation]).toEqual(counted);
    const next = await pageOf({ search: 'level', ...filter }, { cursor: nextCursor ?? '' });
    expect(next.data.map(({ content }) => content)).toEqual(rows.slice(20, 40).map(({ content }) => content));
    expect([next.total, next.relation]).toEqual(counted);
  });

  it('finds messages of more SIMs than are listed, by their name', async () => {
    const { pool } = database;
    await pool.query(
      `insert into sims (org_id, iccid, imsi, device_name, lifecycle, lifecycle_changed_at)
       select $1, '8949777' || lpad(i::text, 12, '0'), (262990000000000 + i)::text, 'Pump ' || i, 23, $2
       from generate_series(1, 1200) as i`,
      [orgId, now],
    );
    await pool.query(
      `insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
       select id, $1, '2026-11-05T00:00:00Z'::timestamptz + id * interval '1 second', 'hello', false, 2, '4915', 0, 1
       from sims where org_id = $1 and device_name like 'Pump %'`,
      [orgId],
    );
    const page = await pageOf({ search: 'pump' }, { page_no: 11, page_size: 100 });
    expect([page.data.length, page.total, page.relation]).toEqual([100, 1100, 'gte']);
    expect((await pageOf({ search: 'pump 77' })).total).toBe(11);
  });

  it('finds messages of SIMs by words of their names, notes and tags, with blanks in them', async () => {
    const { pool } = database;
    const tags = ['zone 8 b'];
    const named = await makeSim(pool, orgId, { deviceName: 'Boiler 8 north', notes: 'key at\ndoor 8 left' });
    const tagged = await makeSim(pool, orgId, { tags });
    await pool.query(
      `insert into org_tags (org_id, tag, sims) select $1, unnest($2::text[]), 1 on conflict (org_id, tag) do nothing`,
      [orgId, tags],
    );
    const sent = { orgId, at: '2026-11-03T00:00:00Z' };
    await storeMessages(pool, { ...sent, simId: named.id, content: 'to the boiler' });
    await storeMessages(pool, { ...sent, simId: tagged.id, content: 'to the zone' });
    const found = async (search: string) => [...new Set(await contents(search))];
    expect(await found('boiler 8 n')).toEqual(['to the boiler']);
    expect(await found('at door 8')).toEqual(['to the boiler']);
    expect(await found('ZONE 8 b')).toEqual(['to the zone']);
    expect(await found('north key')).toEqual([]);
  });

  it('finds messages of a SIM by its numbers as they are written', async () => {
    const { pool } = database;
    const { id, iccid } = await makeSim(pool, orgId, { msisdn: '34590000112345' });
    await storeMessages(pool, { simId: id, orgId, at: '2026-11-04T00:00:00Z', content: 'to one number' });
    const grouped = iccid.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    for (const search of ['34590000112345', '+34590000112345', '+34 590-000-112-345', iccid, grouped])
      expect(new Set(await contents(search)), search).toEqual(new Set(['to one number']));
  });

  it('finds messages of many SIMs that rarely send, without scanning each message', async () => {
    const { pool } = database;
    await pool.query(
      `insert into sims (org_id, iccid, imsi, device_name, lifecycle, lifecycle_changed_at)
       select $1, '8949666' || lpad(i::text, 12, '0'), (262980000000000 + i)::text, 'Valve ' || i, 23, $2
       from generate_series(1, 10100) as i`,
      [orgId, now],
    );
    await pool.query(
      `insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
       select first + i * 90, $1, '2026-10-04T00:00:00Z'::timestamptz + i * interval '1 hour', 'opened ' || i, false, 2, '4915', 0, 1
       from (select min(id) as first from sims where org_id = $1 and device_name like 'Valve %') as s, generate_series(1, 60) as i`,
      [orgId],
    );
    await pool.query('vacuum analyze sims');
    // On a single connection, so that everything it counts is visible.
    const alone = connect({
      url: database.url,
      max: 1,
      name: 'looks',
      onError: (error) => expect.fail(String(error)),
    });
    const looks = async () => {
      await alone.pool.query('select pg_stat_force_next_flush()');
      const { rows } = await alone.pool.query<{ looks: number }>(
        `select idx_scan::int as looks from pg_stat_user_indexes where indexrelname = 'sims_pkey'`,
      );
      return rows[0]?.looks ?? Number.NaN;
    };
    const before = await looks();
    const page = (asked: Page) =>
      readPage(alone.db, messageList, { scope: { orgId }, filter: { search: 'valve' }, now, page: asked });
    const first = await page({ page_no: 1, page_size: 20 });
    const last = await page({ page_no: 3, page_size: 20 });
    const next = await page({ page_no: 1, page_size: 20, cursor: first.nextCursor ?? '' });
    expect(await looks()).toBeLessThan(before + many / 2);
    await alone.close();
    const texts = Array.from({ length: 60 }, (_, index) => `opened ${60 - index}`);
    expect(first.data.map(({ content }) => content)).toEqual(texts.slice(0, 20));
    expect(next.data.map(({ content }) => content)).toEqual(texts.slice(20, 40));
    expect(last.data.map(({ content }) => content)).toEqual(texts.slice(40));
    expect([last.total, last.relation, last.nextCursor]).toEqual([60, 'eq', null]);
  });

  it('in a conversation searches only that SIM', async () => {
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
