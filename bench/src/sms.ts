import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@simcube/contract';
import type pg from 'pg';
import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type ConsoleClient, signIn } from './console-client.ts';
import { type Fleet, fill, iccidOf, makeFleet } from './fleet.ts';
import { isKannelInstalled, measureKannelRate } from './kannel.ts';
import { cpuSecondsOf } from './processes.ts';
import { type Product, startProduct } from './product.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';
import { compareMessages, connectSmsc, disconnectSmsc, makeReachable, window } from './sms-data.ts';
import { type BenchSmsc, readSubmitted, startBenchSmsc } from './sms-smsc.ts';

const messages = 20_000;
const drillMessages = 10_000;
const burstSize = 1000;
const budgets = { rate: 2000, share: 0.5, sendMs: 2000 };
const timeoutMs = 120_000;

/** Messages to SIMs: rate, time for the first thousand, and the state after a kill -9. */
export const sms = async (run: Run): Promise<void> => {
  const cluster = await startCluster({ trackStatements: run.options.statements });
  try {
    const fleet = await makeFleet(cluster, { database: 'sms', pastDays: 31 });
    await fill(fleet, messages, { plain: true });
    await withClient(fleet.databaseUrl, async (client) => {
      const setup = { run, cluster, fleet, client };
      await makeReachable(client);
      // Excludes the cost of creating the fleet.
      await cluster.costliestStatements();
      await measureRate(setup);
      for (const line of await cluster.costliestStatements()) run.note(line);
      await measureSendTime(setup);
      await drill(setup);
    });
  } finally {
    await cluster.stop();
  }
};

interface SmsBenchSetup {
  run: Run;
  cluster: Cluster;
  fleet: Fleet;
  client: pg.Client;
}

const startServer = ({ fleet, run }: SmsBenchSetup): Promise<Product> =>
  startProduct({ ...fleet, roles: 'web,worker', profile: run.options.profile });

/** Waits until no message is in these states. */
const waitForNone = async ({ client }: SmsBenchSetup, states: readonly number[]): Promise<void> => {
  const unsettled = 'select from sms_parts where state = any($1::smallint[]) limit 1';
  for (
    const end = Date.now() + timeoutMs;
    (await client.query(unsettled, [states])).rowCount;
    await sleep(50)
  )
    if (Date.now() > end) throw new Error('Messages are not settled');
};

const acceptMessages = async (setup: SmsBenchSetup, console: ConsoleClient, count: number): Promise<void> => {
  const { client } = setup;
  const before = await client.query<{ id: number }>(
    'select coalesce(max(id), 0)::int as id from sms_messages',
  );
  const body = { selection: { filter: {} }, content: 'STATUS', preview: false };
  await console.call(endpoints.sms.send, { body });
  const newMessages = 'select count(*)::int as count from sms_messages where id > $1';
  for (const end = Date.now() + timeoutMs; ; await sleep(100)) {
    const { rows } = await client.query<{ count: number }>(newMessages, [before.rows[0]?.id]);
    if ((rows[0]?.count ?? 0) >= count) return;
    if (Date.now() > end) throw new Error('The task did not accept the messages');
  }
};

const measureRate = async (setup: SmsBenchSetup): Promise<void> => {
  const { run, client, cluster } = setup;
  const smsc = await startBenchSmsc();
  const product = await startServer(setup);
  try {
    const console = await signIn(product, setup.fleet);
    const rates: number[] = [];
    const costs: number[][] = [];
    for (let round = -1; round < run.options.rounds; round += 1) {
      run.progress(round < 0 ? 'warming up' : `MT, round ${round + 1}`);
      await acceptMessages(setup, console, messages);
      await client.query('vacuum (analyze) sms_parts');
      await cluster.settle();
      await smsc.takeStats();
      const cpuSeconds = () => [product.pid, cluster.postmaster(), smsc.pid].map(cpuSecondsOf);
      const before = cpuSeconds();
      await connectSmsc(setup, smsc);
      await waitForNone(setup, [0, 2, 3]);
      const cost = cpuSeconds().map((after, index) => ((after - (before[index] ?? 0)) / messages) * 1e6);
      const { firstAt } = await smsc.takeStats();
      await disconnectSmsc(setup);
      const { rows } = await client.query<{ last: number; delivered: number }>(
        `select extract(epoch from max(settled_at))::float8 * 1000 as last, count(*)::int as delivered
         from sms_messages where status = 2 and settled_at >= to_timestamp($1::float8 / 1000)`,
        [firstAt],
      );
      const [result] = rows;
      if (result?.delivered !== messages) throw new Error(`${result?.delivered} messages were delivered`);
      if (round < 0) continue;
      rates.push(messages / ((result.last - firstAt) / 1000));
      costs.push(cost);
    }
    const rate = median(rates);
    const kannel = await measureKannel(setup, smsc);
    const [share, budget] = kannel
      ? [rate / kannel, `${budgets.share} ×, ${budgets.rate} /s`]
      : [1, `${budgets.rate} /s`];
    run.add({
      what: 'MT: stored, sent, receipted, settled',
      measured: rate,
      unit: '/s',
      budget,
      ...(kannel && { baseline: kannel, ratio: share }),
      met: rate >= budgets.rate && share >= budgets.share,
    });
    const [server, database, other] = [0, 1, 2].map((side) =>
      Math.round(median(costs.map((cost) => cost[side] ?? 0))),
    );
    run.note(`CPU time for a message: server ${server} µs, database ${database} µs, SMSC ${other} µs.`);
    run.note(
      `${messages.toLocaleString('en-US')} messages at window ${window}, from the first submit to the last stored receipt; ` +
        `the SMSC shares the processors. ${kannel ? 'Baseline: Kannel 1.4.5 (mtbatch), nothing stored.' : 'Kannel is not installed (package kannel).'}`,
    );
  } finally {
    await product.stop();
    await smsc.kill();
  }
};

const measureKannel = async (
  { run, cluster }: SmsBenchSetup,
  smsc: BenchSmsc,
): Promise<number | undefined> => {
  if (!run.options.baseline || !isKannelInstalled()) return undefined;
  run.progress('MT, Kannel');
  const rates: number[] = [];
  for (let round = 0; round < run.options.rounds; round += 1)
    rates.push(await measureKannelRate({ smsc, directory: cluster.directory, messages, window }));
  return median(rates);
};

const measureSendTime = async (setup: SmsBenchSetup): Promise<void> => {
  const { run } = setup;
  const smsc = await startBenchSmsc();
  const product = await startServer(setup);
  try {
    const console = await signIn(product, setup.fleet);
    await connectSmsc(setup, smsc);
    const iccids = Array.from({ length: burstSize }, (_, index) => iccidOf(index));
    const times: number[] = [];
    for (let round = -1; round < run.options.rounds; round += 1) {
      run.progress('from a send to its last submit');
      await waitForNone(setup, [0, 2]);
      await smsc.takeStats();
      const begin = Date.now();
      await console.call(endpoints.sms.send, {
        body: { selection: { iccids }, content: 'STATUS', preview: false },
      });
      let last = 0;
      for (let submits = 0; submits < burstSize; await sleep(20)) {
        const seen = await smsc.takeStats();
        submits += seen.submits;
        last = seen.lastAt || last;
        if (Date.now() - begin > timeoutMs)
          throw new Error(`${submits} of ${burstSize} messages were submitted`);
      }
      if (round >= 0) times.push(last - begin);
    }
    const measured = median(times);
    run.add({
      what: `send to ${burstSize} SIMs, to the last submit`,
      measured,
      unit: 'ms',
      budget: `${budgets.sendMs} ms`,
      met: measured <= budgets.sendMs,
    });
    await waitForNone(setup, [0, 2]);
    await disconnectSmsc(setup);
  } finally {
    await product.stop();
    await smsc.kill();
  }
};

/** Kills first the server, then the SMSC while it runs: nothing may be lost, and only unknown messages may be doubled. */
const drill = async (setup: SmsBenchSetup): Promise<void> => {
  const { run, client, cluster } = setup;
  run.progress('kill -9 of the server and of the SMSC');
  const file = join(cluster.directory, 'submitted');
  let smsc = await startBenchSmsc({ file });
  let product = await startServer(setup);
  try {
    await client.query('delete from sms_messages');
    await acceptMessages(setup, await signIn(product, setup.fleet), messages);
    await client.query(
      `with kept as (select id from sms_messages order by id limit $1), gone as (
         delete from sms_messages where id not in (select id from kept) returning id)
       delete from sms_parts p using gone where p.message_id = gone.id`,
      [drillMessages],
    );
    await connectSmsc(setup, smsc);
    await waitForSubmits(file, drillMessages * 0.3);
    process.kill(product.pid, 'SIGKILL');
    product = await startServer(setup);
    await waitForSubmits(file, drillMessages * 0.6);
    await smsc.kill();
    await sleep(500);
    smsc = await startBenchSmsc({ port: smsc.port, file });
    await waitForNone(setup, [0]);
    await sleep(2000);
    await reportLosses(setup, file);
    await disconnectSmsc(setup);
  } finally {
    await product.stop();
    await smsc.kill();
  }
};

const waitForSubmits = async (file: string, count: number): Promise<void> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(10)) {
    const submits = await Promise.resolve()
      .then(() => readSubmitted(file).length)
      .catch(() => 0);
    if (submits >= count) return;
  }
  throw new Error(`${count} messages were not submitted`);
};

const reportLosses = async ({ run, client }: SmsBenchSetup, file: string): Promise<void> => {
  const { messages: all, unknown, lost, doubled, delivered, sent } = await compareMessages(client, file);
  const zero = { unit: '', budget: '0' };
  run.add({ ...zero, what: 'lost by kill -9 of server and SMSC', measured: lost, met: lost === 0 });
  run.add({ ...zero, what: 'doubled, but for the unknown', measured: doubled, met: doubled === 0 });
  run.note(
    `kill -9 in the middle of ${all.toLocaleString('en-US')} messages: ${unknown} are unknown, ` +
      `${delivered} delivered, ${sent} sent (their receipts died with the SMSC).`,
  );
};
