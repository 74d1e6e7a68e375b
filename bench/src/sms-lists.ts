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

/** One in three is an answer; of those sent one in fifty failed. */
const fillMessages = async (
  client: pg.Client,
  { orgId }: Fleet,
  { messages, sims }: { messages: number; sims: number },
): Promise<void> => {
  await ensurePartitions(client, new Date(Date.now() - days * 86_400_000), new Date());
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '1GB'");
  await withoutIndexes(client, 'sms_messages', () =>
    client.query(
      `insert into sms_messages (sim_id, at, org_id, mobile_originated, status, reason, msisdn, content, encoding, parts,
       sent_at, settled_at)
     select s.first + (i * 7919) % $3, t, $1, i % 3 = 0, case when i % 3 = 0 then 5 when i % 50 = 1 then 3 else 2 end,
       case when i % 50 = 1 and i % 3 > 0 then 'undeliverable' end, '4915' || lpad(((i * 7919) % $3)::text, 9, '0'),
       case when i % 3 = 0 then format('OK bat %s.%s%% csq %s.', i % 100, i % 7, i) else 'STATUS' end, 0, 1, t, t
     from (select min(id) as first from sims where org_id = $1) s, generate_series(1, $2::bigint) as i
       cross join lateral (select now() - i * (interval '${days} days' / $2::bigint) as t) as times`,
      [orgId, messages, sims],
    ),
  );
  await withoutIndexes(client, 'sms_contents', () =>
    client.query(
      `insert into sms_contents (org_id, at, mobile_originated, content)
     select org_id, at, mobile_originated, sms_search_text(content) from sms_messages`,
    ),
  );
  await client.query('vacuum (analyze) sms_messages, sms_contents');
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
