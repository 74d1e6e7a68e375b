import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  comparisonLine,
  measure,
  openProduct,
  phases,
  type Sample,
  warmUpSessions,
} from './accounting-rounds.ts';
import { armDistantRules, armEvaluatedRules, armRules, distantRules, ruleCount } from './armed-rules.ts';
import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type Fleet, fill, firstImsi, makeFleet, radiusSecret } from './fleet.ts';
import { makeTargets } from './notify.ts';
import { type Product, startProduct } from './product.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { quantile } from './report.ts';
import type { Run } from './run.ts';
import { openSteadyLoad } from './steady-load.ts';

const minArmedShare = 0.9;
const notificationBudgets = { p95: 1000, p99: 2000 };
/** Duration of the steady load. */
const steadySeconds = 60;
/** Sessions end at the ninth volume; this is the fifth. */
const crossingVolume = 5;
const crossing = { unit: 'KB', amount: 480 } as const;
const notifyTimeoutMs = 30_000;

/** Rules of one organisation: their cost for intake, and how fast they act. */
export const autoflow = async (run: Run): Promise<void> => {
  const cluster = await startCluster({ trackStatements: run.options.statements });
  const receivedAt = new Map<string, number>();
  const receiver = await startReceiver(cluster.directory, (body, at) => {
    const { data } = JSON.parse(body) as { data: { iccid: string } };
    if (!receivedAt.has(data.iccid)) receivedAt.set(data.iccid, at);
  });
  try {
    await measureArmed(run, cluster);
    await measureNotifications(run, { cluster, receiver, receivedAt });
  } finally {
    receiver.stop();
    await cluster.stop();
  }
};

/** Accounting with armed rules compared with the same without; a worker runs in all cases. */
const measureArmed = async (run: Run, cluster: Cluster): Promise<void> => {
  const { options, progress } = run;
  const fleet = await makeFleet(cluster, { database: 'template_of_ours', pastDays: 40 });
  await fill(fleet, options.sessions + warmUpSessions, { plain: true });
  for (const window of options.windows) {
    const [baselineRounds, armed, justArmed]: [Sample[][], Sample[][], Sample[][]] = [[], [], []];
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`${ruleCount} rules armed and none, window ${window}, round ${round + 1}`);
      const open = (prepare?: typeof armDistantRules) => () =>
        openProduct(cluster, fleet, run, { worker: true, ...(prepare && { prepare }) });
      baselineRounds.push(await measure(run, { cluster, window, open: open() }));
      armed.push(await measure(run, { cluster, window, open: open(armEvaluatedRules) }));
      justArmed.push(await measure(run, { cluster, window, open: open(armDistantRules) }));
    }
    const comparison = { comparedWith: 'without rules', share: minArmedShare, window, baselineRounds };
    for (const phase of phases) {
      run.add(comparisonLine({ ...comparison, what: `${ruleCount} rules armed`, phase, rounds: armed }));
    }
    for (const phase of phases) {
      const {
        budget: _,
        met: __,
        ...line
      } = comparisonLine({
        ...comparison,
        what: `${ruleCount} rules armed just now`,
        phase,
        rounds: justArmed,
      });
      run.add(line);
    }
  }
  run.note(
    `${options.sessions} sessions of as many SIMs; the rules are on usage of cycle, day and month, on all SIMs, by tag and by ` +
      'product type. Armed just now, each SIM is looked at meanwhile. A process of its own works the queue.',
  );
};

interface NotificationSetup {
  cluster: Cluster;
  receiver: Receiver;
  receivedAt: Map<string, number>;
}

/** Time from the packet that crosses the threshold to the request at the receiver, at a steady rate. */
const measureNotifications = async (
  run: Run,
  { cluster, receiver, receivedAt }: NotificationSetup,
): Promise<void> => {
  const { rate } = run.options;
  const fleet = await makeFleet(cluster, { database: 'autoflow_notice', pastDays: 40 });
  // One SIM per session, so that each crosses once.
  const sims = Math.ceil((rate * steadySeconds) / 8) + 5_000;
  await fill(fleet, sims, { plain: true });
  const started: { stop(): Promise<void> }[] = [];
  await withClient(fleet.databaseUrl, async (client) => {
    const [target = 0] = await makeTargets({ client, fleet, origin: receiver.origin }, 1, '/crossed');
    const trigger = { kind: 'data-usage', period: 'day', threshold: crossing } as const;
    const rule = { trigger, actions: [{ kind: 'api' as const, group_id: String(target) }] };
    await armRules(client, fleet, [...distantRules(ruleCount - 1), rule]);
    await cluster.costliestStatements();
    try {
      started.push(await startWorker(run, fleet, receiver));
      const aaa = await startProduct({ ...fleet, roles: 'aaa', radiusSecret });
      started.push(aaa);
      const crossedAt = new Map<string, number>();
      const load = await openSteadyLoad({
        port: aaa.acctPort,
        secret: radiusSecret,
        rate,
        sims,
        firstImsi,
        run: Math.floor(Date.now() / 1000),
        onSent: ({ imsi, volume, at }) => {
          if (volume === crossingVolume) crossedAt.set(String(imsi), at);
        },
      });
      started.push({ stop: async () => load.close() });
      run.progress(`${rate} packets a second for ${steadySeconds} s`);
      load.resume();
      await sleep(steadySeconds * 1000);
      const { perSecond } = await load.pause();
      const iccids = await iccidsOf(client, [...crossedAt.keys()]);
      for (const end = performance.now() + notifyTimeoutMs; receivedAt.size < crossedAt.size; await sleep(50))
        if (performance.now() > end) throw new Error(`${receivedAt.size} of ${crossedAt.size} were notified`);
      const delays = [...crossedAt].map(
        ([imsi, at]) => (receivedAt.get(iccids.get(imsi) ?? '') ?? Number.NaN) - at,
      );
      addDelays(run, delays, { perSecond, seconds: steadySeconds });
      for (const line of await cluster.costliestStatements()) run.note(line);
    } finally {
      for (const product of started.toReversed()) await product.stop();
    }
  });
};

const startWorker = (run: Run, fleet: Fleet, { certificate }: Receiver): Promise<Product> =>
  startProduct({
    ...fleet,
    roles: 'web,worker',
    profile: run.options.profile,
    settings: { SIMCUBE_OUTBOUND_NETWORKS: '127.0.0.0/8', NODE_EXTRA_CA_CERTS: certificate },
  });

const iccidsOf = async (client: pg.Client, imsis: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await client.query<{ imsi: string; iccid: string }>(
    'select imsi, iccid from sims where imsi = any($1)',
    [imsis],
  );
  return new Map(rows.map(({ imsi, iccid }) => [imsi, iccid]));
};

const addDelays = (
  { add, note, options }: Run,
  delays: readonly number[],
  { perSecond, seconds }: { perSecond: number; seconds: number },
): void => {
  for (const [name, share] of [
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const measured = quantile(delays, share);
    const budget = notificationBudgets[name];
    add({
      what: `packet that crosses to request received, ${name}`,
      measured,
      unit: 'ms',
      budget: `${budget} ms`,
      met: measured <= budget,
      details: { 'p50 ms': quantile(delays, 0.5), crossings: delays.length, 'packets /s': perSecond },
    });
  }
  note(
    `${options.rate} packets a second for ${seconds} s through a process with the role aaa, ${ruleCount} rules; ${delays.length} ` +
      'SIMs came to the threshold of one of them, each notified by a signed request over TLS of its own. Each was notified once.',
  );
};
