import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { armRules } from '../armed-rules.ts';
import { type Cluster, startCluster, withClient } from '../cluster.ts';
import { signIn } from '../console-client.ts';
import { type Fleet, fill, firstImsi, makeFleet, radiusSecret } from '../fleet.ts';
import { environment } from '../product.ts';
import { connectSmsc, makeReachable } from '../sms-data.ts';
import { startBenchSmsc } from '../sms-smsc.ts';
import { openSteadyLoad, type SteadyLoad } from '../steady-load.ts';
import { AccountingWatch } from './accounting-watch.ts';
import { ConsoleWork } from './console-work.ts';
import type { DrillRun, Tally } from './drill.ts';
import { MessageSender } from './message-sender.ts';
import { type Process, startProcess } from './process.ts';
import { usageTallies, verifyUsage } from './verify.ts';

/** Number of SIMs. The last ones are suspended and resumed, the others receive messages, and the first ones have sessions. */
const sims = 20_000;
const sessionSims = 1_000;
const consoleSims = 1_000;
/** Threshold that a SIM crosses with its fifth report. */
const crossing = { unit: 'KB', amount: 480 } as const;
export const crossingBytes = crossing.amount * 1024;
export const tag = 'over';
export const settleTimeoutMs = 300_000;
/** Time to wait for duplicates to show. */
const graceMs = 3000;

export interface Installation {
  cluster: Cluster;
  fleet: Fleet;
  processes: { web: Process; worker: Process; aaa: Process };
  /** The accounting load. */
  load: SteadyLoad;
  /** Starts an additional process with these roles, from another project if given. */
  startAnother(roles: string, project?: string): Promise<Process>;
  /** Aborted at the end of the drill's time. */
  until: AbortSignal;
}

export interface FaultPlan {
  /** Causes the faults while it works; all processes must be running when it returns. */
  during: (installation: Installation) => Promise<void>;
  /** Called once no new work arrives. @returns the database to compare */
  afterwards?: (installation: Installation) => Promise<Fleet>;
  /** Custom comparison, instead of comparing what was acknowledged. */
  compare?: (client: pg.Client) => Promise<Tally[]>;
  /** An empty directory for all files; a temporary one by default. */
  directory?: string;
  /** The database server, which is stopped with the installation; by default the one that comes with the product. */
  cluster?: Cluster;
  /** Additional environment variables of the processes. */
  settings?: Readonly<Record<string, string>>;
  /** The built project whose programs create and run the installation, unless the drill changes it. */
  project?: string;
}

/**
 * Runs an installation with a process for each role, under steady accounting, messages and a rule, while faults are caused.
 * @returns a comparison of what was acknowledged with what is stored
 */
export const withInstallation = async (run: DrillRun, plan: FaultPlan): Promise<Tally[]> => {
  const cluster =
    plan.cluster ?? (await startCluster(plan.directory === undefined ? {} : { existing: plan.directory }));
  const cleanups: Cleanup[] = [{ stop: cluster.stop }];
  try {
    run.progress(`making ${sims.toLocaleString('en-US')} SIMs`);
    const fleet = await makeFleet(cluster, {
      database: 'drill',
      pastDays: 31,
      ...(plan.project !== undefined && { project: plan.project }),
    });
    await fill(fleet, sims, { plain: true });
    await cluster.distribute(fleet);
    const submitted = join(cluster.directory, 'submitted');
    await withClient(fleet.databaseUrl, async (client) => {
      await makeReachable(client);
      const trigger = { kind: 'data-usage', period: 'cycle', threshold: crossing } as const;
      await armRules(client, fleet, [{ trigger, actions: [{ kind: 'add-tag', tag }] }]);
      const smsc = await startBenchSmsc({ file: submitted });
      cleanups.push({ stop: smsc.kill });
      await connectSmsc({ client, fleet }, smsc);
    });
    return await runUnderFaults(run, { cluster, fleet, submitted, cleanups, plan });
  } finally {
    for (const one of cleanups.toReversed()) await one.stop();
  }
};

interface Cleanup {
  stop(): Promise<void>;
}

interface PreparedInstallation {
  cluster: Cluster;
  fleet: Fleet;
  /** File with the numbers that were submitted to the SMSC. */
  submitted: string;
  cleanups: Cleanup[];
  plan: FaultPlan;
}

const runUnderFaults = async (
  { options, progress, note }: DrillRun,
  prepared: PreparedInstallation,
): Promise<Tally[]> => {
  const { cluster, fleet, submitted, cleanups, plan } = prepared;
  const startRole = async (
    roles: string,
    { name = roles, project = fleet.project } = {},
  ): Promise<Process> => {
    const installed = {
      ...fleet,
      dataDir: join(fleet.dataDir, name),
      ...(project !== undefined && { project }),
    };
    const one = await startProcess(installed, roles, plan.settings);
    cleanups.push(one);
    return one;
  };
  const processes = {
    web: await startRole('web'),
    worker: await startRole('worker'),
    aaa: await startRole('aaa'),
  };
  const watch = new AccountingWatch();
  const load = await openSteadyLoad({
    port: processes.aaa.ports.acct,
    secret: radiusSecret,
    rate: options.rate,
    sims: sessionSims,
    firstImsi,
    run: Math.floor(Date.now() / 1000),
    onSent: ({ imsi, phase }) => watch.recordSent(imsi, phase),
  });
  cleanups.push({ stop: async () => load.close() });
  const consoleClient = await signIn(processes.web, fleet);
  const sender = new MessageSender(consoleClient, sims - consoleSims);
  const orders = new ConsoleWork(
    consoleClient,
    Array.from({ length: consoleSims }, (_, index) => sims - consoleSims + index),
  );
  const until = AbortSignal.timeout(options.minutes * 60_000);
  progress(`${options.minutes} min of faults at ${options.rate} accounting packets a second`);
  load.resume();
  const calls = Promise.all([sender.run(until), orders.run(until)]);
  const startAnother = (roles: string, project?: string) =>
    startRole(roles, { name: `${roles}-2`, ...(project !== undefined && { project }) });
  const installation = { cluster, fleet, processes, load, startAnother, until };
  await plan.during(installation);
  await withTimeout('calls are answered', calls);
  const { retransmitted } = await withTimeout('accounting packets are answered', load.pause());
  const comparedFleet = (await plan.afterwards?.(installation)) ?? fleet;
  progress('waiting for what is still to be done');
  return withClient(comparedFleet.databaseUrl, async (client) => {
    if (plan.compare) return plan.compare(client);
    await waitUntilSettled(client, watch);
    await sleep(graceMs);
    const { forged } = load.acknowledged();
    if (forged > 0) throw new Error(`${forged} answers were not authentic`);
    const repeated = sender.retries + orders.retries;
    note(`${retransmitted} accounting packets and ${repeated} calls were sent again.`);
    return [
      ...(await watch.tallies(client)),
      ...(await sender.tallies(client, submitted)),
      ...(await ruleTallies(client, watch)),
      ...(await orders.tallies(client)),
      ...usageTallies(verifyUsage(environment(comparedFleet))),
    ];
  });
};

/** A product that does not recover must not block the drill forever. */
const withTimeout = async <T>(what: string, work: Promise<T>): Promise<T> => {
  const timeout = new AbortController();
  const end = sleep(settleTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`Not in ${settleTimeoutMs / 1000} s: ${what}`);
  });
  // Used only in a race.
  end.catch(() => undefined);
  return Promise.race([work, end]).finally(() => timeout.abort());
};

/** Waits until messages are submitted and the rule has completed its actions; anything still missing then is lost. */
const waitUntilSettled = async (client: pg.Client, watch: AccountingWatch): Promise<void> => {
  for (const end = Date.now() + settleTimeoutMs; Date.now() < end; await sleep(500)) {
    const { rowCount } = await client.query('select from sms_parts where state = 0 limit 1');
    const tallies = await ruleTallies(client, watch);
    if (!rowCount && tallies.every(({ lost }) => lost === 0)) return;
  }
};

const ruleTallies = async (client: pg.Client, watch: AccountingWatch): Promise<Tally[]> => {
  const { rows } = await client.query<Record<'fired' | 'doubled' | 'tagged' | 'repeated', number>>(
    `select count(*)::int as fired, count(*) filter (where f.firings > 1)::int as doubled,
       count(*) filter (where $1 = any(s.tags))::int as tagged,
       count(*) filter (where cardinality(array_positions(s.tags, $1)) > 1)::int as repeated
     from (select sim_id, count(*) as firings from autoflow_firings group by 1) f join sims s on s.id = f.sim_id`,
    [tag],
  );
  const { fired = 0, doubled = 0, tagged = 0, repeated = 0 } = rows[0] ?? {};
  const crossed = watch.countAbove(crossingBytes);
  const shared = { sent: crossed, acknowledged: crossed };
  return [
    { what: 'firings of a rule', ...shared, stored: fired, lost: Math.max(0, crossed - fired), doubled },
    {
      what: 'its operations on SIMs',
      ...shared,
      stored: tagged,
      lost: Math.max(0, crossed - tagged),
      doubled: repeated,
    },
  ];
};
