import { Command } from 'commander';
import { gatewayCommands } from '../modules/aaa/index.ts';
import { auditCommands } from '../modules/audit/index.ts';
import { bundleCommands } from '../modules/bundle/index.ts';
import { userCommands } from '../modules/identity/index.ts';
import { orgCommands } from '../modules/org/index.ts';
import { simCommands } from '../modules/sim/index.ts';
import { taskCommands } from '../modules/task/index.ts';
import { cdrCommands, cellCommands, usageCommands } from '../modules/usage/index.ts';
import { readEnv } from '../platform/env/index.ts';
import { noLiveStreams } from '../platform/live/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { openContext } from './context.ts';
import { jobCommands } from './jobs.cli.ts';
import { mailOf } from './mail.ts';
import { version } from './version.ts';
import { wire } from './wire.ts';

/** The operator's command line: `simcube <area> <command>`; works beside a running server or without one. */
const program = new Command('simcube')
  .description('SimCube: commands of the installation’s operator')
  .version(version)
  .showHelpAfterError();

/** Opens the database (joins a running server's) and puts the modules together as the server does. */
const open = async () => {
  const env = readEnv();
  const log = createLog({ level: 'warn', format: 'json' });
  const context = await openContext({ env, log, metrics: createMetrics([]) });
  const { pool } = context.database;
  const wiring = wire({
    pool,
    clock: context.clock,
    log,
    metrics: context.metrics,
    vault: context.vault,
    live: noLiveStreams,
    mail: mailOf(context).mail,
  });
  return { ...context, ...wiring, pool };
};

const areas = [
  orgCommands,
  userCommands,
  simCommands,
  bundleCommands,
  cdrCommands,
  cellCommands,
  usageCommands,
  gatewayCommands,
  taskCommands,
  jobCommands,
  auditCommands,
];
for (const commands of areas) commands(program, open);

program.parseAsync().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
