import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { armRules } from './armed-rules.ts';
import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type Fleet, fill, firstImsi, makeFleet, radiusSecret } from './fleet.ts';
import { makeTargets } from './notify.ts';
import { cpuSecondsAlone, cpuSecondsOf } from './processes.ts';
import { startProduct } from './product.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import type { Run } from './run.ts';
import { openSteadyLoad, type SteadyLoad } from './steady-load.ts';

const budgetSeconds = 120;
const minIntakeShare = 0.8;
const baselineMs = 20_000;
const burstTimeoutMs = 900_000;
/** As fast as it is acknowledged: a rate that no server reaches. */
const saturatingRate = 1_000_000;

/** A rule fires for every SIM of an organisation in the same minute, with a request and a tag for each SIM. */
export const autoflowBurst = async (run: Run): Promise<void> => {
  const cluster = await startCluster({ trackStatements: run.options.statements });
  const receiver = await startReceiver(cluster.directory);
  try {
    const fleet = await makeFleet(cluster, { database: 'autoflow_burst', pastDays: 40 });
    await fill(fleet, run.options.firings, { plain: true });
    await withClient(fleet.databaseUrl, (client) => measure(run, { cluster, receiver, fleet, client }));
  } finally {
    receiver.stop();
    await cluster.stop();
  }
};

interface BurstSetup {
  cluster: Cluster;
  receiver: Receiver;
  fleet: Fleet;
  client: pg.Client;
}

const measure = async (run: Run, setup: BurstSetup): Promise<void> => {
  const { cluster, receiver, fleet, client } = setup;
  const { firings, baseline, profile, steady, rate } = run.options;
  const started: { stop(): Promise<unknown> }[] = [];
  const settings = { SIMCUBE_OUTBOUND_NETWORKS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: receiver.certificate };
  try {
    const worker = await startProduct({ ...fleet, roles: 'web,worker', profile, settings });
    started.push(worker);
    const aaa = await startProduct({ ...fleet, roles: 'aaa', radiusSecret });
    started.push(aaa);
    const load = await openSteadyLoad({
      port: aaa.acctPort,
      secret: radiusSecret,
      rate: steady ? rate : saturatingRate,
      sims: firings,
      firstImsi,
      run: Math.floor(Date.now() / 1000),
    });
    started.push({ stop: async () => load.close() });
    const baselineFigures = baseline ? await measureIntakeAlone(run, load) : undefined;
    await armBurst(run, setup);
    const cpu = () => ({
      server: cpuSecondsOf(worker.pid),
      intake: cpuSecondsOf(aaa.pid),
      database: cpuSecondsOf(cluster.postmaster()),
      'load and receiver': cpuSecondsAlone(process.pid),
    });
    const before = cpu();
    if (baselineFigures) load.resume();
    const seconds = await burst(run, setup);
    const during = baselineFigures && (await load.pause());
    const after = cpu();
    for (const line of await cluster.costliestStatements()) run.note(line);
    await verify(run, client);
    const perFiring = Object.entries(after).map(([part, used]) => [
      `CPU µs, ${part}`,
      ((used - before[part as keyof typeof after]) / firings) * 1e6,
    ]);
    run.add({
      what: `${firings.toLocaleString('en-US')} firings at once, all actions done`,
      measured: seconds,
      unit: 's',
      budget: `${budgetSeconds} s`,
      met: seconds <= budgetSeconds,
      details: Object.fromEntries(perFiring),
    });
    if (baselineFigures && during) {
      const ratio = during.perSecond / baselineFigures.perSecond;
      run.add({
        what: 'intake meanwhile',
        measured: during.perSecond,
        unit: '/s',
        baseline: baselineFigures.perSecond,
        ratio,
        budget: `${minIntakeShare} × without firings`,
        met: ratio >= minIntakeShare,
        details: { 'p95 ms': during.p95Ms, 'p95 ms, without': baselineFigures.p95Ms },
      });
    }
    run.note(
      'A rule on the end of the lifecycle of all SIMs of an organisation, which is at one instant: for each a signed request ' +
        'over TLS and a tag. Intake: ' +
        (steady
          ? `2,000 sessions, ${rate.toLocaleString('en-US')} packets a second in all`
          : '2,000 sessions, each with its next packet as soon as the last was answered') +
        '; with --no-baseline there is none.',
    );
  } finally {
    for (const program of started.toReversed()) await program.stop();
  }
};

const measureIntakeAlone = async ({ progress }: Run, load: SteadyLoad) => {
  progress('intake without firings');
  load.resume();
  await sleep(baselineMs);
  return load.pause();
};

/** The rule, armed just before all SIMs reach its instant. */
const armBurst = async ({ progress, options }: Run, { cluster, receiver, fleet, client }: BurstSetup) => {
  const [target = 0] = await makeTargets({ client, fleet, origin: receiver.origin }, 1, '/burst');
  await client.query(`update sims set expires_at = now() + interval '1 day 2 seconds'`);
  await client.query('vacuum (analyze) sims');
  await cluster.costliestStatements();
  await armRules(client, fleet, [
    {
      trigger: { kind: 'lifecycle-expiry', days: 1 },
      actions: [
        { kind: 'api', group_id: String(target) },
        { kind: 'add-tag', tag: 'expiring' },
      ],
    },
  ]);
  await client.query(`update sims set expires_at = now() + interval '1 day 1 second'`);
  await sleep(1_500);
  progress(`${options.firings.toLocaleString('en-US')} firings`);
};

/** @returns seconds until everything is done */
const burst = async ({ options: { firings } }: Run, { client }: BurstSetup): Promise<number> => {
  const startedAt = performance.now();
  await client.query(`select graphile_worker.add_job('autoflow.find-times', '{}')`);
  // Only checks an index first: reading all firings every two seconds would affect the measurement.
  const unfinished = `select 1 where exists (select from deliveries where state = 0)
    or exists (select from tasks where ended_at is null)
    or (select count(*) from autoflow_firings) < ${firings} or exists (select from autoflow_firings where state = 0)`;
  do {
    await sleep(2000);
    if (performance.now() - startedAt > burstTimeoutMs) throw new Error('Firings wait for their actions');
  } while ((await client.query(unfinished)).rowCount);
  return (performance.now() - startedAt) / 1000;
};

/** @throws Error unless each firing has had its two actions */
const verify = async ({ options: { firings } }: Run, client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ done: number; delivered: number; tagged: number }>(
    `select (select count(*) from autoflow_firings where state = 1)::int as done,
       (select count(*) from deliveries where state = 1)::int as delivered,
       (select count(*) from sims where 'expiring' = any(tags))::int as tagged`,
  );
  const result = rows[0] ?? { done: 0, delivered: 0, tagged: 0 };
  if (Object.values(result).some((count) => count !== firings))
    throw new Error(`Of ${firings}: ${JSON.stringify(result)}`);
};
