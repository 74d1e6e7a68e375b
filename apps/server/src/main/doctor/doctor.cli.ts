import type { Command } from 'commander';
import { jsonOption, using } from '../../platform/cli/index.ts';
import type { Installation } from './check.ts';
import { type CheckResult, exitCodeOf, runChecks } from './doctor.service.ts';

export type OpenInstallation = () => Promise<Installation & { close: () => Promise<void> }>;

/** `simcube doctor`: works where a server would not start, and changes nothing. */
export const doctorCommand = (program: Command, open: OpenInstallation): void => {
  program
    .command('doctor')
    .description(
      'Check the installation, and show what is wrong and what to do; exit with 1 for warnings, 2 for failures',
    )
    .option(...jsonOption)
    .action(({ json }: { json: boolean }) =>
      using(open, async (installation) => {
        const results = await runChecks(installation);
        console.info(json ? JSON.stringify(results) : renderResults(results));
        process.exitCode = exitCodeOf(results);
      }),
    );
};

const renderResults = (results: readonly CheckResult[]): string =>
  results
    .flatMap(({ check, state, said, mend }) => [
      `${state.padEnd(8)} ${check.padEnd(21)} ${said}`,
      ...(mend === undefined ? [] : [`${' '.repeat(31)}${mend}`]),
    ])
    .join('\n');
