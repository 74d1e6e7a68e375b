import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type Fleet, fill, firstImsi, makeFleet, orgCode, radiusSecret } from './fleet.ts';
import { haveFreeRadius, startFreeRadius } from './freeradius.ts';
import { cpuSecondsOf } from './processes.ts';
import { freeUdpPort, type Installation, simcube, startProduct } from './product.ts';
import { openLoad, type PhaseResult } from './radius-load.ts';
import { bytesOfVolume, type Phase } from './radius-packets.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';

const phases: readonly Phase[] = ['start', 'interim', 'stop'];
const budgetRatio = 5;
const pooledRatio = 0.8;
const sockets = 8;
/** Sessions of other SIMs that each side stores before the clock starts: servers run for weeks, not for seconds. */
const warmUpSessions = 20_000;

/** One phase on one side: the generator's figures, and who used the processors meanwhile. */
interface Sample extends PhaseResult {
  serverCpu: number;
  databaseCpu: number;
}

/** A RADIUS accounting server on the database cluster: SimCube or FreeRADIUS. */
interface Side {
  pid: number;
  acctPort: number;
  analyse(): Promise<void>;
  /** @throws Error unless everything that was acknowledged is in the database, once */
  verify(sessions: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Accounting per second, each record acknowledged only when it is on disk, against FreeRADIUS with PostgreSQL: the same
 * generator and windows, the same database server with the same settings, one after the other, in turns.
 */
export const accounting = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const withBaseline = options.baseline && haveFreeRadius();
  if (options.baseline && !withBaseline)
    run.note('FreeRADIUS is not installed and could not be: no baseline, no ratio.');
  const cluster = await startCluster({ watched: options.statements });
  try {
    const sims = options.sessions + warmUpSessions;
    progress(`making ${sims.toLocaleString('en-US')} SIMs`);
    const fleet = await makeFleet(cluster, { database: 'template_of_ours', pastDays: 40 });
    await fill(fleet, sims, { plain: true });
    for (const window of options.windows) {
      const ours: Sample[][] = [];
      const pooled: Sample[][] = [];
      const theirs: Sample[][] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        progress(`window ${window}, round ${round + 1} of ${options.rounds}`);
        ours.push(await measure(run, { cluster, window, open: () => openOurs(cluster, fleet, run) }));
        pooled.push(await measure(run, { cluster, window, open: () => openPooled(cluster, fleet, run) }));
        if (!withBaseline) continue;
        theirs.push(await measure(run, { cluster, window, open: () => openTheirs(cluster, run) }));
      }
      for (const phase of phases) run.add(lineOf({ phase, window, ours, theirs }));
      for (const phase of phases) run.add(pooledLineOf({ phase, window, ours, pooled }));
    }
    run.note(
      `${options.sessions} sessions of as many SIMs, 21 attributes; median of ${options.rounds} rounds. Before the ` +
        `clock started each side stored ${warmUpSessions} sessions of other SIMs.`,
    );
    run.note('Every answer was authentic; afterwards every record was in the database exactly once.');
  } finally {
    await cluster.stop();
  }
};

const measure = async (
  { options, progress }: Run,
  { cluster, window, open }: { cluster: Cluster; window: number; open: () => Promise<Side> },
): Promise<Sample[]> => {
  const side = await open();
  try {
    const ground = { host: '127.0.0.1', port: side.acctPort, secret: radiusSecret, sockets, window };
    const began = Math.floor(Date.now() / 1000);
    const others = { sessions: warmUpSessions, firstImsi: firstImsi + options.sessions, run: began - 1 };
    const warmUp = await openLoad({ ...ground, ...others });
    for (const phase of phases) await warmUp.run(phase);
    warmUp.close();
    const load = await openLoad({ ...ground, sessions: options.sessions, firstImsi, run: began });
    const samples: Sample[] = [];
    for (const phase of phases) {
      // As autovacuum would within a minute; a plan that only suits a table never looked at says nothing.
      if (phase !== 'stop') await side.analyse();
      await cluster.settle();
      await cluster.dearestStatements();
      const before = [cpuSecondsOf(side.pid), cpuSecondsOf(cluster.postmaster())] as const;
      const result = await load.run(phase);
      const serverCpu = cpuSecondsOf(side.pid) - before[0];
      const databaseCpu = cpuSecondsOf(cluster.postmaster()) - before[1];
      for (const line of await cluster.dearestStatements()) progress(`    ${line}`);
      if (result.forged > 0) throw new Error(`${result.forged} answers were not authentic`);
      progress(`  ${phase}: ${Math.round(result.perSecond)} a second`);
      samples.push({ ...result, serverCpu, databaseCpu });
    }
    load.close();
    await side.verify(options.sessions + warmUpSessions);
    return samples;
  } finally {
    await side.stop();
  }
};

/** The product, its database copied afresh for each round, as the baseline's is. */
const openOurs = async (
  cluster: Cluster,
  template: Fleet,
  { options }: Run,
  prepare?: (installation: Fleet) => Promise<void>,
): Promise<Side> => {
  await cluster.drop('ours');
  const databaseUrl = await cluster.create('ours', 'template_of_ours');
  await prepare?.({ ...template, databaseUrl });
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
    analyse: () => withClient(databaseUrl, async (client) => void (await client.query('vacuum (analyze)'))),
    verify: (sessions) =>
      withClient(databaseUrl, (client) => verifyOurs(client, { ...template, databaseUrl }, sessions)),
    stop: product.stop,
  };
};

/** The same with every SIM in one shared pool, which is never used up. */
const openPooled = async (cluster: Cluster, template: Fleet, run: Run): Promise<Side> => {
  let installation = template;
  const side = await openOurs(cluster, template, run, async (own) => {
    installation = own;
    await poolAll(own);
  });
  return {
    ...side,
    verify: async (sessions) => {
      await side.verify(sessions);
      // Member by member, and hour by hour.
      simcube(installation, ['pools', 'verify']);
      await withClient(installation.databaseUrl, (client) =>
        expectFigures(client, {
          text: 'select sum(used_bytes)::float8 as pooled from pool_counters',
          wanted: { pooled: sessions * bytesOfSession },
        }),
      );
    },
  };
};

const poolAll = async (installation: Fleet): Promise<void> => {
  await withClient(installation.databaseUrl, async (client) => {
    await client.query(
      `insert into bundles (code, name, sku, type, quota_bytes, overage_policy, reset_cycle)
       values ('SHARED', 'Shared', 'SHARED', 'postpaid shared', 1099511627776, 'billing', 'month')`,
    );
  });
  simcube(installation, ['pools', 'set', orgCode, 'Everything', '--bundle', 'SHARED']);
  await withClient(installation.databaseUrl, async (client) => {
    await client.query(
      `insert into pool_members (pool_id, sim_id, enrolled_at, activated_at)
       select p.id, s.id, c.started_at, c.started_at from pools p
       join pool_cycles c on c.pool_id = p.id and c.launched_at is not null cross join sims s`,
    );
    await client.query(
      `insert into pool_terms (pool_id, sim_id, kind, bytes, from_at, created_at)
       select pool_id, sim_id, 'standard', 1099511627776, enrolled_at, enrolled_at from pool_members`,
    );
    await client.query('update sim_live set pooled = true');
    await client.query('vacuum (analyze) sim_live, pools, pool_cycles, pool_members, pool_terms');
  });
};

const openTheirs = async (cluster: Cluster, _run: Run): Promise<Side> => {
  const baseline = await startFreeRadius(cluster.url('postgres'), await freeUdpPort());
  return {
    pid: baseline.pid,
    acctPort: baseline.acctPort,
    analyse: baseline.analyse,
    verify: (sessions) =>
      withClient(cluster.url('radius_baseline'), async (client) => {
        await expectFigures(client, {
          text: `select count(*)::float8 as sessions, count(acctstoptime)::float8 as stopped,
            sum(acctinputoctets + acctoutputoctets)::float8 as bytes from radacct`,
          wanted: { sessions, stopped: sessions, bytes: sessions * bytesOfSession },
        });
      }),
    stop: baseline.stop,
  };
};

/** What the generator reports for a session in all: the Stop says two volumes. */
const bytesOfSession = 2 * bytesOfVolume;

const verifyOurs = async (client: Queryable, installation: Installation, sessions: number): Promise<void> => {
  // SIM by SIM, and hour by hour: sums alone would not show what was counted for another one.
  simcube(installation, ['usage', 'verify']);
  const bytes = sessions * bytesOfSession;
  const sum = (table: string) =>
    `(select coalesce(sum(up_bytes + down_bytes), 0)::float8 from ${table}) as ${table}`;
  await expectFigures(client, {
    text: `select (select count(*)::float8 from radius_sessions) as sessions,
      (select count(*)::float8 from radius_sessions where stopped_at is not null) as stopped,
      (select count(*)::float8 from cdrs) as records, (select sum(used_bytes)::float8 from sim_live) as used,
      ${['cdrs', 'sim_usage_hourly', 'sim_usage_daily', 'org_usage_hourly', 'org_usage_daily'].map(sum).join(', ')}`,
    wanted: {
      sessions,
      stopped: sessions,
      // One of the Interim-Update and one of the Stop; a Start has no volume.
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

const expectFigures = async (
  client: Queryable,
  { text, wanted }: { text: string; wanted: Record<string, number> },
): Promise<void> => {
  const found = (await client.query(text)).rows[0] ?? {};
  for (const [name, figure] of Object.entries(wanted)) {
    if (found[name] !== figure)
      throw new Error(`${name} is ${found[name]}, not ${figure}: records were lost or counted twice`);
  }
};

const lineOf = (options: { phase: Phase; window: number; ours: Sample[][]; theirs: Sample[][] }) => {
  const { phase, window } = options;
  const pick = (rounds: Sample[][]) =>
    rounds.flatMap((samples) => samples.filter((sample) => sample.phase === phase));
  const [ours, theirs] = [pick(options.ours), pick(options.theirs)];
  const perSecond = (samples: Sample[]) => median(samples.map((sample) => sample.perSecond));
  const baseline = theirs.length > 0 ? perSecond(theirs) : undefined;
  const measured = perSecond(ours);
  const ratio = baseline === undefined ? undefined : measured / baseline;
  return {
    what: `${phase}, window ${window}`,
    measured,
    unit: '/s',
    budget: `${budgetRatio} × baseline`,
    ...(baseline !== undefined && { baseline }),
    ...(ratio !== undefined && { ratio, met: ratio >= budgetRatio }),
    details: { ...described('ours', ours), ...described('baseline', theirs) },
  };
};

/** With every SIM in one pool, against the same without pools. */
const pooledLineOf = (options: { phase: Phase; window: number; ours: Sample[][]; pooled: Sample[][] }) => {
  const { phase, window } = options;
  const of = (rounds: Sample[][]) =>
    rounds.flatMap((samples) => samples.filter((sample) => sample.phase === phase));
  const perSecond = (samples: Sample[]) => median(samples.map((sample) => sample.perSecond));
  const [measured, baseline] = [perSecond(of(options.pooled)), perSecond(of(options.ours))];
  const ratio = measured / baseline;
  return {
    what: `${phase}, every SIM in one pool, window ${window}`,
    ...{ measured, unit: '/s', baseline, ratio, met: ratio >= pooledRatio },
    budget: `${pooledRatio} × without pools`,
    details: { ...described('pooled', of(options.pooled)), ...described('without', of(options.ours)) },
  };
};

/** Latencies, retransmissions, and processor time a packet, by who used it. */
const described = (name: string, samples: Sample[]): Record<string, number> => {
  if (samples.length === 0) return {};
  const micros = (read: (sample: Sample) => number) =>
    median(samples.map((sample) => (read(sample) / sample.packets) * 1e6));
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
