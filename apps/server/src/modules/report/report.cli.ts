import { reportMonthSchema } from '@simcube/contract/report';
import type { Command } from 'commander';
import { argumentParser, type CliContext, using } from '../../platform/cli/index.ts';
import { operatorActor } from '../audit/index.ts';
import { regenerateMonth } from './generation/regenerate.service.ts';

/** `simcube reports …`: the operator's commands for monthly reports. */
export const reportCommands = (program: Command, open: () => Promise<CliContext>): void => {
  program
    .command('reports')
    .description('Manage the monthly reports of organisations')
    .command('remake <organisation>')
    .description('Generate the reports of a month again, with the current preferences')
    .requiredOption('--month <month>', 'YYYY-MM', argumentParser(reportMonthSchema))
    .action((code: string, { month }: { month: string }) =>
      using(open, async ({ pool, clock }) => {
        const { removed, generated } = await regenerateMonth(pool, {
          code,
          month,
          actor: operatorActor(),
          now: clock.now(),
        });
        console.info(`${code}\t${month}\t${removed} removed, ${generated} made`);
      }),
    );
};
