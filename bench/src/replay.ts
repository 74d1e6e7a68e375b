import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints } from '@simcube/contract';
import type { NewTrigger, Replay } from '@simcube/contract/autoflow';
import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import { computeCounts } from './cdr-counts.ts';
import { rollups } from './cdr-records.ts';
import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type ConsoleClient, signIn } from './console-client.ts';
import { type Fleet, fill, firstImsi, makeFleet, radiusSecret } from './fleet.ts';
import { openKeptCluster, readKept, writeKept } from './kept-data.ts';
import { type Product, startProduct } from './product.ts';
import { median } from './report.ts';
import { type Run, reopenFleet } from './run.ts';
import { openSteadyLoad } from './steady-load.ts';

const budgetMs = 5000;
const maxRecords = 10_000_000;
const days = 30;
const runs = 3;
const intakeMs = 20_000;
/** As fast as it is acknowledged: a rate that no server reaches. */
const saturatingRate = 1_000_000;

const triggers: Record<string, NewTrigger> = {
  'usage of a day reaches 8 MB': {
    kind: 'data-usage',
    period: 'day',
    threshold: { unit: 'MB', amount: 8 },
  },
  'usage of the cycle reaches 40 MB': {
    kind: 'data-usage',
    period: 'cycle',
    threshold: { unit: 'MB', amount: 40 },
  },
};

/** Replays of rules on usage over 30 days of an organisation's records, and their effect on intake. */
export const replay = async (run: Run): Promise<void> => {
  const { options } = run;
  const { fleet, cluster, records } = await prepareSetup(run);
  const started: { stop(): Promise<unknown> }[] = [];
  try {
    await cluster.settle();
    await cluster.costliestStatements();
    const product = await startProduct({ ...fleet, roles: 'web,worker', profile: options.profile });
    started.push(product);
    const client = await signIn(product, fleet);
    for (const [name, trigger] of Object.entries(triggers)) await addReplay(run, client, { name, trigger });
    for (const line of await cluster.costliestStatements()) run.note(line);
    const aaa = await startProduct({ ...fleet, roles: 'aaa', radiusSecret });
    started.push(aaa);
    await addIntake(run, client, aaa);
    run.note(
      `${records.toLocaleString('en-US')} records of ${options.sims.toLocaleString('en-US')} SIMs; the time is from the call ` +
        'that asks for the replay to the answer that has all of it. Intake: 2,000 sessions, each with its next packet as soon as ' +
        'the last was answered, while one replay follows the other.',
    );
  } finally {
    for (const program of started.toReversed()) await program.stop();
    await cluster.stop();
  }
};

interface ReplaySetup {
  fleet: Fleet;
  cluster: Cluster;
  records: number;
}

const database = 'replay';

/** SIMs with 30 days of records and computed hours; reuses those of an earlier run if available. */
const prepareSetup = async (run: Run): Promise<ReplaySetup> => {
  const { options, progress } = run;
  const trackStatements = options.statements;
  const cluster = await (options.keep === undefined
    ? startCluster({ trackStatements })
    : openKeptCluster(options.keep, { trackStatements }));
  try {
    const result =
      options.keep === undefined
        ? undefined
        : await readKept<Pick<ReplaySetup, 'fleet' | 'records'>>(options.keep, database);
    const setup = result
      ? { ...(await reopenFleet(cluster, result.fleet, database)), records: result.records }
      : await createSetup(run, cluster);
    if (!result && options.keep !== undefined) {
      await writeKept(options.keep, database, { fleet: setup.fleet, records: setup.records });
    }
    progress('computing hours and days');
    await computeCounts(run, setup.fleet);
    return setup;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
};

const createSetup = async ({ options, progress }: Run, cluster: Cluster): Promise<ReplaySetup> => {
  const records = Math.min(options.cdrs, maxRecords);
  const fleet = await makeFleet(cluster, { database, pastDays: days + 10 });
  await fill(fleet, options.sims, { plain: true });
  progress(`${records.toLocaleString('en-US')} records of ${days} days`);
  await withClient(fleet.databaseUrl, (client) =>
    fillRecords(client, fleet, { records, sims: options.sims }),
  );
  return { fleet, cluster, records };
};

const begin = `(date_trunc('day', now(), 'UTC') - interval '${days - 1} days')`;

/** Fills in records by day, with daily totals and the counters of the current cycle. */
const fillRecords = async (
  client: pg.Client,
  { orgId }: Fleet,
  { records, sims }: { records: number; sims: number },
): Promise<void> => {
  await client.query("set synchronous_commit = off; set work_mem = '256MB'");
  const perDay = Math.floor(records / days);
  // Created afterwards, which is several times as fast.
  await client.query('drop index cdrs_org_idx');
  for (let day = 0; day < days; day += 1)
    await client.query(
      `insert into cdrs (sim_id, ended_at, plmn, radio, source, apn, session_key, up_bytes, down_bytes, dedupe_key, started_at,
         org_id, cell)
       select sim_id, ended_at, 262002, 3, 1, 'iot.example', sim_id, 100000, (9000000 * power(random(), 4))::bigint,
         $2::bigint * ${maxRecords} + i, ended_at - interval '10 minutes', $1, null
       from (
         select i, (select min(id) from sims) + ((i + $2::bigint * $4) * 7919) % $3::bigint as sim_id,
           ${begin} + make_interval(days => $2::integer) + random() * least(interval '1 day', now() - ${begin}
             - make_interval(days => $2::integer)) as ended_at
         from generate_series(1, $4::bigint) as i) as made order by ended_at`,
      [orgId, day, sims, perDay],
    );
  await client.query(
    `insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     select sim_id, (ended_at at time zone 'UTC')::date, plmn, radio, sum(up_bytes), sum(down_bytes), count(*)
     from cdrs group by 1, 2, 3, 4`,
  );
  await client.query('create index cdrs_org_idx on cdrs (org_id, ended_at)');
  for (const rollup of rollups) await client.query(rollup, [new Date(0), new Date(Date.now() + dayMs)]);
  await client.query(
    `update sim_live l set used_bytes = u.bytes from (
       select sim_id, sum(up_bytes + down_bytes) as bytes from cdrs
       where ended_at >= date_trunc('month', now()) group by 1) as u
     where u.sim_id = l.sim_id`,
  );
  await client.query('vacuum (analyze) cdrs, usage_daily, sim_live, org_usage_hourly, org_usage_daily');
};

/** @returns milliseconds and results */
const timeReplay = async (
  client: ConsoleClient,
  trigger: NewTrigger,
): Promise<{ ms: number; result: Replay }> => {
  const startedAt = performance.now();
  const { response } = await client.call(endpoints.autoflow.replay, { body: { trigger } });
  let result = response.data as Replay;
  while (result.state === 'waiting' || result.state === 'running') {
    await sleep(20);
    const response = await client.call(endpoints.autoflow.readReplay, { params: { replayId: result.id } });
    result = response.response.data as Replay;
  }
  if (result.state !== 'done') throw new Error(`The replay is ${result.state}`);
  return { ms: performance.now() - startedAt, result };
};

const addReplay = async (
  { add, progress }: Run,
  client: ConsoleClient,
  { name, trigger }: { name: string; trigger: NewTrigger },
): Promise<void> => {
  progress(name);
  const times: number[] = [];
  let last: Replay | undefined;
  for (let round = 0; round < runs; round += 1) {
    const { ms, result } = await timeReplay(client, trigger);
    times.push(ms);
    last = result;
  }
  const measured = median(times);
  add({
    what: `replay: ${name}`,
    measured,
    unit: 'ms',
    budget: `${budgetMs} ms`,
    met: measured <= budgetMs,
    details: { records: last?.records ?? 0, firings: last?.firings ?? 0, sims: last?.sims ?? 0 },
  });
};

const addIntake = async (run: Run, client: ConsoleClient, { acctPort }: Product): Promise<void> => {
  run.progress('intake without replays, and with them');
  const load = await openSteadyLoad({
    port: acctPort,
    secret: radiusSecret,
    rate: saturatingRate,
    sims: run.options.sims,
    firstImsi,
    run: Math.floor(Date.now() / 1000),
  });
  try {
    // The first seconds include just-in-time compilation.
    load.resume();
    await sleep(intakeMs / 4);
    await load.pause();
    load.resume();
    await sleep(intakeMs);
    const without = await load.pause();
    load.resume();
    const [trigger] = Object.values(triggers);
    let replays = 0;
    for (const end = performance.now() + intakeMs; trigger && performance.now() < end; replays += 1)
      await timeReplay(client, trigger);
    const during = await load.pause();
    run.add({
      what: 'intake beside replays, one after the other',
      measured: during.perSecond,
      unit: '/s',
      baseline: without.perSecond,
      ratio: during.perSecond / without.perSecond,
      details: { replays, 'p95 ms': during.p95Ms, 'p95 ms, without': without.p95Ms },
    });
  } finally {
    load.close();
  }
};
