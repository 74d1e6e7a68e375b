import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import { ensurePartitions } from '../../apps/server/src/platform/db/index.ts';
import { withClient } from './cluster.ts';
import { type Fleet, iccidOf } from './fleet.ts';
import type { Run } from './run.ts';
import { addTimed, atConsole, type TimedCall } from './timed-calls.ts';

const days = 180;
const budget = { ms: 50 };

/** Lists and conversations over half a year of messages. */
export const measureMessageLists = async (run: Run): Promise<void> => {
  const { fleet, cluster } = await run.bigFleet();
  const { messages, sims } = run.options;
  run.progress(`filling ${messages.toLocaleString('en-US')} messages`);
  await withClient(fleet.databaseUrl, (client) => fillMessages(client, fleet, { messages, sims }));
  await cluster.settle();
  await atConsole(run, { fleet, name: 'sms' }, async (client) => {
    for (const call of calls(sims)) await addTimed(run, client, { call, budget });
  });
  run.note(
    `${messages.toLocaleString('en-US')} messages of ${sims.toLocaleString('en-US')} SIMs in ${days} days.`,
  );
};

const calls = (sims: number): TimedCall[] => {
  const { list, listReplies, listOfSim, usage } = endpoints.sms;
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  const listed = (name: string, filter: (attempt: number) => object): TimedCall => ({
    ...{ name, endpoint: list },
    request: (attempt) => ({ body: { page_size: 50, ...filter(attempt) } }),
  });
  return [
    listed('messages', () => ({})),
    listed('messages, page 20', () => ({ page_no: 20 })),
    listed('messages, failed', () => ({ status: ['failed'] })),
    listed('messages, delivered, of one day', (attempt) => ({
      ...{ status: ['delivered'], from: day(attempt + 2), to: day(attempt + 1) },
    })),
    listed('messages of ten SIMs', (attempt) => ({
      iccids: Array.from({ length: 10 }, (_, index) => iccidOf((attempt * 977 + index * 13) % sims)),
    })),
    listed('messages, search', (attempt) => ({ search: iccidOf((attempt * 7919) % sims).slice(-9) })),
    listed('messages that say what all say', () => ({ search: 'stat' })),
    listed('messages that say what few say', (attempt) => ({ search: `csq ${attempt * 7919}.` })),
    listed('messages that say what one in hundreds says', (attempt) => ({
      search: `bat ${attempt % 10}7.1%`,
    })),
    listed('messages that say what none says', () => ({ search: '水位' })),
    {
      ...{ name: 'replies', endpoint: listReplies },
      request: () => ({ body: { page_size: 50 } }),
    },
    {
      ...{ name: 'conversation with a SIM', endpoint: listOfSim },
      request: (attempt) => ({ query: { iccid: iccidOf((attempt * 7919) % sims), page_size: '50' } }),
    },
    { name: 'usage', endpoint: usage, request: () => ({}) },
  ];
};

/** One in three is an answer; of those sent one in fifty failed. Everything is analysed then, as autovacuum would. */
const fillMessages = async (
  client: pg.Client,
  { orgId }: Fleet,
  { messages, sims }: { messages: number; sims: number },
): Promise<void> => {
  const now = Date.now();
  const stepMs = (days * 86_400_000) / messages;
  await ensurePartitions(client, new Date(now - days * 86_400_000), new Date(now));
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '1GB'");
  const numbered = (at: number) => Math.min(messages, Math.max(0, Math.ceil((now - at) / stepMs) - 1));
  for (const month of await partitionsOf(client, 'sms_messages')) {
    const [last, first] = [numbered(month.from), numbered(month.to) + 1];
    if (last < first) continue;
    await detached(client, month, () =>
      client.query(
        `insert into ${month.name} (sim_id, at, id, org_id, mobile_originated, status, reason, msisdn, content, encoding,
         parts, sent_at, settled_at, scheduled, missing_parts, sent_parts, delivered_parts, charged_org_ids)
       select s.first + (i * 7919) % $2, t, $3 - i + 1, $1, i % 3 = 0,
         case when i % 3 = 0 then 5 when i % 50 = 1 then 3 else 2 end,
         case when i % 50 = 1 and i % 3 > 0 then 'undeliverable' end, '4915' || lpad(((i * 7919) % $2)::text, 9, '0'),
         case when i % 3 = 0 then format('OK bat %s.%s%% csq %s.', i % 100, i % 7, i) else 'STATUS' end, 0, 1, t, t,
         false, 0, 0, 0, '{}'
       from (select min(id) as first from sims where org_id = $1) s,
         generate_series($4::bigint, $5::bigint, -1) as i
         cross join lateral (select to_timestamp(($6::float8 - i * $7::float8) / 1000) as t) as times`,
        [orgId, sims, messages, last, first, now, stepMs],
      ),
    );
    const said = month.name.replace('sms_messages', 'sms_contents');
    await detached(client, { ...month, name: said, table: 'sms_contents' }, () =>
      client.query(
        `insert into ${said} (org_id, at, id, mobile_originated, scheduled, content)
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

/** Rows of a partition are written before it has its indexes, the key among them, and before it is one. */
const detached = async (
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

/** Rows are written without the indexes but the key, which are made afterwards. */
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
