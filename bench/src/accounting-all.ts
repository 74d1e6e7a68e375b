import {
  comparisonLine,
  measure,
  openProduct,
  phases,
  type Sample,
  warmUpSessions,
} from './accounting-rounds.ts';
import { armEvaluatedRules, ruleCount } from './armed-rules.ts';
import { priceEverything } from './bill-data.ts';
import { startBenchCluster } from './citus.ts';
import { withClient } from './cluster.ts';
import { type Fleet, fill, makeFleet } from './fleet.ts';
import { openWithPool } from './pooled.ts';
import type { Run } from './run.ts';

const share = 0.8;

/** Accounting with pools, rules and prices enabled, alternating with the same load without them; a worker runs in both cases. */
export const accountingAll = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const cluster = await startBenchCluster(options);
  try {
    const fleet = await makeFleet(cluster, { database: 'template_of_ours', pastDays: 40 });
    await fill(fleet, options.sessions + warmUpSessions, { plain: true });
    await cluster.distribute(fleet);
    for (const window of options.windows) {
      const [baselineRounds, rounds]: [Sample[][], Sample[][]] = [[], []];
      for (let round = 0; round < options.rounds; round += 1) {
        progress(`all on and none, window ${window}, round ${round + 1} of ${options.rounds}`);
        const worker = true;
        const open = () => openProduct(cluster, fleet, run, { worker });
        const openAll = () => openWithPool(cluster, fleet, run, { prepare: priceAndArm, worker });
        baselineRounds.push(await measure(run, { cluster, window, open }));
        rounds.push(await measure(run, { cluster, window, open: openAll }));
      }
      const comparison = {
        what: 'all on',
        comparedWith: 'without any',
        share,
        window,
        rounds,
        baselineRounds,
      };
      for (const phase of phases) run.add(comparisonLine({ ...comparison, phase }));
    }
    run.note(
      `${options.sessions} sessions of as many SIMs, all in one pool, with ${ruleCount} rules on their usage and a tariff. ` +
        'Afterwards every record was in the database, and counted in the pool, exactly once.',
    );
  } finally {
    await cluster.stop();
  }
};

/** Rules last, because arming them leaves the live rows as a vacuum would. */
const priceAndArm = async (own: Fleet): Promise<void> => {
  await withClient(own.databaseUrl, (client) => priceEverything(client, own.orgId));
  await armEvaluatedRules(own);
};
