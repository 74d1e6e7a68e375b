import {
  type AccountingServer,
  bytesPerSession,
  comparisonLine,
  describeSamples,
  expectFigures,
  measure,
  openProduct,
  phases,
  type Sample,
  warmUpSessions,
} from './accounting-rounds.ts';
import { startBenchCluster } from './citus.ts';
import { type Cluster, withClient } from './cluster.ts';
import { fill, makeFleet } from './fleet.ts';
import { provideFreeRadius, startFreeRadius } from './freeradius.ts';
import { openWithPool } from './pooled.ts';
import { freeUdpPort } from './product.ts';
import type { Phase } from './radius-packets.ts';
import { median } from './report.ts';
import type { Run } from './run.ts';

const budgetRatio = 5;
const pooledRatio = 0.8;

/**
 * Accounting per second, with each record acknowledged only once it is on disk, compared with FreeRADIUS on PostgreSQL: the
 * same generator and windows, the same database server and settings, one after the other, alternating.
 */
export const accounting = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const withBaseline = options.baseline && provideFreeRadius();
  if (options.baseline && !withBaseline)
    run.note('FreeRADIUS is not installed and could not be: no baseline, no ratio.');
  const cluster = await startBenchCluster(options);
  try {
    const sims = options.sessions + warmUpSessions;
    progress(`making ${sims.toLocaleString('en-US')} SIMs`);
    const fleet = await makeFleet(cluster, { database: 'template_of_ours', pastDays: 40 });
    await fill(fleet, sims, { plain: true });
    await cluster.distribute(fleet);
    for (const window of options.windows) {
      const ours: Sample[][] = [];
      const pooled: Sample[][] = [];
      const theirs: Sample[][] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        progress(`window ${window}, round ${round + 1} of ${options.rounds}`);
        ours.push(await measure(run, { cluster, window, open: () => openProduct(cluster, fleet, run) }));
        pooled.push(await measure(run, { cluster, window, open: () => openWithPool(cluster, fleet, run) }));
        if (!withBaseline) continue;
        theirs.push(await measure(run, { cluster, window, open: () => openFreeRadius(cluster, run) }));
      }
      for (const phase of phases) run.add(ratioLine({ phase, window, ours, theirs }));
      const comparison = { what: 'every SIM in one pool', comparedWith: 'without pools', share: pooledRatio };
      for (const phase of phases) {
        run.add(comparisonLine({ ...comparison, phase, window, rounds: pooled, baselineRounds: ours }));
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

const openFreeRadius = async (cluster: Cluster, _run: Run): Promise<AccountingServer> => {
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
          expected: { sessions, stopped: sessions, bytes: sessions * bytesPerSession },
        });
      }),
    stop: baseline.stop,
  };
};

const ratioLine = (options: { phase: Phase; window: number; ours: Sample[][]; theirs: Sample[][] }) => {
  const { phase, window } = options;
  const samplesOfPhase = (rounds: Sample[][]) =>
    rounds.flatMap((samples) => samples.filter((sample) => sample.phase === phase));
  const [ours, theirs] = [samplesOfPhase(options.ours), samplesOfPhase(options.theirs)];
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
    details: { ...describeSamples('ours', ours), ...describeSamples('baseline', theirs) },
  };
};
