import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { armRules } from '../armed-rules.ts';
import { type Cluster, startCluster, withClient } from '../cluster.ts';
import { signIn } from '../console-client.ts';
import { type Fleet, fill, firstImsi, makeFleet, radiusSecret } from '../fleet.ts';
import { environment } from '../product.ts';
import { connectSmsc, makeReachable } from '../sms-ground.ts';
import { startBenchSmsc } from '../sms-smsc.ts';
import { openSteadyLoad, type SteadyLoad } from '../steady-load.ts';
import { AccountingWatch } from './accounting-watch.ts';
import { ConsoleWork } from './console-work.ts';
import type { DrillRun, Tally } from './drill.ts';
import { MessageSender } from './message-sender.ts';
import { type Process, startProcess } from './process.ts';
import { usageTallies, verifiedUsage } from './verify.ts';

/** Number of SIMs. The last ones are suspended and resumed, the others receive messages, and the first ones have sessions. */
const sims = 20_000;
const simsWithSessions = 1_000;
const simsOfConsole = 1_000;
/** Threshold that a SIM crosses with its fifth report. */
const crossing = { unit: 'KB', amount: 480 } as const;
export const crossingBytes = crossing.amount * 1024;
export const tag = 'over';
export const settledWithinMs = 300_000;
/** Time to wait for duplicates to show. */
const afterwardsMs = 3000;

export interface Installation {
  cluster: Cluster;
  fleet: Fleet;
  processes: { web: Process; worker: Process; aaa: Process };
  /** The accounting load. */
  load: SteadyLoad;
  /** Starts an additional process with these roles, from another project if given. */
  startOther(roles: string, project?: string): Promise<Process>;
  /** Aborted at the end of the drill's time. */
  until: AbortSignal;
}

export interface Breaking {
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
export const withInstallation = async (run: DrillRun, breaking: Breaking): Promise<Tally[]> => {
  const cluster =
    breaking.cluster ??
    (await startCluster(breaking.directory === undefined ? {} : { found: breaking.directory }));
  const ending: Ending[] = [{ stop: cluster.stop }];
  try {
    run.progress(`making ${sims.toLocaleString('en-US')} SIMs`);
    const fleet = await makeFleet(cluster, {
      ...{ database: 'drill', pastDays: 31 },
      ...(breaking.project !== undefined && { project: breaking.project }),
    });
    await fill(fleet, sims, { plain: true });
    await cluster.spread(fleet);
    const submitted = join(cluster.directory, 'submitted');
    await withClient(fleet.databaseUrl, async (client) => {
      await makeReachable(client);
      const trigger = { kind: 'data-usage', period: 'cycle', threshold: crossing } as const;
      await armRules(client, fleet, [{ trigger, actions: [{ kind: 'add-tag', tag }] }]);
      const smsc = await startBenchSmsc({ file: submitted });
      ending.push({ stop: smsc.kill });
      await connectSmsc({ client, fleet }, smsc);
    });
    return await worked(run, { cluster, fleet, submitted, ending, breaking });
  } finally {
    for (const one of ending.toReversed()) await one.stop();
  }
};

interface Ending {
  stop(): Promise<void>;
}

interface Made {
  cluster: Cluster;
  fleet: Fleet;
  /** File with the numbers that were submitted to the SMSC. */
  submitted: string;
  ending: Ending[];
  breaking: Breaking;
}

const worked = async ({ options, progress, note }: DrillRun, made: Made): Promise<Tally[]> => {
  const { cluster, fleet, submitted, ending, breaking } = made;
  const started = async (roles: string, { name = roles, project = fleet.project } = {}): Promise<Process> => {
    const installed = {
      ...fleet,
      dataDir: join(fleet.dataDir, name),
      ...(project !== undefined && { project }),
    };
    const one = await startProcess(installed, roles, breaking.settings);
    ending.push(one);
    return one;
  };
  const processes = { web: await started('web'), worker: await started('worker'), aaa: await started('aaa') };
  const watch = new AccountingWatch();
  const load = await openSteadyLoad({
    ...{ port: processes.aaa.ports.acct, secret: radiusSecret, rate: options.rate },
    ...{ sims: simsWithSessions, firstImsi, run: Math.floor(Date.now() / 1000) },
    sent: ({ imsi, phase }) => watch.sent(imsi, phase),
  });
  ending.push({ stop: async () => load.close() });
  const person = await signIn(processes.web, fleet);
  const sender = new MessageSender(person, sims - simsOfConsole);
  const orders = new ConsoleWork(
    person,
    Array.from({ length: simsOfConsole }, (_, index) => sims - simsOfConsole + index),
  );
  const until = AbortSignal.timeout(options.minutes * 60_000);
  progress(`${options.minutes} min of faults at ${options.rate} accounting packets a second`);
  load.resume();
  const calls = Promise.all([sender.run(until), orders.run(until)]);
  const startOther = (roles: string, project?: string) =>
    started(roles, { name: `${roles}-2`, ...(project !== undefined && { project }) });
  const installation = { cluster, fleet, processes, load, startOther, until };
  await breaking.during(installation);
  await inTime('calls are answered', calls);
  const { retransmitted } = await inTime('accounting packets are answered', load.pause());
  const compared = (await breaking.afterwards?.(installation)) ?? fleet;
  progress('waiting for what is still to be done');
  return withClient(compared.databaseUrl, async (client) => {
    if (breaking.compare) return breaking.compare(client);
    await settled(client, watch);
    await sleep(afterwardsMs);
    const { forged } = load.acknowledged();
    if (forged > 0) throw new Error(`${forged} answers were not authentic`);
    const repeated = sender.repeated + orders.repeated;
    note(`${retransmitted} accounting packets and ${repeated} calls were sent again.`);
    return [
      ...(await watch.tallies(client)),
      ...(await sender.tallies(client, submitted)),
      ...(await ruleTallies(client, watch)),
      ...(await orders.tallies(client)),
      ...usageTallies(verifiedUsage(environment(compared))),
    ];
  });
};

/** A product that does not recover must not block the drill forever. */
const inTime = async <T>(what: string, work: Promise<T>): Promise<T> => {
  const late = new AbortController();
  const end = sleep(settledWithinMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`Not in ${settledWithinMs / 1000} s: ${what}`);
  });
  // Used only in a race.
  end.catch(() => undefined);
  return Promise.race([work, end]).finally(() => late.abort());
};

/** Waits until messages are submitted and the rule has completed its actions; anything still missing then is lost. */
const settled = async (client: pg.Client, watch: AccountingWatch): Promise<void> => {
  for (const end = Date.now() + settledWithinMs; Date.now() < end; await sleep(500)) {
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
  const crossed = watch.above(crossingBytes);
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
