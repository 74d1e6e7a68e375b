import type { Command } from 'commander';
import { type CliContext, using } from '../../../platform/cli/index.ts';
import { operatorActor } from '../../audit/index.ts';
import { repairUsage } from './repair.service.ts';
import type { UsageDifference } from './verify.queries.ts';
import { type PooledUsage, verifyUsage } from './verify.service.ts';

export interface VerifyContext extends CliContext {
  pooledUsage: PooledUsage;
}

/** `simcube usage verify`: checks that rollups and counters match the CDRs; with `--repair`, corrects them. */
export const verifyCommands = (program: Command, open: () => Promise<VerifyContext>): void => {
  program
    .command('usage')
    .description('Verify usage counters')
    .command('verify')
    .description(
      'Compare CDRs, rollups and counters of SIMs, organisations and shared pools; exit with 1 if something differs',
    )
    .option('--repair', 'correct rollups and counters from the CDRs', false)
    .option('--json', 'machine-readable output: one line per difference, then the totals', false)
    .action((options: { json: boolean; repair: boolean }) =>
      using(open, async ({ pool, clock, pooledUsage }) => {
        const { json, repair } = options;
        const onDifference = (difference: UsageDifference) =>
          console.info(json ? JSON.stringify(difference) : textOf(difference));
        const verifyOptions = { pool, pooledUsage, now: clock.now(), onDifference };
        if (repair) {
          const report = await repairUsage({ ...verifyOptions, actor: operatorActor() });
          const { sims, pools, differing, repaired, left } = report;
          console.info(
            json
              ? JSON.stringify(report)
              : `${sims} SIMs and ${pools} pools compared, ${differing} differed, ${repaired} repaired, ${left} still differ`,
          );
          if (left > 0) process.exitCode = 1;
        } else {
          const report = await verifyUsage(verifyOptions);
          const { sims, pools, differing } = report;
          console.info(
            json ? JSON.stringify(report) : `${sims} SIMs and ${pools} pools compared, ${differing} differ`,
          );
          if (differing > 0) process.exitCode = 1;
        }
      }),
    );
};

const textOf = (difference: UsageDifference): string => {
  const { iccid, organisation, month, pool, cycle, what, differing, recordedBytes, storedBytes } = difference;
  const where = pool === undefined ? month : `pool ${pool}, cycle of ${cycle}`;
  return `${iccid ?? `${organisation}, ${where}`}: ${differing} ${what} differ, ${recordedBytes} bytes recorded, ${storedBytes} stored`;
};
