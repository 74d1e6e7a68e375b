import { folded } from '@simcube/contract';
import type { SmsStatus } from '@simcube/contract/sms';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, typed } from '../../../platform/db/index.ts';
import { countRows, readPage } from '../../../platform/lists/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { messageList } from './message-list.views.ts';
import type { MessageFilter } from './message-rows.views.ts';

interface Plain {
  id: string;
  at: number;
  iccid: string;
  mobileOriginated: boolean;
  status: number;
  content: string;
  /** Texts of its SIM. */
  texts: string;
}

const quantity = { sims: 12_500, messages: 90_000 };
const end = '2026-11-20T00:00:00Z';
const now = new Date('2026-11-21T12:00:00Z');
let database: Database;
let orgId: number;
let all: Plain[];

/** Words in the names of half, one in 90 and one in 2,000 SIMs; texts in many, some and few messages. */
beforeAll(async () => {
  database = await testDatabase();
  const { pool } = database;
  orgId = (await insertTestOrganisation(pool)).id;
  await pool.query(
    `insert into sims (org_id, iccid, imsi, device_name, lifecycle, lifecycle_changed_at)
     select $1, '8949030' || lpad(i::text, 12, '0'), (262990000000000 + i)::text,
       case when i % 2 = 0 then 'Meter ' else 'Truck ' end || case when i % 90 = 0 then 'Oslo ' else '' end
         || case when i % 2000 = 1999 then 'Zeppelin ' else '' end || i, 23, $3
     from generate_series(1, $2) as i`,
    [orgId, quantity.sims, now],
  );
  // Three of each instant, and none in one month.
  await pool.query(
    `with made as (
       insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
       select s.first + (i * 7919) % $2, $1, $4::timestamptz - i / 3 * interval '2 minutes' - case when i > 50000
           then interval '40 days' else interval '0' end,
         case i % 4 when 0 then 'Bat ' || i % 97 || '.' || i % 7 || '%' when 1 then 'STATUS' when 2 then 'level ' || i
           else case when i % 1000 = 3 then 'Meter Oslo 水位' else 'Reading ' || i % 700 end end,
         i % 2 = 0, case when i % 2 = 0 then 5 when i % 50 = 1 then 3 else 2 end, '4915', 0, 1
       from generate_series(1, $3) as i, (select min(id) as first from sims where org_id = $1) as s
       returning org_id, at, mobile_originated, content)
     insert into sms_contents (org_id, at, mobile_originated, content)
     select org_id, at, mobile_originated, sms_search_text(content) from made`,
    [orgId, quantity.sims, quantity.messages, end],
  );
  await pool.query('vacuum (analyze) sims, sms_messages, sms_contents');
  const { rows } = await pool.query<Plain & { number: string }>(
    `select m.id::text as number, (extract(epoch from at) * 1000)::float8 as at, iccid, mobile_originated as "mobileOriginated",
       status, content, concat_ws(E'\\n', iccid, imsi, device_name) as texts
     from sms_messages m join sims s on s.id = sim_id order by at desc, m.id desc`,
  );
  all = rows.map(({ number, ...row }) => ({
    ...row,
    id: `${row.iccid}-${row.at}-${number}`,
    texts: folded(row.texts),
    content: folded(row.content),
  }));
});
afterAll(() => database.close());

const statusNumbers: Partial<Record<SmsStatus, number>> = { delivered: 2, failed: 3 };

const plain = ({ search = '', from, to, direction, status, iccids }: MessageFilter): Plain[] => {
  const text = folded(search);
  const [first, last] = [from, to].map((time) => (time === undefined ? undefined : Date.parse(time)));
  const numbers = status?.map((one) => statusNumbers[one]);
  return all.filter(
    (one) =>
      (one.content.includes(text) || one.texts.includes(text)) &&
      (first === undefined || one.at >= first) &&
      (last === undefined || one.at < last) &&
      (direction === undefined || one.mobileOriginated === (direction === 'mo')) &&
      (numbers === undefined || (!one.mobileOriginated && numbers.includes(one.status))) &&
      (iccids === undefined || iccids.includes(one.iccid)),
  );
};

const times = fc.constantFrom(
  '2026-11-19T00:00:00Z',
  '2026-11-02T00:00:00.000Z',
  '2026-10-20T10:00:00Z',
  '2026-09-15T00:00:00Z',
  '2026-08-01T00:00:00Z',
);
const filters: fc.Arbitrary<MessageFilter> = fc.record(
  {
    search: fc.oneof(
      fc.constantFrom(
        ...['status', 'bat ', 'bat 12.', 'bat 12.3%', 'reading 9', 'reading 69', 'level 4', 'level 44444'],
        ...['meter', 'truck', 'oslo', 'meter oslo', 'zeppelin', 'oslo 4', '水位', '.3%', '117', '000001234'],
        ...['nothing at all', '8949030'],
      ),
      fc.integer({ min: 100, max: 12_500 }).map(String),
    ),
    from: times,
    to: times,
    direction: fc.constantFrom('mo' as const, 'mt' as const),
    status: fc.constantFrom<SmsStatus[]>(['failed'], ['delivered']),
    iccids: fc
      .record({
        from: fc.nat(11_000),
        sims: fc.constantFrom(0, 1, 15, 300, 1000),
        step: fc.constantFrom(1, 7, 11),
      })
      .map(({ from, sims, step }) =>
        Array.from({ length: sims }, (_, index) => {
          const number = 1 + ((from + index * step) % quantity.sims);
          return `8949030${String(number).padStart(12, '0')}`;
        }),
      ),
  },
  { requiredKeys: ['search'] },
);

/** Finds more messages than are counted, but fewer than are skipped for the page. */
const beyondTheLast: MessageFilter = {
  search: 'status',
  from: '2026-09-15T00:00:00Z',
  iccids: Array.from({ length: 1000 }, (_, index) => `8949030${String(index + 1).padStart(12, '0')}`),
};

it('finds the same messages as a full scan, with any filter', async () => {
  const db = typed(database.pool);
  const pages = fc.record({ page_no: fc.constantFrom(1, 1, 2, 30), page_size: fc.constantFrom(5, 50, 100) });
  await fc.assert(
    fc.asyncProperty(filters, pages, async (filter, page) => {
      const expected = plain(filter);
      const question = { scope: { orgId }, filter, now };
      const offset = (page.page_no - 1) * page.page_size;
      const first = await readPage(db, messageList, { ...question, page });
      const ids = expected.map(({ id }) => id);
      expect(first.data.map(({ id }) => id)).toEqual(ids.slice(offset, offset + page.page_size));
      const isTotal = (total: number, relation: string) =>
        relation === 'eq'
          ? total === ids.length
          : total <= ids.length && (total > offset || offset >= ids.length);
      expect([first.total, first.relation, ids.length]).toSatisfy(([total, relation]) =>
        isTotal(total, relation),
      );
      const isLast = offset + page.page_size >= ids.length;
      expect(first.nextCursor === null).toBe(isLast);
      if (first.nextCursor === null) return;
      const next = await readPage(db, messageList, {
        ...question,
        page: { page_no: 1, page_size: 20, cursor: first.nextCursor },
      });
      const after = offset + page.page_size;
      expect(next.data.map(({ id }) => id)).toEqual(ids.slice(after, after + 20));
    }),
    { numRuns: 150, examples: [[beyondTheLast, { page_no: 30, page_size: 50 }]] },
  );
});

it('counts for a file each message that is found', async () => {
  const question = { scope: { orgId }, now };
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const counted = await countRows(typed(database.pool), messageList, {
        ...question,
        filter,
        most: 100_000,
      });
      expect(counted).toBe(plain(filter).length);
    }),
    { numRuns: 50 },
  );
});
