import type { Command } from 'commander';
import { type CliContext, jsonOption, using } from '../../platform/cli/index.ts';
import { findSim } from '../sim/index.ts';
import { wordedReport } from './diagnose.report.ts';
import { createDiagnoses } from './diagnose.service.ts';

/** `simcube diagnose ICCID`: the console's report, for any SIM of the installation. */
export const diagnoseCommands = (program: Command, open: () => Promise<CliContext>): void => {
  program
    .command('diagnose')
    .argument('<iccid>', 'ICCID of the SIM')
    .description('Diagnose a SIM: why it has no data, and what to do')
    .option(...jsonOption)
    .action((iccid: string, { json }: { json: boolean }) =>
      using(open, async ({ pool, clock }) => {
        const sim = await findSim(pool, iccid);
        if (!sim) throw new Error(`There is no SIM ${iccid}`);
        const report = await createDiagnoses({ pool, clock }).report({ id: sim.orgId }, iccid);
        const worded = wordedReport(report, 'en-US');
        if (json) return void console.info(JSON.stringify(worded));
        for (const { light, check, sentence, advice } of worded.checks) {
          console.info(`${light.padEnd(8)} ${check.padEnd(15)} ${sentence}`);
          if (advice !== null) console.info(`${' '.repeat(25)}${advice}`);
        }
      }),
    );
};
