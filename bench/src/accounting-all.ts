import { comparedLine, measure, openOurs, phases, type Sample, warmUpSessions } from './accounting-rounds.ts';
import { armFarRulesLongAgo, manyRules } from './armed-rules.ts';
import { priceEverything } from './bill-ground.ts';
import { startGround } from './citus.ts';
import { withClient } from './cluster.ts';
import { type Fleet, fill, makeFleet } from './fleet.ts';
import { openPooled } from './pooled.ts';
import type { Run } from './run.ts';

const share = 0.8;

/** Accounting with pools, rules and prices enabled, alternating with the same load without them; a worker runs in both cases. */
export const accountingAll = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const cluster = await startGround(options);
  try {
    const fleet = await makeFleet(cluster, { database: 'template_of_ours', pastDays: 40 });
    await fill(fleet, options.sessions + warmUpSessions, { plain: true });
    await cluster.spread(fleet);
    for (const window of options.windows) {
      const [without, rounds]: [Sample[][], Sample[][]] = [[], []];
      for (let round = 0; round < options.rounds; round += 1) {
        progress(`all on and none, window ${window}, round ${round + 1} of ${options.rounds}`);
        const worker = true;
        const open = () => openOurs(cluster, fleet, run, { worker });
        const openAll = () => openPooled(cluster, fleet, run, { prepare: priceAndArm, worker });
        without.push(await measure(run, { cluster, window, open }));
        rounds.push(await measure(run, { cluster, window, open: openAll }));
      }
      const compared = { what: 'all on', than: 'without any', share, window, rounds, without };
      for (const phase of phases) run.add(comparedLine({ ...compared, phase }));
    }
    run.note(
      `${options.sessions} sessions of as many SIMs, all in one pool, with ${manyRules} rules on their usage and a tariff. ` +
        'Afterwards every record was in the database, and counted in the pool, exactly once.',
    );
  } finally {
    await cluster.stop();
  }
};

/** Rules last, because arming them leaves the live rows as a vacuum would. */
const priceAndArm = async (own: Fleet): Promise<void> => {
  await withClient(own.databaseUrl, (client) => priceEverything(client, own.orgId));
  await armFarRulesLongAgo(own);
};
