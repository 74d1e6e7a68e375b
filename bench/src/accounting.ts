import {
  bytesOfSession,
  comparedLine,
  described,
  expectFigures,
  measure,
  openOurs,
  phases,
  type Sample,
  type Side,
  warmUpSessions,
} from './accounting-rounds.ts';
import { type Cluster, startCluster, withClient } from './cluster.ts';
import { type Fleet, fill, makeFleet, orgCode } from './fleet.ts';
import { haveFreeRadius, startFreeRadius } from './freeradius.ts';
import { freeUdpPort, simcube } from './product.ts';
import type { Phase } from './radius-packets.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';

const budgetRatio = 5;
const pooledRatio = 0.8;

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
      const pools = { what: 'every SIM in one pool', than: 'without pools', share: pooledRatio };
      for (const phase of phases) {
        run.add(comparedLine({ ...pools, phase, window, rounds: pooled, without: ours }));
      }
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

/** The same with every SIM in one shared pool, which is never used up. */
const openPooled = async (cluster: Cluster, template: Fleet, run: Run): Promise<Side> => {
  let installation = template;
  const prepare = async (own: Fleet) => {
    installation = own;
    await poolAll(own);
  };
  const side = await openOurs(cluster, template, run, { prepare });
  return {
    ...side,
    verify: async (sessions) => {
      await side.verify(sessions);
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
