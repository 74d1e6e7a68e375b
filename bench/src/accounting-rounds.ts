import { type Cluster, withClient } from './cluster.ts';
import { type Fleet, firstImsi, radiusSecret } from './fleet.ts';
import { cpuSecondsOf } from './processes.ts';
import { type Installation, simcube, startProduct } from './product.ts';
import { openLoad, type PhaseResult } from './radius-load.ts';
import { bytesPerVolume, type Phase } from './radius-packets.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';

export const phases: readonly Phase[] = ['start', 'interim', 'stop'];
const sockets = 8;
/** Sessions of other SIMs that each side stores before the measurement, as warm-up: servers run for weeks, not for seconds. */
export const warmUpSessions = 20_000;

/** One phase on one side: the generator's figures, and processor time by user during the phase. */
export interface Sample extends PhaseResult {
  serverCpu: number;
  databaseCpu: number;
}

/** A RADIUS accounting server with its database on the cluster: SimCube or FreeRADIUS. */
export interface AccountingServer {
  pid: number;
  acctPort: number;
  analyse(): Promise<void>;
  /** @throws Error unless everything that was acknowledged is in the database exactly once */
  verify(sessions: number): Promise<void>;
  stop(): Promise<void>;
}

export const measure = async (
  { options, progress }: Run,
  { cluster, window, open }: { cluster: Cluster; window: number; open: () => Promise<AccountingServer> },
): Promise<Sample[]> => {
  const server = await open();
  try {
    const loadOptions = { host: '127.0.0.1', port: server.acctPort, secret: radiusSecret, sockets, window };
    const startedAt = Math.floor(Date.now() / 1000);
    const warmUpOptions = {
      sessions: warmUpSessions,
      firstImsi: firstImsi + options.sessions,
      run: startedAt - 1,
    };
    const warmUp = await openLoad({ ...loadOptions, ...warmUpOptions });
    for (const phase of phases) await warmUp.run(phase);
    warmUp.close();
    const load = await openLoad({ ...loadOptions, sessions: options.sessions, firstImsi, run: startedAt });
    const samples: Sample[] = [];
    for (const phase of phases) {
      // As autovacuum would within a minute; a plan for a table that was never analysed is meaningless.
      if (phase !== 'stop') await server.analyse();
      await cluster.settle();
      await cluster.costliestStatements();
      const before = [cpuSecondsOf(server.pid), cluster.cpuSeconds()] as const;
      const result = await load.run(phase);
      const serverCpu = cpuSecondsOf(server.pid) - before[0];
      const databaseCpu = cluster.cpuSeconds() - before[1];
      for (const line of await cluster.costliestStatements()) progress(`    ${line}`);
      if (result.forged > 0) throw new Error(`${result.forged} answers were not authentic`);
      progress(`  ${phase}: ${Math.round(result.perSecond)} a second`);
      samples.push({ ...result, serverCpu, databaseCpu });
    }
    load.close();
    await server.verify(options.sessions + warmUpSessions);
    return samples;
  } finally {
    await server.stop();
  }
};

/**
 * The product, with a new copy of its database for each round, like the baseline; with `worker`, another process runs the jobs,
 * as in an installation.
 */
export const openProduct = async (
  cluster: Cluster,
  template: Fleet,
  { options }: Run,
  { prepare, worker = false }: { prepare?: (installation: Fleet) => Promise<void>; worker?: boolean } = {},
): Promise<AccountingServer> => {
  await cluster.drop('ours');
  const databaseUrl = await cluster.create('ours', 'template_of_ours');
  await prepare?.({ ...template, databaseUrl });
  const workerProcess = worker && (await startProduct({ ...template, databaseUrl, roles: 'web,worker' }));
  const product = await startProduct({
    ...template,
    databaseUrl,
    roles: options.roles,
    radiusSecret,
    profile: options.profile,
  });
  return {
    pid: product.pid,
    acctPort: product.acctPort,
    analyse: () => cluster.analyse('ours'),
    verify: (sessions) =>
      withClient(databaseUrl, (client) => verifyProduct(client, { ...template, databaseUrl }, sessions)),
    stop: async () => {
      await product.stop();
      if (workerProcess) await workerProcess.stop();
    },
  };
};

/** Total bytes that the generator reports for a session: the Stop has two volumes. */
export const bytesPerSession = 2 * bytesPerVolume;

const verifyProduct = async (
  client: Queryable,
  installation: Installation,
  sessions: number,
): Promise<void> => {
  // By SIM, pool and hour: totals alone would not show usage that was counted for a wrong one.
  simcube(installation, ['usage', 'verify']);
  const bytes = sessions * bytesPerSession;
  const sum = (table: string) =>
    `(select coalesce(sum(up_bytes + down_bytes), 0)::float8 from ${table}) as ${table}`;
  await expectFigures(client, {
    text: `select (select count(*)::float8 from radius_sessions) as sessions,
      (select count(*)::float8 from radius_sessions where stopped_at is not null) as stopped,
      (select count(*)::float8 from cdrs) as records, (select sum(used_bytes)::float8 from sim_live) as used,
      ${['cdrs', 'sim_usage_hourly', 'sim_usage_daily', 'org_usage_hourly', 'org_usage_daily'].map(sum).join(', ')}`,
    expected: {
      sessions,
      stopped: sessions,
      // One for the Interim-Update and one for the Stop; a Start has no volume.
      records: 2 * sessions,
      used: bytes,
      cdrs: bytes,
      sim_usage_hourly: bytes,
      sim_usage_daily: bytes,
      org_usage_hourly: bytes,
      org_usage_daily: bytes,
    },
  });
};

interface Queryable {
  query(text: string): Promise<{ rows: Record<string, number>[] }>;
}

export const expectFigures = async (
  client: Queryable,
  { text, expected }: { text: string; expected: Record<string, number> },
): Promise<void> => {
  const actual = (await client.query(text)).rows[0] ?? {};
  for (const [name, figure] of Object.entries(expected)) {
    if (actual[name] !== figure)
      throw new Error(`${name} is ${actual[name]}, not ${figure}: records were lost or counted twice`);
  }
};

/** Compares rounds with something to rounds without it, for one phase. */
export const comparisonLine = (options: {
  phase: Phase;
  window: number;
  what: string;
  comparedWith: string;
  /** Minimum share of the rate without it. */
  share: number;
  rounds: Sample[][];
  baselineRounds: Sample[][];
}) => {
  const { phase, window, what, comparedWith, share } = options;
  const samplesOfPhase = (rounds: Sample[][]) =>
    rounds.flatMap((samples) => samples.filter((sample) => sample.phase === phase));
  const perSecond = (samples: Sample[]) => median(samples.map((sample) => sample.perSecond));
  const [measured, baseline] = [
    perSecond(samplesOfPhase(options.rounds)),
    perSecond(samplesOfPhase(options.baselineRounds)),
  ];
  const ratio = measured / baseline;
  return {
    what: `${phase}, ${what}, window ${window}`,
    measured,
    unit: '/s',
    baseline,
    ratio,
    met: ratio >= share,
    budget: `${share} × ${comparedWith}`,
    details: {
      ...describeSamples('with', samplesOfPhase(options.rounds)),
      ...describeSamples('without', samplesOfPhase(options.baselineRounds)),
    },
  };
};

/** Latencies, retransmissions, and processor time per packet by user. */
export const describeSamples = (name: string, samples: Sample[]): Record<string, number> => {
  if (samples.length === 0) return {};
  const micros = (value: (sample: Sample) => number) =>
    median(samples.map((sample) => (value(sample) / sample.packets) * 1e6));
  return {
    [`${name} p50 ms`]: median(samples.map((sample) => sample.p50Ms)),
    [`${name} p95 ms`]: median(samples.map((sample) => sample.p95Ms)),
    [`${name} slowest round /s`]: Math.min(...samples.map((sample) => sample.perSecond)),
    [`${name} fastest round /s`]: Math.max(...samples.map((sample) => sample.perSecond)),
    [`${name} retransmitted`]: samples.reduce((sum, sample) => sum + sample.retransmitted, 0),
    [`${name} server CPU µs`]: micros((sample) => sample.serverCpu),
    [`${name} database CPU µs`]: micros((sample) => sample.databaseCpu),
    [`${name} generator CPU µs`]: median(samples.map((sample) => sample.cpuMicros)),
  };
};
