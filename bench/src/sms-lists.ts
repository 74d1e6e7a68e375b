import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import { ensurePartitions } from '../../apps/server/src/platform/db/index.ts';
import { withClient } from './cluster.ts';
import { type Fleet, iccidOf, rareWord } from './fleet.ts';
import { readKept, writeKept } from './kept-data.ts';
import { cpuSecondsOf } from './processes.ts';
import type { Run } from './run.ts';
import { measureCall, type TimedCall, withConsole } from './timed-calls.ts';

const days = 180;
const budget = { ms: 50 };
const daysAgo = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString();
const month = { from: daysAgo(90), to: daysAgo(60) };

/** Lists, searches and conversations over half a year of messages. */
export const smsLists = async (run: Run): Promise<void> => {
  const { fleet, cluster } = await run.bigFleet();
  const { messages, sims, keep: kept, ask } = run.options;
  if (kept === undefined || !(await readKept(kept, 'messages'))) {
    run.progress(`filling ${messages.toLocaleString('en-US')} messages`);
    await withClient(fleet.databaseUrl, (client) => fillMessages(client, fleet, { messages, sims }));
    if (kept !== undefined) await writeKept(kept, 'messages', { messages });
  }
  await cluster.settle();
  const selected = calls(sims).filter(
    ({ name }) => !ask || ask.split('|').some((part) => name.includes(part)),
  );
  await withConsole(run, { fleet, name: 'sms' }, async (client, product) => {
    const cpuSeconds = () => cpuSecondsOf(product.pid) + cluster.cpuSeconds();
    for (const call of selected) await measureCall(run, client, { call, budget, cpuSeconds });
  });
  run.note(
    `${messages.toLocaleString('en-US')} messages of ${sims.toLocaleString('en-US')} SIMs in ${days} days.`,
  );
};

interface Search {
  name: string;
  filter: (attempt: number) => object;
}

const searches = (sims: number): Search[] => [
  { name: 'part of an ICCID', filter: (attempt) => ({ search: iccidOf((attempt * 7919) % sims).slice(-9) }) },
  { name: 'a word of names, one SIM in 20,000', filter: () => ({ search: rareWord }) },
  { name: 'a number of names', filter: (attempt) => ({ search: `oslo ${attempt + 1}` }) },
  { name: 'a word of names, one SIM in six', filter: () => ({ search: 'Meter' }) },
  { name: 'what all say', filter: () => ({ search: 'stat' }) },
  { name: 'what all say, page 30', filter: () => ({ search: 'stat', page_no: 30 }) },
  { name: 'what few say', filter: (attempt) => ({ search: `csq ${attempt * 7919}.` }) },
  { name: 'what one says', filter: (attempt) => ({ search: `csq ${1_000_002 + attempt * 79_191}.` }) },
  { name: 'what one in 30 says', filter: (attempt) => ({ search: `bat ${attempt % 10}` }) },
  { name: 'what one in 300 says', filter: (attempt) => ({ search: `bat ${10 + attempt}.` }) },
  { name: 'what one in 2,000 says', filter: (attempt) => ({ search: `bat ${10 + attempt}.1%` }) },
  {
    name: 'what one in 2,000 says, page 30',
    filter: (attempt) => ({ search: `bat ${10 + attempt}.1%`, page_no: 30 }),
  },
  {
    name: 'what one in 300 says, of a month',
    filter: (attempt) => ({ search: `bat ${10 + attempt}.`, ...month }),
  },
  { name: 'what is said, of a status', filter: () => ({ search: 'stat', status: ['failed'] }) },
  {
    name: 'what none says, of a status',
    filter: () => ({ search: 'reboot', status: ['failed', 'unknown'] }),
  },
  {
    name: 'what one in 2,000 says, of MO',
    filter: (attempt) => ({ search: `${10 + attempt}.1%`, direction: 'mo' }),
  },
  {
    name: 'what one in 300 says, of 1,000 SIMs',
    filter: (attempt) => ({
      search: `bat ${10 + attempt}.`,
      iccids: Array.from({ length: 1000 }, (_, index) => iccidOf((attempt * 977 + index * 131) % sims)),
    }),
  },
  { name: 'two letters, of ASCII', filter: () => ({ search: 'ok' }) },
  { name: 'three letters', filter: (attempt) => ({ search: String(100 + attempt * 17) }) },
  { name: 'punctuation and a digit', filter: (attempt) => ({ search: `.${attempt % 10}%` }) },
  { name: 'what none says', filter: (attempt) => ({ search: `temperature ${attempt}` }) },
  { name: 'what none says, two Chinese characters', filter: () => ({ search: '水位' }) },
];

const calls = (sims: number): TimedCall[] => {
  const { list, listReplies, listOfSim, usage } = endpoints.sms;
  const listCall = (name: string, filter: (attempt: number) => object): TimedCall => ({
    name,
    endpoint: list,
    request: (attempt) => ({ body: { page_size: 50, ...filter(attempt) } }),
  });
  return [
    listCall('messages', () => ({})),
    listCall('messages, page 20', () => ({ page_no: 20 })),
    listCall('messages, failed', () => ({ status: ['failed'] })),
    listCall('messages, delivered, of one day', (attempt) => ({
      status: ['delivered'],
      from: daysAgo(attempt + 2),
      to: daysAgo(attempt + 1),
    })),
    listCall('messages of ten SIMs', (attempt) => ({
      iccids: Array.from({ length: 10 }, (_, index) => iccidOf((attempt * 977 + index * 13) % sims)),
    })),
    ...searches(sims).map(({ name, filter }) => listCall(`search: ${name}`, filter)),
    { name: 'replies', endpoint: listReplies, request: () => ({ body: { page_size: 50 } }) },
    {
      name: 'conversation with a SIM',
      endpoint: listOfSim,
      request: (attempt) => ({ query: { iccid: iccidOf((attempt * 7919) % sims), page_size: '50' } }),
    },
    { name: 'usage', endpoint: usage, request: () => ({}) },
  ];
};

/** One in three messages is from a device, nine in ten of these are replies; one in fifty of those sent failed. Analyses all tables. */
const fillMessages = async (
  client: pg.Client,
  { orgId }: Fleet,
  { messages, sims }: { messages: number; sims: number },
): Promise<void> => {
  const now = Date.now();
  const stepMs = (days * dayMs) / messages;
  await ensurePartitions(client, new Date(now - days * dayMs), new Date(now));
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '1GB'");
  const messageNumberAt = (at: number) => Math.min(messages, Math.max(0, Math.ceil((now - at) / stepMs) - 1));
  for (const month of await partitionsOf(client, 'sms_messages')) {
    const [last, first] = [messageNumberAt(month.from), messageNumberAt(month.to) + 1];
    if (last < first) continue;
    await whileDetached(client, month, () =>
      client.query(
        `insert into ${month.name} (sim_id, at, id, org_id, mobile_originated, status, reason, msisdn, content, encoding,
         parts, sent_at, settled_at, scheduled, missing_parts, sent_parts, delivered_parts, charged_org_ids,
         reply_to_at, reply_to_id)
       select s.first + (i * 7919) % $2, t, $3 - i + 1, $1, i % 3 = 0,
         case when i % 3 = 0 then 5 when i % 50 = 1 then 3 else 2 end,
         case when i % 50 = 1 and i % 3 > 0 then 'undeliverable' end, '4915' || lpad(((i * 7919) % $2)::text, 9, '0'),
         case when i % 3 = 0 then format('OK bat %s.%s%% csq %s.', i % 100, i % 7, i) else 'STATUS' end, 0, 1, t, t,
         false, 0, 0, 0, '{}', case when i % 3 = 0 and i % 30 > 0 then t end, case when i % 3 = 0 and i % 30 > 0 then $3 - i end
       from (select min(id) as first from sims where org_id = $1) s,
         generate_series($4::bigint, $5::bigint, -1) as i
         cross join lateral (
           select to_timestamp(floor($6::float8 - i * $7::float8) / 1000) as t) as times`,
        [orgId, sims, messages, last, first, now, stepMs],
      ),
    );
    const contentsPartition = month.name.replace('sms_messages', 'sms_contents');
    await whileDetached(client, { ...month, name: contentsPartition, table: 'sms_contents' }, () =>
      client.query(
        `insert into ${contentsPartition} (org_id, at, id, mobile_originated, scheduled, content)
         select org_id, at, id, mobile_originated, scheduled, sms_search_text(content) from ${month.name}`,
      ),
    );
  }
  for (const table of ['sms_messages', 'sms_contents'])
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, messages]);
  await client.query('vacuum (analyze) sms_messages, sms_contents');
};

interface Partition {
  table: string;
  name: string;
  from: number;
  to: number;
}

const partitionsOf = async (client: pg.Client, table: string): Promise<Partition[]> => {
  const { rows } = await client.query<{ name: string; bounds: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds from pg_class c
     join pg_inherits i on i.inhrelid = c.oid where i.inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ name, bounds }) => {
    const [from = Number.NaN, to = Number.NaN] = [...bounds.matchAll(/'([^']+)\+00'/g)].map(([, at]) =>
      Date.parse(`${at}Z`),
    );
    return { table, name, from, to };
  });
};

/** Writes rows of a partition before its indexes, including the key, are created and before it is attached. */
const whileDetached = async (
  client: pg.Client,
  { table, name, from, to }: Partition,
  write: () => Promise<unknown>,
): Promise<void> => {
  await client.query(`alter table ${table} detach partition ${name}`);
  const { rows: keys } = await client.query<{ key: string; definition: string }>(
    `select conname as key, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype = 'p'`,
    [name],
  );
  for (const { key } of keys) await client.query(`alter table ${name} drop constraint ${key}`);
  await withoutIndexes(client, name, write);
  for (const { key, definition } of keys)
    await client.query(`alter table ${name} add constraint ${key} ${definition}`);
  const [first, end] = [from, to].map((at) => new Date(at).toISOString());
  await client.query(
    `alter table ${table} attach partition ${name} for values from ('${first}') to ('${end}')`,
  );
};

/** Writes rows without any index except the key; the indexes are created afterwards. */
export const withoutIndexes = async (
  client: pg.Client,
  table: string,
  write: () => Promise<unknown>,
): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass and not i.indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await write();
  for (const { definition } of rows) await client.query(definition);
};
