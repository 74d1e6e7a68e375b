import { Command } from 'commander';
import type pg from 'pg';
import { aaaCommands } from '../modules/aaa/index.ts';
import { auditCommands } from '../modules/audit/index.ts';
import { bundleCommands } from '../modules/bundle/index.ts';
import { developerCommands } from '../modules/developer/index.ts';
import { diagnoseCommands } from '../modules/diagnose/index.ts';
import { financeCommands } from '../modules/finance/index.ts';
import { identityCommands } from '../modules/identity/index.ts';
import { orgCommands } from '../modules/org/index.ts';
import { placeCommands } from '../modules/place/index.ts';
import { poolCommands } from '../modules/pool/index.ts';
import { priceCommands } from '../modules/price/index.ts';
import { reportCommands } from '../modules/report/index.ts';
import { simCommands } from '../modules/sim/index.ts';
import { smsCommands } from '../modules/sms/index.ts';
import { taskCommands } from '../modules/task/index.ts';
import { usageCommands } from '../modules/usage/index.ts';
import { readable } from '../platform/cli/index.ts';
import { capacityCommand } from './capacity/capacity.cli.ts';
import { catalogueCommands } from './catalogue/catalogue.cli.ts';
import type { Context } from './context.ts';
import { databaseCommands } from './database/database.cli.ts';
import { doctorCommand, type OpenInstallation } from './doctor/doctor.cli.ts';
import { jobCommands } from './jobs.cli.ts';
import { outboxCommands } from './outbox.cli.ts';
import { secretsCommands } from './secrets.cli.ts';
import { supportBundleCommand } from './support/support-bundle.cli.ts';
import { version } from './version.ts';
import type { Wiring } from './wire.ts';

/** What commands work with: the modules, assembled on the installation's database. */
export type CommandContext = Wiring & Pick<Context, 'env' | 'clock' | 'vault' | 'close'> & { pool: pg.Pool };

const areas = [
  orgCommands,
  identityCommands,
  simCommands,
  placeCommands,
  bundleCommands,
  priceCommands,
  catalogueCommands,
  usageCommands,
  poolCommands,
  financeCommands,
  reportCommands,
  aaaCommands,
  smsCommands,
  diagnoseCommands,
  taskCommands,
  databaseCommands,
  jobCommands,
  outboxCommands,
  auditCommands,
  secretsCommands,
  developerCommands,
];

/** The operator's command line: `simcube <area> <command>`. */
export const createProgram = (
  open: () => Promise<CommandContext>,
  openInstallation: OpenInstallation,
): Command => {
  const program = new Command('simcube')
    .description('SimCube: commands for the operator of the installation')
    .version(version)
    .showHelpAfterError()
    .configureOutput({ outputError: (text, write) => write(readable(text)) });
  for (const commands of areas) commands(program, open);
  doctorCommand(program, openInstallation);
  supportBundleCommand(program, openInstallation);
  capacityCommand(program);
  return program;
};
