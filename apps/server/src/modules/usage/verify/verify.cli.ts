import type { Command } from 'commander';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { verifyUsage } from './verify.service.ts';

export interface VerifyContext {
  pool: pg.Pool;
  clock: Clock;
  close: () => Promise<void>;
}

/** `simcube usage verify`: whether rollups and counters say what the CDRs say. */
export const verifyCommands = (program: Command, open: () => Promise<VerifyContext>): void => {
  program
    .command('usage')
    .description('What SIMs used')
    .command('verify')
    .description('Compares CDRs, rollups and counters of each SIM; exits 1 when something differs')
    .option('--json', 'machine-readable output: a line for each difference, then the sums', false)
    .action(async ({ json }: { json: boolean }) => {
      const { pool, clock, close } = await open();
      try {
        const report = await verifyUsage({
          pool,
          now: clock.now(),
          onDifference: (difference) => {
            const { iccid, what, differing, recordedBytes, storedBytes } = difference;
            console.info(
              json
                ? JSON.stringify(difference)
                : `${iccid}: ${differing} ${what} differ, ${recordedBytes} bytes recorded, ${storedBytes} stored`,
            );
          },
        });
        console.info(
          json ? JSON.stringify(report) : `${report.sims} SIMs compared, ${report.differing} differ`,
        );
        if (report.differing > 0) process.exitCode = 1;
      } finally {
        await close();
      }
    });
};
